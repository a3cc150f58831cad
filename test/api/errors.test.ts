import type { AddressInfo, Server } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Test } from 'supertest';
import { aCardRequest } from '../builders.ts';
import { callAt, type Method } from '../support/call.ts';
import { PATIENT } from '../support/client.ts';
import { startTestGateway, type TestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import type { OpenApiDocument } from '../support/openapi-check.ts';
import { tokenOfPerson } from '../support/people.ts';
import { PRODUCTION } from '../support/production.ts';

const gateway = useGateway(PATIENT);
let merchant: TestMerchant;
let operations: readonly { readonly method: Method; readonly path: string; readonly isOpen: boolean }[];
let methodsByPath: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  const document: OpenApiDocument = (await gateway().call('get', '/v1/openapi.json')).body;
  const named = Object.entries(document.paths).map(
    ([path, of]) => [path.replaceAll(/\{\w+\}/g, 'unknown'), of] as const,
  );
  operations = named.flatMap(([path, of]) =>
    Object.entries(of).map(([method, operation]) => ({
      method: method as Method,
      path,
      isOpen: (operation as unknown as { security: readonly object[] }).security.length === 0,
    })),
  );
  methodsByPath = new Map(named.map(([path, of]) => [path, Object.keys(of)]));
});

const asMerchant = (method: Method, path: string): Test =>
  gateway().call(method, path).auth(merchant.testKey, '');

/** A request whose body is sent as it is, whatever its type says. */
const raw = (body: string | Buffer, type: string): Test =>
  asMerchant('post', '/v1/charges')
    .set('Content-Type', type)
    .serialize((data) => data)
    .send(body);

describe('the message about a fault', () => {
  const customer = { name: 'Ana', email: 'ana@example.test' };

  it.each<[string, object, string]>([
    ['currency', { currency: 'brl' }, 'an ISO 4217 code in upper case, such as BRL'],
    [
      'customer.document',
      { customer: { ...customer, document: '52998224725' } },
      'an object with type and id, such as cpf and 52998224725',
    ],
    ['customer.address', { customer: { ...customer, address: 'BR' } }, 'an object with country, such as BR'],
    [
      'items.0.price',
      { items: [{ title: 'Bread', price: 1 }] },
      'allowed are title, type, description, unit_price, quantity',
    ],
    ['metadata.cvvResult', { metadata: { cvvResult: 'M' } }, 'call a result of its check otherwise'],
    ['metadata.balance', { metadata: { balance: -0 } }, 'cannot be kept exactly'],
  ])('of %s says what is expected there', async (path, changes, words) => {
    // A test's own writer of JSON would lose the sign of -0.
    const text = JSON.stringify({ ...aCardRequest(), ...changes }, (_, value) =>
      Object.is(value, -0) ? '-0' : value,
    ).replace('"-0"', '-0');
    const { body } = await raw(text, 'application/json').expect(400);
    const code = path === 'metadata.cvvResult' ? 'CARD_NUMBER_FOUND' : 'VALIDATION_FAILED';
    expect(body).toMatchObject({ code, errors: [{ path }] });
    expect(body.message).toContain(words);
  });
});

describe('a route that is not there', () => {
  it.each([
    '/v1',
    '/v1/nothing',
    '/v2/charges',
    '/V1/charges',
    '/v1/charges/',
    '//v1//charges',
    '/v1/Charges',
  ])('is 404: %s', async (path) => {
    const { body } = await asMerchant('get', path).expect(404);
    expect(body).toEqual({ statusCode: 404, message: 'Route not found', code: 'NOT_FOUND' });
  });

  it('is 405 where only the method is wrong, with those that are right', async () => {
    expect(methodsByPath.size).toBeGreaterThan(10);
    for (const [path, methods] of methodsByPath) {
      const wrong = (['get', 'post', 'put', 'patch', 'delete'] as const).find(
        (method) => !methods.includes(method),
      );
      if (!wrong) continue;
      const { body, headers } = await gateway().call(wrong, path).expect(405);
      expect(body).toEqual({ statusCode: 405, message: 'Method not allowed' });
      const allowed = methods.flatMap((method) =>
        method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
      );
      expect([path, String(headers.allow).split(', ').sort()]).toEqual([path, allowed.sort()]);
    }
  });

  it.each(['/v1/charges/%', '/v1/charges/%ff', '/%zz', '/v1/charges?status=%e0%a4%a'])(
    'is 400 where its URL cannot be decoded: %s',
    async (path) => {
      expect((await asMerchant('get', path).expect(400)).body.statusCode).toBe(400);
    },
  );
});

