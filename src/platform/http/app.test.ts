import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { errors } from '@elastic/elasticsearch';
import express from 'express';
import Joi from 'joi';
import { MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import supertest from 'supertest';
import { aMerchantPrincipal, anOperatorPrincipal } from '../../../test/builders.ts';
import { createFakeTime } from '../../../test/fakes/environment-time.ts';
import { createFakeLogger } from '../../../test/fakes/logger.ts';
import { forbidden, GatewayError, notFound, refusal, unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createLogger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import { type AppOptions, answerBrokenRequest, createApp } from './app.ts';
import type { EndedRequest } from './ended-request.ts';
import { consistencyTokenOf, type Reply, type Route, type RouteRequest, route } from './route.ts';

const merchant = aMerchantPrincipal({ permissions: ['charges.read'] });
const operator = anOperatorPrincipal({ livemode: true, permissions: ['admin.charges.read'] });
const CALLERS: Readonly<Record<string, Principal>> = {
  merchant,
  operator,
  'public key': { ...merchant, credential: 'public_key' },
  powerless: { ...merchant, permissions: [] },
};

const missing = (permission: string) => ({ code: 'PERMISSION_MISSING', permission });

const routeOf = (changes: Partial<Route> = {}): Route =>
  route({
    method: 'get',
    operationId: 'doThing',
    path: '/v1/things',
    summary: 'Do',
    tag: 'Things',
    access: null,
    responses: { 200: { description: 'Done.' } },
    handle: async () => ({ status: 200, body: { ok: true } }),
    ...changes,
  });

const appOf = (routes: readonly Route[], options: Partial<AppOptions> = {}) =>
  createApp({
    routes,
    authenticate: async (request) => {
      const caller = CALLERS[request.get('authorization') ?? ''];
      if (!caller) throw unauthorized('CREDENTIALS_INVALID');
      return caller;
    },
    limitRequests: async () => undefined,
    maxConcurrentRequests: 100,
    readWithinMs: 8_000,
    requireTls: false,
    trustedProxies: [],
    logger: createLogger('silent'),
    metrics: createMetrics(),
    time: createFakeTime(),
    readsOwnWrites: async () => false,
    recordAudit: async () => undefined,
    noteRequest: () => undefined,
    pages: express.Router(),
    ...options,
  });

const failing = (error: unknown) =>
  supertest(appOf([routeOf({ handle: () => Promise.reject(error) })])).get('/v1/things');

describe('the way to a route', () => {
  const seen = jest.fn<Promise<Reply>, [RouteRequest]>(async ({ params }) => ({ status: 200, body: params }));
  const app = appOf([
    routeOf(),
    routeOf({ method: 'post', body: Joi.object({ a: Joi.number() }) }),
    routeOf({ path: '/v1/things/{id}', handle: seen }),
    routeOf({ method: 'delete', path: '/v1/things/{id}', handle: async () => ({ status: 204 }) }),
  ]);

  it('decodes what the path names', async () => {
    const { body } = await supertest(app).get('/v1/things/a%2Fb%20c').expect(200);
    expect(body).toEqual({ id: 'a/b c' });
  });

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/things/',
    '/V1/things',
    '/v1/Things',
    '//v1//things',
    '/v1//things',
    '/v2/things',
    '/v1/things/a/b',
    '/v1/things/%2e%2e/things/x',
    '/v1/thing%73',
  ])('is one path only, and not %s', async (path) => {
    const { body } = await supertest(app).get(path).expect(404);
    expect(body).toEqual({ statusCode: 404, message: 'Route not found', code: 'NOT_FOUND' });
  });

  it.each([
    ['put', '/v1/things', 'GET, HEAD, POST'],
    ['delete', '/v1/things', 'GET, HEAD, POST'],
    ['options', '/v1/things', 'GET, HEAD, POST'],
    ['trace', '/v1/things', 'GET, HEAD, POST'],
    ['post', '/v1/things/1', 'GET, HEAD, DELETE'],
    ['patch', '/v1/things/1', 'GET, HEAD, DELETE'],
  ] as const)('is closed to other methods: %s %s', async (method, path, allowed) => {
    const response = await supertest(app)[method](path).expect(405).expect('Allow', allowed);
    expect(response.body).toEqual({ statusCode: 405, message: 'Method not allowed' });
  });

  it('answers HEAD as GET without a body', async () => {
    const response = await supertest(app).head('/v1/things').expect(200);
    expect(response.text).toBeUndefined();
    expect(response.headers['content-length']).toBe('11');
  });

  it.each(['/v1/things/%', '/v1/%zz', '/%E0%A4%A', '/v1/things/%ff', '/v1/things?a=%ff', '/v1/things?q=50%'])(
    'is not found by a URL that cannot be decoded: %s',
    async (path) => {
      const { body } = await supertest(app).get(path).expect(400);
      const message = 'The URL is not encoded correctly';
      const errors = [{ path: '', message }];
      expect(body).toEqual({ statusCode: 400, message, code: 'VALIDATION_FAILED', errors });
    },
  );

  it('gives every answer its own id and never lets it be stored or guessed at', async () => {
    const responses = await Promise.all(
      ['/v1/things', '/v1/things', '/nowhere', '/%'].map((path) => supertest(app).get(path)),
    );
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
    for (const { headers } of responses) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('etag');
    }
  });

  it('does not take the method from a header or a parameter', async () => {
    await supertest(app).get('/v1/things').set('X-HTTP-Method-Override', 'DELETE').expect(200);
    await supertest(app).get('/v1/things?_method=delete').expect(400);
  });
});

