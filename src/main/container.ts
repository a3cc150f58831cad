import { Container } from 'inversify';
import { Redis } from 'ioredis';
import { ConfigError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { createPasswords } from '../modules/identity/write/passwords.ts';
import { createTenancy } from '../modules/merchants/merchants.module.ts';
import { createReadTestTime } from '../modules/test-clock/write/test-clock.store.ts';
import { createEnvironmentTime } from '../platform/environment-time.ts';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createClamdScan } from '../platform/outbound/clamd.ts';
import { createGuardedPost } from '../platform/outbound/guarded-post.ts';
import { createHttpClient } from '../platform/outbound/http-client.ts';
import * as platform from '../platform/platform.module.ts';
import { openReadStore } from '../platform/read-store/elastic.ts';
import { consumerOf } from '../platform/read-store/projector.ts';
import type { View } from '../platform/read-store/view.ts';
import { keyRing } from '../platform/secrets.ts';
import {
  createReadInTime,
  createServices,
  type Infrastructure,
  type Services,
} from '../platform/services.ts';
import { createWorkQueue } from '../platform/work-queue.ts';
import { countConnections, openWriteStore } from '../platform/write-store/mongo.ts';
import type { Consumer } from '../platform/write-store/outbox.ts';
import { createStoreClock, createStoreTime, type StoreClock } from '../platform/write-store/store-clock.ts';
import type { Config } from './config.ts';
import { createModules, type ModuleOptions, modules } from './modules.ts';
import { createPublicUrl, type PublicUrl } from './public-url.ts';
import { SPREAD_COLLECTIONS } from './tenants.ts';

const REDIS_SILENT_MS = 5_000;

const openRedis = (url: string): Redis =>
  new Redis(url, {
    // Redis is optional: code that uses it must fail at once and go on without it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A server that hangs counts as down, too.
    socketTimeout: REDIS_SILENT_MS,
  });

/** The ways out of a process: to its stores, to providers, and to addresses that merchants choose. */
export type Surroundings = {
  readonly openWriteStore: typeof openWriteStore;
  readonly openReadStore: typeof openReadStore;
  readonly openRedis: (url: string) => Redis;
  readonly createWorkQueue: typeof createWorkQueue;
  readonly createHttpClient: typeof createHttpClient;
  readonly createPost: typeof createGuardedPost;
  readonly createPasswords: typeof createPasswords;
};
const REAL: Surroundings = {
  openWriteStore,
  openReadStore,
  openRedis,
  createWorkQueue,
  createHttpClient,
  createPost: createGuardedPost,
  createPasswords,
};

/** Opens the stores of a process, and creates everything else that its settings determine. */
const openInfrastructure = (
  config: Config,
  open: Surroundings,
): Infrastructure & { readonly storeClock: StoreClock } => {
  const logger = createLogger(config.logLevel);
  const metrics = createMetrics();
  const writeStore = open.openWriteStore(config.mongodbUri, config.mongodbDatabase, {
    layout: {
      outboxShards: config.outboxShards,
      ...(config.commitGroups === 'tenant' ? { spread: new Set(SPREAD_COLLECTIONS) } : {}),
    },
    profile: config.storeProfile,
  });
  countConnections(writeStore, (state, change) => metrics.connections.inc({ state }, change));
  const storeTime = createStoreTime(writeStore.db);
  const storeClock = createStoreClock({
    storeTime,
    logger,
    report: {
      jumped: (of) => metrics.clockJumps.inc({ of }),
      differs: (seconds) => metrics.clockDifference.set(seconds),
    },
  });
  const realClock = storeClock.clock;
  const readTestTime = config.testClock ? createReadTestTime(writeStore.db) : null;
  const time = createEnvironmentTime({ realClock, storeTime, readTestTime });
  return {
    clock: time.clock,
    realClock,
    time,
    storeClock,
    storeTime: time.storeTime,
    newId,
    random: Math.random,
    logger,
    metrics,
    keyRings: {
      jwt: keyRing(config.jwtSecrets),
      sealing: keyRing(config.sealingKeys),
      pepper: keyRing(config.peppers),
    },
    writeStore,
    scanStore: open.openWriteStore(config.mongodbUri, config.mongodbDatabase, {
      forScans: true,
      profile: config.storeProfile,
    }),
    readStore: open.openReadStore(config.elasticsearchNode, `${config.keyPrefix}-`, config.viewShards.of),
    redis: open.openRedis(config.redisUrl),
    keyPrefix: config.keyPrefix,
    redisTimeoutMs: config.redisTimeoutMs,
    commandTimeoutMs: config.commandTimeoutMs,
    commitGroups: config.commitGroups,
    retention: config.retention,
    guardRules: {
      allowLoopback: config.webhookAllowLoopback,
      requireHttps: config.environment === 'production',
    },
    scan: config.clamdUrl ? createClamdScan(config.clamdUrl) : null,
  };
};