describe('a request without the right credentials', () => {
  it('is 401 on every route, with the schemes that are possible', async () => {
    for (const { method, path } of operations.filter(({ isOpen }) => !isOpen)) {
      const { body, headers } = await gateway().call(method, path).send().expect(401);
      expect([path, body]).toEqual([path, unauthorized('CREDENTIALS_MISSING')]);
      expect(headers['www-authenticate']).toMatch(/Basic realm="[^"]+".*Bearer realm="[^"]+"/);
    }
  });

  const unauthorized = (code: string) => ({ statusCode: 401, message: 'Unauthorized', code });
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  it.each<readonly [string, string, (key: string) => string]>([
    ['MISSING', 'nothing', () => ''],
    ['MALFORMED', 'the key alone', (key) => key],
    ['MALFORMED', 'a scheme alone', () => 'Basic'],
    ['MALFORMED', 'no Base64', () => 'Basic ###'],
    ['INVALID', 'empty credentials', () => `Basic ${encode(':')}`],
    ['MALFORMED', 'a key without its colon', (key) => `Basic ${encode(key)}`],
    ['INVALID', 'a key with a password', (key) => `Basic ${encode(`${key}:password`)}`],
    ['INVALID', 'a key as the password', (key) => `Basic ${encode(`:${key}`)}`],
    ['INVALID', 'a key that nobody has', () => `Basic ${encode(`sk_test_${'0'.repeat(40)}:`)}`],
    ['INVALID', 'a key in the wrong case', (key) => `Basic ${encode(`${key.toUpperCase()}:`)}`],
    ['INVALID', 'a key and a line feed', (key) => `Basic ${encode(`${key}\n:`)}`],
    ['INVALID', 'a key that nobody has, as a token', (key) => `Bearer ${key.slice(0, -4)}AAAA`],
    ['MALFORMED', 'no token', () => 'Bearer '],
    ['INVALID', 'a token that is none', () => 'Bearer a.b.c'],
    [
      'INVALID',
      'a token that is signed by nobody',
      () => `Bearer ${encode('{"alg":"none"}')}.${encode('{"sub":"usr_1"}')}.`,
    ],
    ['MALFORMED', 'another scheme', (key) => `Digest ${encode(`${key}:`)}`],
    ['MALFORMED', 'two schemes', (key) => `Basic ${encode(`${key}:`)}, Bearer x`],
  ])('is 401 CREDENTIALS_%s: %s', async (fault, _name, header) => {
    const request = gateway().call('get', '/v1/charges').set('Authorization', header(merchant.testKey));
    const { body } = await request.expect(401).expect('WWW-Authenticate', /Basic/);
    expect(body).toEqual(unauthorized(`CREDENTIALS_${fault}`));
  });

  it('does not get in by the names of its headers and parameters', async () => {
    await gateway()
      .call('get', `/v1/charges?access_token=${await gateway().operatorToken()}`)
      .expect(401);
  });

  it('is 403 with a public key', async () => {
    const { body } = await gateway().call('get', '/v1/charges').auth(merchant.publicKey, '').expect(403);
    expect(body).toEqual({ statusCode: 403, message: 'Forbidden', code: 'SECRET_KEY_REQUIRED' });
  });
});

describe('a request whose address and headers are too long', () => {
  it.each<[string, () => Test]>([
    ['a header', () => asMerchant('get', '/v1/charges').set('X-Long', 'x'.repeat(20_000))],
    ['a query', () => asMerchant('get', `/v1/charges?reference=${'x'.repeat(20_000)}`)],
    ['an id', () => asMerchant('get', `/v1/charges/${'x'.repeat(20_000)}`)],
    ['an unknown path', () => asMerchant('get', `/v1/${'x'.repeat(20_000)}`)],
  ])('is 431 as the document describes it: %s', async (_, send) => {
    const { body } = await send().expect(431);
    expect(body).toEqual({ statusCode: 431, message: 'Request Header Fields Too Large' });
  });
});

/** Sellers register addresses with parameters of their own at Mercado Pago, which sends them along. */
const TAKES_ANY_PARAMETER = '/v1/providers/unknown/notifications';