describe('the callers of a route', () => {
  const call = (access: Route['access'], caller: string | null) => {
    const request = supertest(appOf([routeOf({ access })])).get('/v1/things');
    return caller === null ? request : request.set('Authorization', caller);
  };

  it.each([null, 'nobody'])('are known, unlike %s', async (caller) => {
    const response = await call({ merchant: 'any' }, caller).expect(401);
    expect(response.headers['www-authenticate']).toMatch(/^Basic .*Bearer /);
    expect(response.body).toEqual({ statusCode: 401, message: 'Unauthorized', code: 'CREDENTIALS_INVALID' });
  });

  it.each([
    ['merchant', { merchant: 'charges.read' }],
    ['merchant', { merchant: 'any' }],
    ['operator', { operator: 'admin.charges.read' }],
    ['operator', { operator: ['admin.users.update', 'admin.charges.read'] }],
    ['public key', { merchant: 'any', publicKey: true }],
  ] as const)('have what the route asks for: %s, %j', async (caller, access) => {
    await call(access, caller).expect(200);
  });

  it.each([
    ['merchant', { operator: 'any' }, { code: 'OPERATORS_ONLY' }],
    ['merchant', {}, { code: 'OPERATORS_ONLY' }],
    ['operator', { merchant: 'any' }, { code: 'MERCHANTS_ONLY' }],
    ['public key', { merchant: 'any' }, { code: 'SECRET_KEY_REQUIRED' }],
    ['merchant', { merchant: 'refunds.create' }, missing('refunds.create')],
    ['powerless', { merchant: 'charges.read' }, missing('charges.read')],
    ['operator', { operator: 'admin.users.update' }, missing('admin.users.update')],
    ['operator', { operator: ['admin.audit.read', 'admin.reports.read'] }, missing('admin.audit.read')],
  ] as const)('are told what they lack: %s, %j', async (caller, access, refusal) => {
    const { body } = await call(access, caller).expect(403);
    expect(body).toEqual({ statusCode: 403, message: 'Forbidden', ...refusal });
  });

  it('are asked for before anything else is looked at', async () => {
    const app = appOf([routeOf({ method: 'post', access: { merchant: 'any' }, body: Joi.object({}) })]);
    await supertest(app).post('/v1/things?unknown=1').type('json').send('{').expect(401);
  });
});