const moduleOptions = (
  config: Config,
  publicUrl: PublicUrl,
  { createWorkQueue, createHttpClient, createPost, createPasswords }: Surroundings,
): ModuleOptions => ({
  identity: {
    createPasswords,
    changeAtFirstLogin: config.passwordChangeAtFirstLogin,
    requireSecondFactor: config.requireSecondFactor,
    secureCookies: config.environment === 'production',
  },
  providers: {
    liveRoutes: config.liveRoutes,
    liveProvider: config.liveProvider,
    accounts: config.providerAccounts,
    environment: config.environment,
    timeoutMs: config.providerTimeoutMs,
    publicUrl: publicUrl.current,
    configuredUrl: config.publicUrl,
    createHttpClient,
  },
  requestLog: config.requestLog,
  twoPerson: config.twoPerson,
  wallets: { roots: config.walletRoots, signingWindowMs: config.walletSigningWindowMs },
  webhooks: {
    redisUrl: config.redisUrl,
    keyPrefix: config.keyPrefix,
    retrySchedule: config.webhookRetrySchedule,
    createWorkQueue,
    createPost,
  },
});

/**
 * Throws for a setting that names an unknown view, because it would otherwise have no effect and nobody would notice.
 */
const assertViewsExist = (named: readonly string[], views: readonly View[], { redis }: Services): void => {
  const known = views.map(({ name }) => name);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  redis.disconnect();
  throw new ConfigError(
    `Wrong configuration: VIEW_SHARDS: there is no view ${unknown}; views are ${known.join(', ')}`,
  );
};

/** The composition root: creates all parts of a process from its settings. */
export const createContainer = (
  config: Config,
  publicUrl: PublicUrl = createPublicUrl(config),
  surroundings: Surroundings = REAL,
): Container => {
  const { storeClock, ...infrastructure } = openInfrastructure(config, surroundings);
  const db = infrastructure.writeStore.db;
  const tenancy = createTenancy({ db, readInTime: createReadInTime(config.commandTimeoutMs) });
  const consumers: Consumer[] = [];
  const services = createServices({ ...infrastructure, ...tenancy, consumers });
  const made = createModules(services, tenancy.findMerchants, moduleOptions(config, publicUrl, surroundings));
  const contributed = Object.values(made).map((one): platform.Contributions => one.contributions);
  const views = [...new Set(contributed.flatMap((one) => one.views ?? []))];
  assertViewsExist(config.viewShards.named, views, services);
  consumers.push(...views.map(consumerOf), ...contributed.flatMap((one) => one.consumers ?? []));

  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(platform.services).toConstantValue(services);
  container.bind(platform.storeClock).toConstantValue(storeClock);
  container.bind(platform.views).toConstantValue(views);
  container.bind(platform.consumers).toConstantValue(consumers);
  container.bind(modules).toConstantValue(made);
  platform.bindContributions(container, [...contributed, platform.platformContributions(services, views)]);
  return container;
};