describe('a query', () => {
  it('is 400 on every route where it has a parameter that the route does not know', async () => {
    const token = await gateway().operatorToken('test');
    const person = await tokenOfPerson(gateway(), merchant.id);
    for (const { method, path, isOpen } of operations.filter(({ path }) => path !== TAKES_ANY_PARAMETER)) {
      const url = `${path}?nonsense=1`;
      const attempts = [
        () => gateway().call(method, url).auth(token, { type: 'bearer' }).send(),
        () => asMerchant(method, url).send(),
        () => gateway().call(method, url).auth(person, { type: 'bearer' }).send(),
      ];
      const answers = isOpen
        ? [await gateway().call(method, url).send()]
        : await Promise.all(attempts.map((go) => go()));
      const admitted = answers.filter(({ status }) => status !== 401 && status !== 403);
      expect([url, admitted.length > 0]).toEqual([url, true]);
      for (const { status, body } of admitted) {
        expect([url, status]).toEqual([url, 400]);
        expect(body.errors).toContainEqual({ path: 'nonsense', message: 'nonsense is not allowed' });
      }
    }
  });

  it.each([
    ['page=1&page=2', 'page'],
    ['status=paid&status=paid', 'status'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=ten', 'page'],
    ['page=', 'page'],
    ['page=9007199254740993', 'page'],
    ['size=101', 'size'],
    ['status=unknown', 'status'],
    ['status[]=paid', 'status[]'],
    ['createdAt=yesterday', 'createdAt'],
    ['createdAt[gte]=2026-02-30', 'createdAt[gte]'],
    ['orderBy=nothing', 'orderBy'],
    ['orderBy=amount,,id', 'orderBy'],
    ['orderBy=amount,-amount', 'orderBy'],
    ['__proto__=1', '__proto__'],
  ])('is 400 with the name of the parameter at fault: %s', async (query, path) => {
    const { body } = await asMerchant('get', `/v1/charges?${query}`).expect(400);
    expect(body.errors).toEqual([{ path, message: expect.any(String) }]);
    expect(body.message).toContain(path);
  });
});

describe('a body', () => {
  it.each(['{', '{"amount":10,}', "{'a':1}", '[', '\ufffe'])(
    'is 400 where it is no JSON: %s',
    async (body) => {
      expect((await raw(body, 'application/json').expect(400)).body).toEqual({
        statusCode: 400,
        message: 'The body is not valid JSON',
        code: 'VALIDATION_FAILED',
        errors: [{ path: '', message: 'The body is not valid JSON' }],
      });
    },
  );

  it.each(['[]', 'null', '1', '"text"', '{}'])(
    'is 400 where it is not what the route takes: %s',
    async (body) => {
      expect((await raw(body, 'application/json').expect(400)).body.errors.length).toBeGreaterThan(0);
    },
  );

  it('is 400 with the path of each fault, and without the values', async () => {
    const pan = '4242424242424241';
    const { body } = await asMerchant('post', '/v1/charges')
      .send({
        amount: '10',
        currency: pan,
        customer: { name: 'Ana', email: pan, nickname: 'A' },
        paymentMethod: { type: 'credit_card', installments: 1, number: `${pan} `, cvv: pan, holderName: 7 },
      })
      .expect(400);
    const paths = body.errors.map((fault: { path: string }) => fault.path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'amount',
        'currency',
        'customer.email',
        'customer.nickname',
        'paymentMethod.cvv',
      ]),
    );
    expect(JSON.stringify(body)).not.toContain(pan);
  });

  it('is 400 with a member that would become a prototype', async () => {
    const { body } = await raw('{"__proto__":{"amount":10}}', 'application/json').expect(400);
    expect(body.message).toBe('__proto__ is not allowed');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json; charset=latin1',
  ])('is 415 where its type is not JSON in UTF-8: %s', async (type) => {
    expect((await raw('{}', type).expect(415)).body.statusCode).toBe(415);
  });

  it('is 413 beyond 256 KiB, compressed or not', async () => {
    const large = JSON.stringify({ metadata: { text: '0'.repeat(256 * 1024) } });
    expect((await raw(large, 'application/json').expect(413)).body.statusCode).toBe(413);
    await raw(gzipSync(large), 'application/json').set('Content-Encoding', 'gzip').expect(413);
  });

  it('is not looked at before its sender is known', async () => {
    const request = gateway().call('post', '/v1/charges').set('Content-Type', 'application/json');
    await request
      .serialize((data) => data)
      .send('{')
      .expect(401);
  });
});

describe('a resource that somebody else has, or nobody,', () => {
  it('is 404 by the name of the resource', async () => {
    const unknown = `chg_${'0'.repeat(32)}`;
    for (const id of [unknown, 'x', '%00', '%F0%9F%98%80', '$ne', 'a'.repeat(2_000)]) {
      const { body } = await asMerchant('get', `/v1/charges/${id}`).expect(404);
      expect(body).toEqual({ statusCode: 404, message: 'Charge not found', code: 'NOT_FOUND' });
    }
  });
});

