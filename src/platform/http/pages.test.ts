import { createServer } from 'node:http';
import supertest, { type Test } from 'supertest';
import { createFakeTime } from '../../../test/fakes/environment-time.ts';
import { unauthorized } from '../../kernel/errors.ts';
import { createLogger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import { createApp } from './app.ts';
import { readDocumentation } from './guides.ts';
import { type Check, type Checks, createPages } from './pages.ts';

const TOKEN = 'a-token-for-the-metrics';
const works: Check = async () => undefined;
const fails: Check = () => Promise.reject(new Error('10.0.0.7 is down'));
const hangs: Check = () => new Promise(() => undefined);

const CLIENT = Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff]);
const asBytes: NonNullable<Parameters<supertest.Test['parse']>[0]> = (response, done) => {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => done(null, Buffer.concat(parts)));
};

const appOf = (
  checks: Partial<Checks> = {},
  metricsToken: string | null = TOKEN,
  openApi: (() => object) | null = () => ({ openapi: '3.1.0' }),
) => {
  const metrics = createMetrics();
  return createApp({
    routes: [],
    authenticate: async () => {
      throw unauthorized('CREDENTIALS_INVALID');
    },
    limitRequests: async () => undefined,
    maxConcurrentRequests: 100,
    readWithinMs: 8_000,
    requireTls: false,
    trustedProxies: ['loopback'],
    logger: createLogger('silent'),
    metrics,
    time: createFakeTime(),
    readsOwnWrites: async () => false,
    recordAudit: async () => undefined,
    noteRequest: () => undefined,
    pages: createPages({
      openApi,
      checks: { mongodb: works, elasticsearch: works, redis: works, ...checks },
      isStopping: () => false,
      metrics: metrics.registry,
      metricsToken,
      panel: null,
      client: { version: '1.2.3', content: CLIENT },
    }),
  });
};

describe('the packed client', () => {
  const app = appOf();
  const ADDRESSES = ['/client/portico-client.tgz', '/client/portico-client-1.2.3.tgz'];

  it.each(ADDRESSES)('is served to everybody, to the byte, with its version: %s', async (path) => {
    const { body, headers } = await supertest(app).get(path).buffer().parse(asBytes).expect(200);
    expect(body).toEqual(CLIENT);
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': 'attachment; filename="portico-client-1.2.3.tgz"',
      'cache-control': 'public, max-age=3600',
    });
    expect(headers['content-encoding']).toBeUndefined();
    await supertest(app).get(path).set('If-None-Match', String(headers.etag)).expect(304);
    await supertest(app).post(path).expect(405);
  });

  it.each([
    '/client',
    '/client/',
    '/client/portico-client-1.2.4.tgz',
    '/client/package/package.json',
    '/client/../package.json',
    '/client/%2e%2e%2fpackage.json',
    '/client/..%5cpackage.json',
  ])('is all that is served there: %s', async (path) => {
    await supertest(app).get(path).expect(404);
  });

  it('is named where the gateway says what is here', async () => {
    const { body } = await supertest(app).get('/').set('Accept', 'application/json').expect(200);
    expect(body.client).toBe(ADDRESSES[0]);
  });
});