describe('an error', () => {
  it('answers with what a rule says', async () => {
    expect((await failing(notFound('Charge')).expect(404)).body).toEqual({
      statusCode: 404,
      message: 'Charge not found',
      code: 'NOT_FOUND',
    });
    expect((await failing(refusal('TOO_LATE', 'Too late')()).expect(422)).body).toEqual({
      statusCode: 422,
      message: 'Too late',
      code: 'TOO_LATE',
    });
    expect((await failing(forbidden('MERCHANT_NOT_ACTIVE', 'Not active')()).expect(403)).body.code).toBe(
      'MERCHANT_NOT_ACTIVE',
    );
    await failing(new GatewayError(429, 'Too many requests', { headers: { 'Retry-After': '2' } }))
      .expect(429)
      .expect('Retry-After', '2');
  });

  it.each([
    new MongoNetworkError('connection to 10.0.0.7 closed'),
    new MongoServerSelectionError('no server', { servers: new Map() } as never),
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    new errors.ConnectionError('10.0.0.8 refused'),
    new errors.TimeoutError('no answer'),
  ])('of a store is 503, to be tried again: %s', async (error) => {
    const response = await failing(error).expect(503).expect('Retry-After', /^\d+$/);
    expect(response.body).toEqual({ statusCode: 503, message: 'A store is not available' });
  });

  it.each([
    new Error('secret'),
    new TypeError('secret'),
    'secret',
    null,
    { statusCode: 418, message: 'secret' },
  ])('that is a bug tells nothing: %s', async (error) => {
    const { body } = await failing(error).expect(500);
    expect(body).toEqual({ statusCode: 500, message: 'Internal server error' });
  });

  it('after a commit still carries the token of what was recorded', async () => {
    const commit = '0'.repeat(32);
    const app = appOf([
      routeOf({
        method: 'post',
        handle: ({ context }) => {
          context.commits.push(commit);
          return Promise.reject(new Error('later'));
        },
      }),
    ]);
    await supertest(app).post('/v1/things').expect(500).expect('X-Consistency-Token', commit);
  });
});

describe('a stream', () => {
  const streaming = (stream: Readable) =>
    supertest(
      appOf([
        routeOf({ handle: async () => ({ status: 200, stream, headers: { 'Content-Type': 'text/csv' } }) }),
      ]),
    );

  it('is sent as it comes', async () => {
    const response = await streaming(Readable.from(['a,b\n', '1,2\n']))
      .get('/v1/things')
      .expect(200);
    expect(response.text).toBe('a,b\n1,2\n');
    expect(response.headers['content-type']).toMatch(/^text\/csv/);
  });

  it('is not read for HEAD', async () => {
    const stream = Readable.from(['a']);
    await streaming(stream).head('/v1/things').expect(200);
    expect(stream.destroyed).toBe(true);
  });

  it('that breaks cuts the connection, so that half a list is not taken for the whole', async () => {
    const broken = Readable.from(
      (async function* () {
        yield 'a,b\n';
        throw new Error('the store is gone');
      })(),
    );
    await expect(streaming(broken).get('/v1/things')).rejects.toThrow('aborted');
  });
});

describe('the log', () => {
  it.each([
    ['/v1/things', 200, 'info'],
    ['/nowhere', 404, 'info'],
    ['/health/ready', 200, 'debug'],
    ['/health/ready', 503, 'info'],
  ])('has a line for %s with %d, at level %s', async (path, status, level) => {
    const { logger, lines } = createFakeLogger();
    const pages = express.Router();
    pages.get('/health/ready', (_request, response) => {
      response.status(status).json({});
    });
    await supertest(appOf([routeOf()], { logger, pages }))
      .get(path)
      .expect(status);
    expect(lines).toEqual([`${level} request`]);
  });
});