describe('in production', () => {
  /** On the same stores, for what production gives to nobody without a second factor. */
  let beside: TestGateway;
  let production: TestGateway;
  beforeAll(async () => {
    const { JWT_SECRET, SECRETS_KEY, KEY_PEPPER } = PRODUCTION;
    beside = await startTestGateway({ JWT_SECRET, SECRETS_KEY, KEY_PEPPER });
    const variables = { ...beside.variables, ...PRODUCTION, PORT: '0', LOG_LEVEL: 'silent', ROLE: 'api' };
    production = await startTestGateway(variables);
  }, 180_000);
  afterAll(async () => {
    await production?.stop({ keepData: true });
    await beside?.stop();
  }, 30_000);
  const get = (path: string): Test => callAt(production.url, 'get', path);

  it.each(['/v1/charges', '/v1/nothing', '/docs', '/metrics', '/v1/openapi.json', '/%'])(
    'a request without TLS is 403, whatever else is wrong with it: %s',
    async (path) => {
      const { body, headers } = await get(path).set('Authorization', 'Basic ###').expect(403);
      expect(body).toEqual({ statusCode: 403, message: 'Forbidden', code: 'TLS_REQUIRED' });
      expect(headers['x-request-id']).toBeTruthy();
    },
  );

  it('health needs no TLS', async () => {
    await get('/health/live').expect(200);
    await get('/health/ready').expect(200);
  });

  it('a trusted proxy can say that the request came over TLS', async () => {
    await get('/v1/charges').set('X-Forwarded-Proto', 'https').expect(401);
    await get('/v1/charges').set('X-Forwarded-Proto', 'http').expect(403);
    await get('/v1/charges').set('X-Forwarded-Proto', 'https, http').expect(403);
  });

  it('a live charge is refused until there is a provider, and a test charge is not', async () => {
    const { liveKey, testKey } = await beside.createMerchant();
    const charge = (key: string): Test =>
      callAt(production.url, 'post', '/v1/charges')
        .set('X-Forwarded-Proto', 'https')
        .auth(key, '')
        .send(aCardRequest());
    const { body } = await charge(liveKey).expect(422);
    expect(body).toEqual({
      statusCode: 422,
      message: 'No payment provider is configured',
      code: 'PROVIDER_NOT_CONFIGURED',
    });
    await charge(testKey).expect(201);
  });
});

describe('a store that is down', () => {
  const NOBODY = '127.0.0.1:1';

  it('is 503 for what needs the read store, and for nothing else', async () => {
    const without = await startTestGateway({ ELASTICSEARCH_NODE: `http://${NOBODY}`, ROLE: 'api' });
    try {
      const { testKey } = await without.createMerchant();
      const { body } = await without
        .call('get', '/v1/charges')
        .auth(testKey, '')
        .expect(503)
        .expect('Retry-After', /^\d+$/);
      expect(body).toEqual({ statusCode: 503, message: expect.any(String) });
      await without.call('get', '/v1/charges/unknown').auth(testKey, '').expect(404);
      const { body: health } = await without.call('get', '/health/ready').expect(200);
      expect(health).toMatchObject({ status: 'degraded', stores: { elasticsearch: { status: 'degraded' } } });
    } finally {
      await without.stop();
    }
  }, 180_000);

  it('hinders nobody where it is Redis', async () => {
    const without = await startTestGateway({ REDIS_URL: `redis://${NOBODY}`, ROLE: 'api' });
    try {
      const { testKey } = await without.createMerchant();
      await without.call('get', '/v1/charges/unknown').auth(testKey, '').expect(404);
      const { body } = await without.call('get', '/health/ready').expect(200);
      expect(body).toMatchObject({ status: 'degraded', stores: { redis: { status: 'degraded' } } });
    } finally {
      await without.stop();
    }
  }, 180_000);

  it('is 503 where it is the write store, until that is back', async () => {
    const mongodb = await startCable(process.env.MONGODB_URI ?? '');
    const without = await startTestGateway({ MONGODB_URI: mongodb.uri, ROLE: 'api' });
    try {
      const { testKey } = await without.createMerchant();
      mongodb.cut();
      const { body } = await without
        .call('get', '/v1/charges/unknown')
        .auth(testKey, '')
        .expect(503)
        .expect('Retry-After', /^\d+$/);
      expect(body).toEqual({ statusCode: 503, message: expect.any(String) });
      await without.call('get', '/health/live').expect(200);
      const { body: health } = await without.call('get', '/health/ready').expect(503);
      expect(health).toMatchObject({ status: 'unavailable', stores: { mongodb: { status: 'degraded' } } });
      mongodb.mend();
      await until(
        async () => (await without.call('get', '/v1/charges/unknown').auth(testKey, '')).status === 404,
      );
      await without.call('get', '/health/ready').expect(200);
    } finally {
      mongodb.mend();
      await without.stop();
      mongodb.close();
    }
  }, 180_000);
});

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it did not happen within 20 seconds');
  }
};

/** A way to a server that can be cut and mended. */
const startCable = async (uri: string) => {
  const [, host = '', port = ''] = /\/\/(?:[^@/]*@)?([^:/,]+):(\d+)/.exec(uri) ?? [];
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    uri: uri.replace(`${host}:${port}`, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      isCut = false;
    },
    close(): void {
      server.close();
    },
  };
};