describe('health', () => {
  it('says that the process is alive, whatever the stores do', async () => {
    const { body } = await supertest(appOf({ mongodb: fails }))
      .get('/health/live')
      .expect(200);
    expect(body).toEqual({ status: 'ok' });
  });

  it('says how every store answers', async () => {
    const { body } = await supertest(appOf()).get('/health/ready').expect(200);
    const ok = { status: 'ok', latencyMs: expect.any(Number) };
    expect(body).toEqual({ status: 'ok', stores: { mongodb: ok, elasticsearch: ok, redis: ok } });
  });

  it.each(['elasticsearch', 'redis'] as const)('is degraded, and still ready, without %s', async (name) => {
    const { body } = await supertest(appOf({ [name]: fails }))
      .get('/health/ready')
      .expect(200);
    expect(body.status).toBe('degraded');
    expect(body.stores[name].status).toBe('degraded');
    expect(body.stores.mongodb.status).toBe('ok');
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it('is not ready without the write store', async () => {
    const response = await supertest(appOf({ mongodb: fails }))
      .get('/health/ready')
      .expect(503);
    expect(response.body).toMatchObject({
      status: 'unavailable',
      stores: { mongodb: { status: 'degraded' } },
    });
    expect(response.headers['retry-after']).toBe('1');
  });

  it('waits for stores one second at most, and for all at once', async () => {
    const startedAt = performance.now();
    const { body } = await supertest(appOf({ mongodb: hangs, elasticsearch: hangs, redis: hangs }))
      .get('/health/ready')
      .expect(503);
    // One after the other, the checks would take three seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_900);
    expect(body.stores.redis.latencyMs).toBeGreaterThan(900);
  });

  it('asks the stores once for callers that come together', async () => {
    // The check goes on until all requests have arrived.
    let came = 0;
    let finish: () => void = () => undefined;
    const check = jest.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const app = appOf({ mongodb: check });
    const server = createServer((request, response) => {
      app(request, response);
      came += 1;
      if (came === 5) finish();
    }).listen(0, '127.0.0.1');
    await Promise.all(Array.from({ length: 5 }, () => supertest(server).get('/health/ready').expect(200)));
    expect(check).toHaveBeenCalledTimes(1);
    server.close();
  });

  it('takes a check that throws at once for a store that is down', async () => {
    const throws: Check = () => {
      throw new Error('not connected');
    };
    await supertest(appOf({ mongodb: throws }))
      .get('/health/ready')
      .expect(503);
  });
});

describe('metrics', () => {
  const read = (headers: Readonly<Record<string, string>> = {}, token: string | null = TOKEN): Test =>
    supertest(appOf({}, token)).get('/metrics').set(headers);

  it('are for Prometheus, from this machine', async () => {
    const response = await read().expect(200);
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=/);
    expect(response.text).toContain('portico_http_request_seconds');
  });

  it.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via'])(
    'are not for who comes through a proxy: %s',
    async (name) => {
      const { body } = await read({ [name]: '127.0.0.1' }).expect(403);
      expect(body).toMatchObject({ statusCode: 403, code: 'PERMISSION_MISSING' });
    },
  );

  it('are for who has the token, through a proxy too', async () => {
    await read({ 'X-Forwarded-For': '203.0.113.1', Authorization: `Bearer ${TOKEN}` }, TOKEN).expect(200);
  });

  it.each(['Bearer wrong', `Basic ${TOKEN}`, 'Bearer ', 'Bearer null', 'null'])(
    'are not for another token: %s',
    async (given) => {
      await read({ 'X-Forwarded-For': '203.0.113.1', Authorization: given }).expect(403);
      await read({ 'X-Forwarded-For': '203.0.113.1', Authorization: given }, null).expect(403);
    },
  );
});

