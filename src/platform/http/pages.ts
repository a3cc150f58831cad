import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import express, { type Request, type Response, type Router } from 'express';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { memoized } from '../../kernel/memoized.ts';
import { permissionMissing } from '../../kernel/principal.ts';
import type { ReadStore } from '../read-store/elastic.ts';
import { aliasOf, type View } from '../read-store/view.ts';
import { equalInConstantTime } from '../secrets.ts';
import type { Database } from '../write-store/database.ts';
import { MIGRATIONS } from '../write-store/migrate.ts';
import { refuseMethod } from './app.ts';
import type { ClientPackage } from './client-package.ts';
import { DOCS_PAGE, DOCS_POLICY, docsFiles } from './docs-page.ts';
import { llmsText, readDocumentation } from './guides.ts';
import { type PanelFiles, servePanel } from './panel.ts';

/** Resolves where the store answers, and throws where it does not. */
export type Check = () => Promise<void>;
export type Checks = Readonly<Record<'mongodb' | 'elasticsearch' | 'redis', Check>>;

type PagesOptions = {
  /** Returns the OpenAPI document, which is made once; null where there is no API to describe. */
  readonly openApi: (() => object) | null;
  readonly checks: Checks;
  /** True once load balancers should send requests elsewhere. */
  readonly isStopping: () => boolean;
  readonly metrics: Pick<Registry, 'contentType' | 'metrics'>;
  /** Null where metrics are available only over loopback. */
  readonly metricsToken: string | null;
  /** Null where the panel was not built. */
  readonly panel: PanelFiles | null;
  /** Null where the client was not built. */
  readonly client: ClientPackage | null;
};

/** Pages beside the API: health, metrics, and its description. */
export const createPages = (options: PagesOptions): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const readiness = shareConcurrent(() => readinessOf(options.checks));

  const page = (
    path: string,
    handle: (request: Request, response: Response) => void | Promise<void>,
  ): void => {
    router.get(path, handle);
    router.all(path, refuseMethod(['GET', 'HEAD']));
  };
  page('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  page('/health/ready', async (_request, response) => {
    if (options.isStopping()) {
      response.status(503).json({ status: 'stopping' });
      return;
    }
    const body = await readiness();
    if (body.status === 'unavailable') response.status(503).setHeader('Retry-After', '1');
    response.json(body);
  });
  page('/metrics', async (request, response) => {
    if (!mayReadMetrics(request, options.metricsToken)) throw permissionMissing('metrics');
    const { metrics } = options;
    const text = await metrics.metrics();
    response.setHeader('Content-Type', metrics.contentType);
    response.end(text);
  });
  const { openApi } = options;
  if (openApi === null) return router;
  page('/', (request, response) => {
    response.setHeader('Vary', 'Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect(options.panel ? '/panel' : '/docs');
    else response.json(START);
  });
  if (options.panel) servePanel(router, options.panel);
  const description = memoized(() => fixedContent('json', JSON.stringify(openApi())));
  page('/v1/openapi.json', (request, response) => description()(request, response));
  const docsPage = fixedContent('html', DOCS_PAGE);
  for (const path of ['/docs', '/docs/']) {
    page(path, (request, response) => {
      response.setHeader('Content-Security-Policy', DOCS_POLICY);
      response.setHeader('Referrer-Policy', 'no-referrer');
      docsPage(request, response);
    });
  }
  const { guides, pictures } = readDocumentation();
  page('/llms.txt', fixedContent('text/plain', llmsText(guides)));
  for (const { path, text } of guides) page(path, fixedContent('text/markdown', text));
  for (const { path, content } of pictures) page(path, fixedContent('webp', content));
  for (const { name, type, content } of docsFiles()) page(`/docs/${name}`, fixedContent(type, content));
  if (options.client) {
    const send = packedClient(options.client);
    for (const name of ['portico-client', `portico-client-${options.client.version}`])
      page(`/client/${name}.tgz`, send);
  }
  return router;
};

/**
 * The client, packed so that npm can install it. Caches keep it for an hour, because the address without a version
 * serves another one after the next release, and the address with a version serves that version or nothing.
 */
const packedClient = ({ version, content }: ClientPackage) => {
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return (request: Request, response: Response): void => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.setHeader('ETag', tag);
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Disposition', `attachment; filename="portico-client-${version}.tgz"`);
    response.type('application/gzip').send(content);
  };
};