describe('a request that its client gives up', () => {
  it('is counted apart from those that were answered', async () => {
    const metrics = createMetrics();
    const handling = new EventEmitter();
    const begun = once(handling, 'begun');
    const handle = async (): Promise<Reply> => {
      handling.emit('begun');
      await once(handling, 'answer');
      return { status: 200 };
    };
    const server = appOf([routeOf({ handle })], { metrics }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const giveUp = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}/v1/things`, { signal: giveUp.signal });
    await begun;
    giveUp.abort();
    await expect(asked).rejects.toThrow();
    const counted = async () =>
      (await metrics.requests.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'));
    while ((await counted()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await counted()).toMatchObject([{ labels: { status: 'aborted', path: '/v1/things' }, value: 1 }]);
    handling.emit('answer');
    server.close();
  });
});

describe('the line about a request', () => {
  const lineOf = async (headers: Readonly<Record<string, string>>, trustedProxies: readonly string[]) => {
    const { logger, fields } = createFakeLogger();
    const app = appOf([routeOf({ access: { merchant: 'any', operator: 'any' } })], {
      logger,
      trustedProxies,
    });
    await supertest(app).get('/v1/things').set(headers);
    return fields.at(-1);
  };

  it('names the caller, the merchant and the address', async () => {
    expect(await lineOf({ Authorization: 'merchant' }, [])).toMatchObject({
      caller: 'key_1',
      merchantId: 'mer_1',
      address: '127.0.0.1',
    });
    expect(await lineOf({ Authorization: 'operator' }, [])).toMatchObject({ caller: 'usr_1' });
    expect(await lineOf({}, [])).toMatchObject({ caller: undefined, merchantId: undefined });
  });

  it('takes the address from a trusted proxy, and from nobody else', async () => {
    const forwarded = { 'X-Forwarded-For': '203.0.113.9, ::ffff:198.51.100.7' };
    expect(await lineOf(forwarded, ['loopback'])).toMatchObject({ address: '198.51.100.7' });
    expect(await lineOf(forwarded, [])).toMatchObject({ address: '127.0.0.1' });
  });
});

describe('a refusal', () => {
  const call = async (caller: string, changes: Partial<Route>) => {
    const recorded: unknown[] = [];
    const app = appOf([routeOf({ path: '/v1/things/{id}', ...changes })], {
      recordAudit: async ({ actor, address }, audited) => {
        recorded.push({ actor: actor.id, address, ...audited });
      },
    });
    await supertest(app).get('/v1/things/1').set('Authorization', caller).expect(403);
    return recorded;
  };

  it('of an operator is recorded, with the permission that was missing', async () => {
    expect(await call('operator', { access: { operator: 'admin.users.update' } })).toEqual([
      {
        actor: 'usr_1',
        address: '127.0.0.1',
        type: 'permission.denied',
        resource: 'route',
        resourceId: 'GET /v1/things/{id}',
        livemode: true,
        details: { code: 'PERMISSION_MISSING', needed: ['admin.users.update'] },
      },
    ]);
  });

  it('of an operator by a rule is recorded, with its code', async () => {
    const handle = () => Promise.reject(forbidden('APPROVAL_BY_AUTHOR', 'The author')());
    expect(await call('operator', { access: { operator: 'any' }, handle })).toEqual([
      expect.objectContaining({ details: { code: 'APPROVAL_BY_AUTHOR', needed: ['any'] } }),
    ]);
  });

  it('of a merchant, or where anybody may call, is not', async () => {
    expect(await call('merchant', { access: { operator: 'any' } })).toEqual([]);
    expect(
      await call('', { handle: () => Promise.reject(forbidden('APPROVAL_BY_AUTHOR', 'The author')()) }),
    ).toEqual([]);
  });
});

describe('TLS in production', () => {
  const authenticate = jest.fn(async () => merchant);
  const pages = express.Router();
  const answer: express.RequestHandler = (_request, response) => {
    response.json({});
  };
  pages.get('/health/live', answer);
  pages.get('/docs', answer);
  const behind = (trustedProxies: readonly string[]) =>
    supertest(
      appOf([routeOf({ access: { merchant: 'any' } })], {
        requireTls: true,
        trustedProxies,
        authenticate,
        pages,
      }),
    );

  it.each(['/v1/things', '/docs', '/nowhere', '/%', '/healthy'])(
    'is asked for before anything of a request is looked at: %s',
    async (path) => {
      const response = await behind([]).get(path).set('Authorization', 'merchant').expect(403);
      expect(response.body).toEqual({ statusCode: 403, message: 'Forbidden', code: 'TLS_REQUIRED' });
      expect(authenticate).not.toHaveBeenCalled();
    },
  );

  it('is not asked for by health checks', async () => {
    await behind([]).get('/health/live').expect(200);
  });

  it.each([
    [[], 'https', 403],
    [['10.0.0.1'], 'https', 403],
    [['loopback'], 'http', 403],
    [['loopback'], 'https', 200],
    [['127.0.0.0/8', '::ffff:127.0.0.1'], 'https', 200],
    [['loopback'], 'https, http', 403],
    [['loopback'], 'https, https', 200],
    [['loopback'], 'http, https', 403],
    [['loopback'], '', 403],
  ] as const)('is believed of trusted proxies only: %j saying %j', async (proxies, protocol, status) => {
    const response = await behind(proxies)
      .get('/v1/things')
      .set('X-Forwarded-Proto', protocol)
      .expect(status);
    expect(response.headers['strict-transport-security']).toBe(
      status === 200 ? 'max-age=31536000' : undefined,
    );
  });
});

describe('bytes that are no HTTP', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer({ maxHeaderSize: 1024 }, appOf([routeOf()])).on('clientError', answerBrokenRequest);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => server.close());

  const say = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('error', reject).on('close', () => resolve(answer));
    });

  it.each([
    ['nonsense\r\n\r\n', 400],
    [
      'GET /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n', 400],
    ['GET /v1/things HTTP/1.1\r\nHost: x, y\r\nConnection: close\r\n\r\n', 400],
    [
      'GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\nConnection: close\r\n\r\n',
      400,
    ],
    [`GET /v1/things HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(2_000)}\r\n\r\n`, 431],
  ])('is answered like every error: %#', async (text, status) => {
    const answer = await say(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: status });
  });
});

describe('load', () => {
  it('is refused with 503 beyond the requests that may be in flight, and taken again after them', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let begun = 0;
    const slow = routeOf({
      handle: async () => {
        begun += 1;
        await ended;
        return { status: 200, body: {} };
      },
    });
    const server = createServer(appOf([slow], { maxConcurrentRequests: 2 })).listen(0);
    try {
      const get = () => supertest(server).get('/v1/things');
      const underWay = [get(), get()].map((request) => request.then(({ status }) => status));
      while (begun < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      const { body, headers } = await get().expect(503);
      expect(body).toEqual({ statusCode: 503, message: 'Too many requests are in flight' });
      expect(headers['retry-after']).toBe('1');
      end();
      expect(await Promise.all(underWay)).toEqual([200, 200]);
      await get().expect(200);
    } finally {
      server.close();
    }
  });

  it('is limited for each caller, after authentication', async () => {
    const seen: string[] = [];
    const app = appOf([routeOf({ access: { merchant: 'charges.read' } })], {
      limitRequests: async (callerId) => {
        seen.push(callerId);
        throw new GatewayError(429, 'Too many requests', { headers: { 'Retry-After': '2' } });
      },
    });
    await supertest(app).get('/v1/things').expect(401);
    expect(seen).toEqual([]);
    await supertest(app).get('/v1/things').set('authorization', 'merchant').expect(429);
    expect(seen).toEqual(['key_1']);
  });
});

describe('the id of a request', () => {
  const id = '0192f0c1-5a5b-7c3d-8e4f-9a0b1c2d3e4f';
  const idOf = async (given: string) =>
    (
      await supertest(appOf([routeOf()]))
        .get('/v1/things')
        .set('X-Request-Id', given)
    ).headers['x-request-id'];

  it.each([id, 'a', '1-67891233.abc_DEF', 'x'.repeat(128)])(
    'is that of the caller where it has 1 to 128 plain characters: %s',
    async (given) => {
      expect(await idOf(given)).toBe(given);
    },
  );

  it.each(['', 'x'.repeat(129), 'a b', '{"a":1}', '../../etc', 'order.4242-4242-4242-4242'])(
    'is one of the gateway otherwise: %s',
    async (given) => {
      const own = await idOf(given);
      expect(own).toMatch(/^[0-9a-f-]{36}$/);
      expect(own).not.toBe(given);
    },
  );
});

describe('a request for CSV', () => {
  const csv = { 200: { description: 'A table.', otherTypes: ['text/csv'] } };
  const app = appOf([
    routeOf(),
    routeOf({ path: '/v1/tables', responses: csv }),
    routeOf({ path: '/v1/changes', method: 'post' }),
  ]);
  const asked = (path: string, accept: string) => supertest(app).get(path).set('Accept', accept);

  it('is refused where the answer is JSON only, and never answered with JSON', async () => {
    const { body } = await asked('/v1/things', 'text/csv').expect(406);
    expect(body).toEqual({ statusCode: 406, message: 'There is no CSV of this answer' });
    await asked('/v1/things', 'text/csv; charset=utf-8').expect(406);
  });

  it.each([
    'text/csv, application/json;q=0.1',
    'text/csv, */*',
    '*/*',
    'text/html',
    'application/problem+json',
  ])('may take JSON: %s', (accept) => asked('/v1/things', accept).expect(200));

  it('reaches what has CSV, and commands', async () => {
    await asked('/v1/tables', 'text/csv').expect(200);
    await supertest(app).post('/v1/changes').set('Accept', 'text/csv').send({}).expect(200);
  });
});

describe('an error as problem details', () => {
  const refused = () => failing(new GatewayError(422, 'Too late', { code: 'TOO_LATE' }));

  it('has its facts where the request prefers that', async () => {
    const response = await refused().set('Accept', 'application/problem+json').expect(422);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(response.text)).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Too late',
      code: 'TOO_LATE',
    });
  });

  it.each(['*/*', 'application/json', 'application/json, application/problem+json;q=0.5'])(
    'is JSON as ever otherwise: %s',
    async (accept) => {
      const { body } = await refused()
        .set('Accept', accept)
        .expect('Content-Type', /^application\/json/);
      expect(body).toEqual({ statusCode: 422, message: 'Too late', code: 'TOO_LATE' });
    },
  );
});

describe('a route for public keys', () => {
  const app = appOf([
    routeOf({ access: { merchant: 'any', publicKey: true } }),
    routeOf({ path: '/v1/others' }),
  ]);

  it('may be read by pages of any origin, errors included', async () => {
    await supertest(app).get('/v1/things').expect(401).expect('Access-Control-Allow-Origin', '*');
    const { headers } = await supertest(app).options('/v1/things').expect(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Authorization, X-Request-Id',
    });
  });

  it('is the only one that may', async () => {
    const { headers } = await supertest(app).get('/v1/others').expect(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    await supertest(app).options('/v1/others').expect(405);
  });
});

describe('a query that prefers the latest', () => {
  const seen: (string | null)[] = [];
  const handle = async (request: RouteRequest): Promise<Reply> => {
    seen.push(consistencyTokenOf(request));
    return { status: 200 };
  };
  const app = appOf([routeOf({ consistent: true, handle })]);

  it.each([
    ['consistency=latest', 'latest'],
    ['respond-async, Consistency="latest"; x=1', 'latest'],
    ['consistency=eventual', null],
    ['respond-async', null],
  ])('waits: %s', async (prefer, token) => {
    const { headers } = await supertest(app).get('/v1/things').set('Prefer', prefer).expect(200);
    expect(seen.at(-1)).toBe(token);
    expect(headers['preference-applied']).toBe(token === null ? undefined : 'consistency=latest');
  });

  it.each([
    ['of a merchant whose setting says so', 'merchant', 'latest'],
    ['of an operator', 'operator', null],
  ])('waits without a header: %s', async (_, caller, token) => {
    const access = { merchant: 'any', operator: 'any' } as const;
    const list = routeOf({ consistent: true, access, handle });
    const asked = supertest(appOf([list], { readsOwnWrites: async (id) => id === merchant.merchantId }));
    await asked.get('/v1/things').set('Authorization', caller).expect(200);
    expect(seen.at(-1)).toBe(token);
  });

  it('gets a 503 in time where the setting of its merchant cannot be read', async () => {
    const list = routeOf({ consistent: true, access: { merchant: 'any' }, handle });
    const options = { readsOwnWrites: () => new Promise<never>(() => undefined), readWithinMs: 20 };
    await supertest(appOf([list], options))
      .get('/v1/things')
      .set('Authorization', 'merchant')
      .expect(503);
  });

  it('goes by its token where it sends one, too', async () => {
    const token = '0'.repeat(32);
    const request = supertest(app).get('/v1/things').set('X-Consistency-Token', token);
    const { headers } = await request.set('Prefer', 'consistency=latest').expect(200);
    expect(seen.at(-1)).toBe(token);
    expect(headers).not.toHaveProperty('preference-applied');
  });
});

it('names no trace where nothing is traced', async () => {
  const request = supertest(appOf([routeOf()])).get('/v1/things');
  const { headers } = await request
    .set('traceparent', `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`)
    .expect(200);
  expect(headers).not.toHaveProperty('x-trace-id');
});

describe('a deprecated operation', () => {
  const deprecated = { since: '2026-11-01', sunset: '2027-11-01', insteadUse: 'doThingBetter' };
  const app = appOf([
    routeOf({ deprecated, access: { merchant: 'any' } }),
    routeOf({ method: 'post', access: { merchant: 'any' } }),
  ]);

  it.each([
    ['merchant', 200],
    ['nobody', 401],
  ])('says so on every answer: to a %s', async (caller, status) => {
    const { headers } = await supertest(app).get('/v1/things').set('Authorization', caller).expect(status);
    expect(headers.deprecation).toBe('@1793491200');
    expect(headers.sunset).toBe('Mon, 01 Nov 2027 00:00:00 GMT');
  });

  it('speaks for itself only', async () => {
    const { headers } = await supertest(app).post('/v1/things').set('Authorization', 'merchant').expect(200);
    expect(headers).not.toHaveProperty('deprecation');
  });
});

describe('requests that are noted', () => {
  const noted: EndedRequest[] = [];
  const app = appOf(
    [
      routeOf({ path: '/v1/things/{id}', access: { merchant: 'charges.read' } }),
      routeOf({
        method: 'post',
        access: { merchant: 'charges.read' },
        body: Joi.object({ a: Joi.number() }),
        handle: () => Promise.reject(new GatewayError(422, 'no', { code: 'NO' })),
      }),
    ],
    { noteRequest: (ended) => noted.push(ended) },
  );
  beforeEach(() => noted.splice(0));
  const untilNoted = async (count: number): Promise<void> => {
    while (noted.length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('have their caller, the path of their route and the answer', async () => {
    await supertest(app).get('/v1/things/a').set('Authorization', 'merchant').expect(200);
    await untilNoted(1);
    expect(noted).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/v1/things/{id}',
        params: { id: 'a' },
        status: 200,
        error: null,
        body: undefined,
      }),
    ]);
  });

  it('have the body and the error of one that is refused', async () => {
    await supertest(app).post('/v1/things').set('Authorization', 'merchant').send({ a: 1 }).expect(422);
    await untilNoted(1);
    expect(noted[0]).toMatchObject({ status: 422, error: { code: 'NO' }, body: { a: 1 } });
  });

  it('are none without a known caller', async () => {
    await supertest(app).get('/v1/things/a').expect(401);
    await supertest(app).get('/v1/things/b').set('Authorization', 'merchant').expect(200);
    await untilNoted(1);
    expect(noted.map(({ params }) => params.id)).toEqual(['b']);
  });
});

it('a document is streamed as it is to a client that accepts compression', async () => {
  const content = Buffer.alloc(5_000, 'a page of a document ');
  const headers = { 'Content-Type': 'application/pdf', 'Content-Length': String(content.length) };
  const app = appOf([
    routeOf({
      access: { merchant: 'any' },
      handle: async () => ({ status: 200, headers, stream: Readable.from([content]) }),
    }),
  ]);
  const answer = await supertest(app)
    .get('/v1/things')
    .set('Authorization', 'merchant')
    .buffer(true)
    .expect(200);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.headers['content-length']).toBe('5000');
});
