import { Container } from 'inversify';
import { Redis } from 'ioredis';
import { newId } from '../kernel/ids.ts';
import { identityOptions } from '../modules/identity/identity.module.ts';
import { twoPersonOptions } from '../modules/proposals/proposals.module.ts';
import { providerOptions } from '../modules/providers/providers.module.ts';
import { walletOptions } from '../modules/wallets/wallets.module.ts';
import { webhookOptions } from '../modules/webhooks/webhooks.module.ts';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createClamdScan } from '../platform/outbound/clamd.ts';
import * as platform from '../platform/platform.module.ts';
import { openReadStore } from '../platform/read-store/elastic.ts';
import { keyRing } from '../platform/secrets.ts';
import { bindProvided } from '../platform/wiring.ts';
import { countConnections, openWriteStore } from '../platform/write-store/mongo.ts';
import { cutOutbox } from '../platform/write-store/outbox.ts';
import { spreadByTenant } from '../platform/write-store/spread.ts';
import { createStoreClock, createStoreTime } from '../platform/write-store/store-clock.ts';
import type { Config } from './config.ts';
import { MODULES } from './modules.ts';
import { createPublicUrl, type PublicUrl } from './public-url.ts';
import { SPREAD_COLLECTIONS } from './tenants.ts';

const REDIS_SILENT_MS = 5_000;

/** The composition root: everything that a process is made of, from its settings. */
export const createContainer = (
  config: Config,
  publicUrl: PublicUrl = createPublicUrl(config),
): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(platform.newId).toConstantValue(newId);
  container.bind(platform.random).toConstantValue(Math.random);
  container.bind(platform.logger).toConstantValue(createLogger(config.logLevel));
  const metrics = createMetrics();
  container.bind(platform.metrics).toConstantValue(metrics);
  container.bind(platform.keyRings).toConstantValue({
    jwt: keyRing(config.jwtSecrets),
    sealing: keyRing(config.sealingKeys),
    pepper: keyRing(config.peppers),
  });
  const writeStore = openWriteStore(config.mongodbUri, config.mongodbDatabase);
  if (config.commitGroups === 'tenant') spreadByTenant(writeStore.db, SPREAD_COLLECTIONS);
  cutOutbox(writeStore.db, config.outboxShards);
  countConnections(writeStore, (state, change) => metrics.connections.inc({ state }, change));
  container.bind(platform.writeStore).toConstantValue(writeStore);
  const storeTime = createStoreTime(writeStore.db);
  const storeClock = createStoreClock({
    storeTime,
    logger: container.get(platform.logger),
    report: {
      jumped: (of) => metrics.clockJumps.inc({ of }),
      differs: (seconds) => metrics.clockDifference.set(seconds),
    },
  });
  container.bind(platform.storeTime).toConstantValue(storeTime);
  container.bind(platform.storeClock).toConstantValue(storeClock);
  container.bind(platform.clock).toConstantValue(storeClock.clock);
  container
    .bind(platform.scanStore)
    .toConstantValue(openWriteStore(config.mongodbUri, config.mongodbDatabase, { forScans: true }));
  container
    .bind(platform.readStore)
    .toConstantValue(openReadStore(config.elasticsearchNode, `${config.keyPrefix}-`, config.viewShards));
  container.bind(platform.redis).toConstantValue(
    new Redis(config.redisUrl, {
      // Redis only helps: what needs it must fail at once and do without.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      // A server that hangs counts as down, too.
      socketTimeout: REDIS_SILENT_MS,
    }),
  );
  container.bind(providerOptions).toConstantValue({
    liveRoutes: config.liveRoutes,
    liveProvider: config.liveProvider,
    accounts: config.providerAccounts,
    environment: config.environment,
    timeoutMs: config.providerTimeoutMs,
    publicUrl: publicUrl.current,
    configuredUrl: config.publicUrl,
  });
  container.bind(twoPersonOptions).toConstantValue(config.twoPerson);
  container.bind(platform.keyPrefix).toConstantValue(config.keyPrefix);
  container.bind(platform.redisTimeoutMs).toConstantValue(config.redisTimeoutMs);
  container.bind(platform.commitGroups).toConstantValue(config.commitGroups);
  container.bind(platform.commandTimeoutMs).toConstantValue(config.commandTimeoutMs);
  container.bind(platform.retention).toConstantValue(config.retention);
  container.bind(platform.guardRules).toConstantValue({
    allowLoopback: config.webhookAllowLoopback,
    requireHttps: config.environment === 'production',
  });
  container.bind(platform.scan).toConstantValue(config.clamdUrl ? createClamdScan(config.clamdUrl) : null);
  container.bind(walletOptions).toConstantValue({
    roots: config.walletRoots,
    signingWindowMs: config.walletSigningWindowMs,
  });
  container.bind(identityOptions).toConstantValue({
    changeAtFirstLogin: config.passwordChangeAtFirstLogin,
    requireSecondFactor: config.requireSecondFactor,
    secureCookies: config.environment === 'production',
  });
  container.bind(webhookOptions).toConstantValue({
    redisUrl: config.redisUrl,
    keyPrefix: config.keyPrefix,
    retrySchedule: config.webhookRetrySchedule,
  });
  container.load(bindProvided(), platform.platformModule, ...MODULES);
  return container;
};