describe('documentation', () => {
  const app = appOf();

  it('is a document for programs', async () => {
    const { body } = await supertest(app)
      .get('/v1/openapi.json')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toEqual({ openapi: '3.1.0' });
  });

  it.each(['/docs', '/docs/'])('is a page for people at %s, with nothing from elsewhere', async (path) => {
    const { text, headers } = await supertest(app)
      .get(path)
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).not.toMatch(/https?:|<script>|<style|\bon\w+=/);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(5);
    for (const file of files) await supertest(app).get(file).expect(200);
  });

  it.each([
    ['/docs/start.js', /^text\/javascript/],
    ['/docs/start.css', /^text\/css/],
    ['/docs/swagger-ui-bundle.js', /^text\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/favicon-32x32.png', /^image\/png/],
  ])('serves %s by its type', async (path, type) => {
    await supertest(app).get(path).expect(200).expect('Content-Type', type);
  });

  it('leads to the guides by /llms.txt, each as Markdown', async () => {
    const { text } = await supertest(app)
      .get('/llms.txt')
      .expect(200)
      .expect('Content-Type', /^text\/plain/);
    expect(text).toMatch(/^# Portico\n\n> A payment gateway/);
    const links = [...text.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, link = '']) => link);
    expect(links).toEqual(
      expect.arrayContaining(['/docs/guide/charges.md', '/docs/compatibility.md', '/CHANGELOG.md']),
    );
    for (const link of links) {
      const page = await supertest(app)
        .get(link)
        .expect(200)
        .expect('Content-Type', /^text\/markdown/);
      expect(page.text).toMatch(/^# /);
    }
    expect(text.match(/^- .*$/gm)?.filter((line) => !/\): [\w`].*[.:]$/.test(line))).toEqual([
      expect.stringContaining('(/v1/openapi.json)'),
    ]);
  });

  it('has pages whose links and pictures are all served', async () => {
    const { guides } = readDocumentation();
    const targets = new Set(
      guides.flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) =>
          String(new URL(target, `http://gateway${path}`)),
        ),
      ),
    );
    const here = [...targets].filter((target) => target.startsWith('http://gateway/'));
    expect(here).toEqual(
      expect.arrayContaining(
        ['README.md', 'docs/guide/panel/charges.webp'].map((name) => `http://gateway/${name}`),
      ),
    );
    for (const target of here) await supertest(app).get(new URL(target).pathname).expect(200);
    const { text } = await supertest(app).get('/docs/guide/connectors.md').expect(200);
    expect(text).toContain('(`src/modules/providers/connectors.ts`)');
  });

  it.each(['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/index.html'])(
    'serves nothing else: %s',
    async (path) => {
      await supertest(app).get(path).expect(404);
    },
  );
});

describe('pages', () => {
  const app = appOf();

  it.each(['/health/live', '/health/ready', '/metrics', '/v1/openapi.json', '/docs', '/docs/start.js'])(
    'are for GET and HEAD only: %s',
    async (path) => {
      const response = await supertest(app).head(path).expect(200);
      expect(response.text).toBeUndefined();
      const refused = await supertest(app).post(path).expect(405).expect('Allow', 'GET, HEAD');
      expect(refused.body).toEqual({ statusCode: 405, message: 'Method not allowed' });
    },
  );

  it('describe no API for a worker, which has health and metrics only', async () => {
    const worker = appOf({}, TOKEN, null);
    await supertest(worker).get('/health/ready').expect(200);
    await supertest(worker).get('/metrics').expect(200);
    for (const path of ['/v1/openapi.json', '/docs', '/docs/start.js'])
      await supertest(worker).get(path).expect(404);
  });
});

describe('the root', () => {
  it('leads programs to what is here, and people to the documentation', async () => {
    const { body } = await supertest(appOf()).get('/').expect(200).expect('Content-Type', /json/);
    expect(body).toMatchObject({ documentation: '/docs', openapi: '/v1/openapi.json' });
    await supertest(appOf())
      .get('/')
      .set('Accept', 'text/html,*/*;q=0.8')
      .expect(302)
      .expect('Location', '/docs');
  });

  it('is nothing where there is no API', async () => {
    await supertest(appOf({}, TOKEN, null))
      .get('/')
      .expect(404);
  });
});

describe('content that only another version changes', () => {
  it.each(['/v1/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/docs/guide/charges.md', '/llms.txt'])(
    'is compressed, and kept by its tag: %s',
    async (path) => {
      const app = appOf();
      const plain = await supertest(app).get(path).set('Accept-Encoding', 'identity').expect(200);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const packed = await supertest(app)
        .get(path)
        .set('Accept-Encoding', 'gzip')
        .expect('Content-Encoding', 'gzip');
      expect(packed.text).toBe(plain.text);
      expect(packed.headers).toMatchObject({ 'cache-control': 'no-cache', etag: plain.headers.etag });
      const tag = String(plain.headers.etag);
      for (const given of [tag, tag.replace('W/', ''), `"another", ${tag}`]) {
        const known = await supertest(app).get(path).set('If-None-Match', given).expect(304);
        expect(known.text).toBe('');
      }
      await supertest(app).get(path).set('If-None-Match', '"another"').expect(200);
    },
  );
});
