import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Container } from 'inversify';
import { ConfigError } from '../kernel/errors.ts';
import { memoized } from '../kernel/memoized.ts';
import { answerBrokenRequest, createApp } from '../platform/http/app.ts';
import { readClientPackage } from '../platform/http/client-package.ts';
import { boundConnections } from '../platform/http/connections.ts';
import { drainable } from '../platform/http/draining.ts';
import { checkElastic, checkMongo, checkRedis, createPages, watchStores } from '../platform/http/pages.ts';
import { readPanel } from '../platform/http/panel.ts';
import { boundBodies } from '../platform/patches/http-body-bounds.ts';
import * as platform from '../platform/platform.module.ts';
import { createRequestLimit } from '../platform/rate-limit.ts';
import type { Config } from './config.ts';
import { createDocument } from './document.ts';
import { createMetricsOfAll } from './metrics-of-all.ts';
import { modules } from './modules.ts';
import type { PublicUrl } from './public-url.ts';

export type Api = { readonly url: string; stop(): Promise<void> };

/**
 * A client that sends its headers slowly or not at all holds its connection only this long; bodies have shorter limits.
 */
const SLOW_CLIENTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  // How often slow clients are looked for.
  connectionsCheckingInterval: 2_000,
};
/**
 * A connection whose client does not read its answer is closed, too, after at most twice this time without progress.
 * The time is longer than any request takes, even when stores hang.
 */
const NOT_READING_MS = 60_000;
const TLS_WITHIN_MS = 10_000;

const portIsTaken = ({ host, port }: Config): Error =>
  new ConfigError(`Another program listens on ${host}:${port}: stop it, or choose another PORT.`);

const createServer = ({ tls }: Config): Server =>
  tls
    ? createHttpsServer({
        ...SLOW_CLIENTS,
        handshakeTimeout: TLS_WITHIN_MS,
        cert: readFileSync(tls.certFile),
        key: readFileSync(tls.keyFile),
      })
    : createHttpServer(SLOW_CLIENTS);

/** Starts the HTTP server on the configured address. A worker's server has only health and metrics, but no API. */
export const startApi = async (container: Container, config: Config, publicUrl: PublicUrl): Promise<Api> => {
  const isWorker = config.role === 'worker';
  const server = createServer(config);
  const draining = drainable(server);
  const routes = isWorker ? [] : container.getAll(platform.routes).flat();
  const { db, readStore, redis, logger, metrics, time, recordAudit } = container.get(platform.services);
  const { identity, merchants, requestLog } = container.get(modules);
  const openApi = memoized(() => createDocument(routes, config.publicUrl));
  // Building the document takes half a second, for which no request should wait. Tests hardly ever read it.
  if (!isWorker && config.environment !== 'test') openApi();
  const checks = {
    mongodb: () => checkMongo(db),
    elasticsearch: () => checkElastic(readStore, container.get(platform.views)),
    redis: () => checkRedis(redis),
  };
  const app = createApp({
    routes,
    authenticate: identity.authenticate,
    limitRequests: createRequestLimit(
      {
        redis,
        keyPrefix: config.keyPrefix,
        redisTimeoutMs: config.redisTimeoutMs,
      },
      config.rateLimitPerSecond,
    ),
    maxConcurrentRequests: config.maxConcurrentRequests,
    readWithinMs: config.commandTimeoutMs,
    requireTls: config.environment === 'production',
    trustedProxies: config.trustedProxies,
    logger,
    metrics,
    time,
    readsOwnWrites: merchants.readsOwnWrites,
    recordAudit,
    noteRequest: requestLog.keepRequests.note,
    pages: createPages({
      openApi: isWorker ? null : openApi,
      checks,
      isStopping: draining.isStopping,
      metrics: cluster.isWorker ? createMetricsOfAll(metrics.registry) : metrics.registry,
      metricsToken: config.metricsToken,
      panel: isWorker ? null : readPanel(),
      client: isWorker ? null : readClientPackage(),
    }),
  });
  server.on('request', app);
  server.on('clientError', answerBrokenRequest);
  server.timeout = NOT_READING_MS;
  boundBodies(server);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  boundConnections(server, {
    total: config.maxConnections,
    perAddress: config.maxConnectionsPerAddress,
    isProxy: (address) => isTrusted(address, 0),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portIsTaken(config) : error),
    );
    server.listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  if (!isWorker) publicUrl.listensOn(port);
  const endWatch = watchStores(checks, (store, isDegraded) =>
    metrics.storeDegraded.set({ store }, Number(isDegraded)),
  );
  return {
    url: `${config.tls ? 'https' : 'http'}://${config.host}:${port}`,
    stop() {
      endWatch();
      return draining.stop(config.drainMs);
    },
  };
};