/**
 * Content that changes only with the program's version. It is compressed once for clients that accept that, and
 * revalidated by its tag.
 */
const fixedContent = (type: string, content: string | Buffer) => {
  const bytes = Buffer.from(content);
  // The tag is weak, because the compressed bytes differ, and because a proxy that compresses makes every tag weak.
  const tag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
  let compressed: Buffer | null = null;
  return (request: Request, response: Response): void => {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', tag);
    response.setHeader('Vary', 'Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.type(type);
    if (request.acceptsEncodings(['gzip', 'identity']) !== 'gzip') {
      response.send(bytes);
      return;
    }
    compressed ??= gzipSync(bytes);
    response.setHeader('Content-Encoding', 'gzip');
    response.send(compressed);
  };
};

/** The entry point for programs; browsers are sent to the documentation. */
const START = {
  service: 'Portico',
  documentation: '/docs',
  guides: '/llms.txt',
  client: '/client/portico-client.tgz',
  openapi: '/v1/openapi.json',
  health: '/health/ready',
};

const WITHIN_MS = 1_000;

type StoreHealth = { readonly status: 'ok' | 'degraded'; readonly latencyMs: number };
type Readiness = {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly stores: Readonly<Record<keyof Checks, StoreHealth>>;
};

/** Only the write store is indispensable: without the others, commands and queries by id still work. */
const readinessOf = async (checks: Checks): Promise<Readiness> => {
  const [mongodb, elasticsearch, redis] = await Promise.all(
    [checks.mongodb, checks.elasticsearch, checks.redis].map(healthOf),
  );
  if (!mongodb || !elasticsearch || !redis) throw new Error('a check has no result');
  const stores = { mongodb, elasticsearch, redis };
  if (mongodb.status !== 'ok') return { status: 'unavailable', stores };
  return { status: Object.values(stores).every(({ status }) => status === 'ok') ? 'ok' : 'degraded', stores };
};

const WATCH_EVERY_MS = 10_000;

/** Measures every ten seconds how each store does, whether or not somebody asks. Returns a function that ends this. */
export const watchStores = (
  checks: Checks,
  report: (store: string, isDegraded: boolean) => void,
): (() => void) => {
  const look = async (): Promise<void> => {
    const { stores } = await readinessOf(checks);
    for (const [store, { status }] of Object.entries(stores)) report(store, status !== 'ok');
  };
  const timer = setInterval(() => void look(), WATCH_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};

const healthOf = async (check: Check): Promise<StoreHealth> => {
  const startedAt = performance.now();
  const timeout = new AbortController();
  const tooLate = sleep(WITHIN_MS, 'degraded' as const, { signal: timeout.signal, ref: false }).catch(
    () => 'degraded' as const,
  );
  const answered = Promise.resolve()
    .then(check)
    .then(
      () => 'ok' as const,
      () => 'degraded' as const,
    );
  const status = await Promise.race([answered, tooLate]);
  timeout.abort();
  return { status, latencyMs: Math.round(performance.now() - startedAt) };
};

/** Callers that come during a call share its result, so that nobody can flood the store behind it. */
const shareConcurrent = <T>(call: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= call().finally(() => {
      underWay = null;
    });
    return underWay;
  };
};

/** Reads a document, because a server with broken storage still answers a ping. */
export const checkMongo = async (db: Database): Promise<void> => {
  await db.collection(MIGRATIONS).findOne({}, { projection: { _id: 1 } });
};

/** Searches all indexes that lists read, because a server that cannot open one of them still answers a ping. */
export const checkElastic = async (readStore: ReadStore, views: readonly View[]): Promise<void> => {
  await readStore.client.search(
    {
      index: views.map((view) => aliasOf(readStore, view)),
      size: 1,
      terminate_after: 1,
      track_total_hits: false,
      _source: false,
    },
    { requestTimeout: WITHIN_MS, maxRetries: 0 },
  );
};

export const checkRedis = async (redis: Pick<Redis, 'ping'>): Promise<void> => {
  await redis.ping();
};

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
/** Headers of a proxy. A proxy on this machine also connects over loopback, but on behalf of somebody else. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
];

const mayReadMetrics = (request: Request, token: string | null): boolean => {
  const [, given] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token !== null && given !== undefined && equalInConstantTime(given, token)) return true;
  const isProxied = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  return !isProxied && LOOPBACK.includes(request.socket.remoteAddress ?? '');
};
