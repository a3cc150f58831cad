import fc from 'fast-check';
import type { Response } from 'supertest';
import { aCardRequest, aPayoutFee, aPixRequest, aSpreadFee } from '../builders.ts';
import { anyJson, anyQuery, brokenBodyOf } from '../support/bad-values.ts';
import type { Method } from '../support/call.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);
jest.setTimeout(600_000);

let merchant: TestMerchant;
let client: Client;
let admin: Client;
let chargeId: string;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
  admin = await operator(gateway);
  chargeId = (await client.post('/v1/charges', aCardRequest()).expect(201)).body.id;
});

/** Everything that a request could have written. */
const written = async (): Promise<string> => {
  const counts = await Promise.all(
    ['domain_events', 'journals', 'simulator_payments', 'simulator_refunds'].map(async (name) => {
      const count = await gateway().db.collection(name).countDocuments({});
      return `${count} in ${name}`;
    }),
  );
  return counts.join(', ');
};

/** Rules for every answer, whatever a client sends. */
const expectAnswer = ({ status, body, text }: Response): void => {
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  expect({ text, body }).toEqual({
    text,
    body: expect.objectContaining({ statusCode: status, message: expect.any(String) }),
  });
  expect(body.message).not.toBe('');
};

const sendJson = async (by: Client, method: Method, path: string, json: string): Promise<Response> =>
  by.call(method, path).type('json').send(json);

const ROUTES: readonly {
  readonly method: Method;
  readonly path: string;
  readonly valid: () => object;
  readonly by: () => Client;
}[] = [
  {
    method: 'post',
    path: '/v1/charges',
    by: () => client,
    valid: () =>
      aCardRequest({
        items: [{ title: 'Café', type: 'product', description: 'x', unit_price: 1.5, quantity: 2 }],
        metadata: { order: 7 },
        postbackUrl: 'https://example.test/',
        reference: 'order-7',
        split: [],
      }),
  },
  {
    method: 'post',
    path: '/v1/charges',
    by: () => client,
    valid: () => aPixRequest({ metadata: { order: 7 } }),
  },
  { method: 'post', path: '/v1/refunds', by: () => client, valid: () => ({ chargeId, reason: 'sent back' }) },
  {
    method: 'post',
    path: '/v1/admin/merchants',
    by: () => admin,
    valid: () => ({
      legalName: 'Loja',
      email: 'loja@example.test',
      companyTaxId: '11222333000181',
      role: 'Merchant',
      timeZone: 'UTC',
    }),
  },
  {
    method: 'put',
    path: '/v1/admin/merchants/{id}/fee-definitions',
    by: () => admin,
    valid: () => [
      aSpreadFee({
        payment_method: 'pix',
        currency_code: 'EUR',
        definition: { fixed: 1, percentages: [1.5] },
      }),
      aPayoutFee(100, 1),
    ],
  },
  {
    method: 'post',
    path: '/v1/admin/groups',
    by: () => admin,
    valid: () => ({ name: 'readers', permissions: ['admin.charges.read'] }),
  },
];

describe('a body that is broken anywhere', () => {
  it.each(ROUTES)(
    'is answered by $method $path with its faults or as what it means, and changes nothing where it is refused',
    async ({ method, path, valid, by }) => {
      const target = path.replace('{id}', merchant.id);
      await fc.assert(
        fc.asyncProperty(fc.oneof({ weight: 5, arbitrary: brokenBodyOf(valid()) }, anyJson), async (json) => {
          const before = await written();
          const answer = await sendJson(by(), method, target, json);
          expectAnswer(answer);
          if (answer.status >= 400) expect(await written()).toBe(before);
        }),
        { numRuns: volume({ usual: 20, proof: 120 }) },
      );
    },
  );

  it.each([
    ['that ends too early', '{"amount":', 400],
    ['that goes on after its end', '{} {}', 400],
    ['of a NUL character', '\u0000', 400],
    ['of nothing but a byte order mark', '\ufeff', 400],
    ['of more than 256 KiB', JSON.stringify({ metadata: 'x'.repeat(262_144) }), 413],
  ])('%s is refused', async (_, json, status) => {
    const before = await written();
    const answer = await sendJson(client, 'post', '/v1/charges', json);
    expectAnswer(answer);
    expect(answer.status).toBe(status);
    expect(await written()).toBe(before);
  });

  it('of bytes that are no UTF-8 is refused', async () => {
    const answer = await client
      .post('/v1/charges')
      .type('json')
      .send(Buffer.from([0x22, 0xc3, 0x28, 0x22]) as unknown as string);
    expectAnswer(answer);
    expect(answer.status).toBe(400);
  });

  it('leaves every other charge as it can be read and listed', async () => {
    const { body } = await client.getAfter('latest', '/v1/charges?size=100');
    for (const listed of body.data.slice(0, 20)) await client.get(`/v1/charges/${listed.id}`).expect(200);
  });
});

describe('a query string that may be anything', () => {
  const PAGE = ['page', 'size', 'orderBy'];
  const range = (name: string) => [
    name,
    ...['gte', 'gt', 'lte', 'lt'].map((operator) => `${name}[${operator}]`),
  ];

  it.each([
    [
      '/v1/charges',
      [
        ...[...PAGE, 'status', 'merchantId', 'reference', 'currency', 'paymentMethod', 'customerEmail'],
        ...[
          'customerDocument',
          'pspRefId',
          'q',
          ...range('amount'),
          ...range('createdAt'),
          ...range('paidAt'),
        ],
      ],
    ],
    ['/v1/refunds', [...PAGE, 'chargeId', 'status', ...range('createdAt')]],
    ['/v1/balance', ['currency', 'page']],
    [`/v1/charges/chg_1`, ['id', 'expand']],
  ])('of %s is answered with a page or with its faults', async (path, names) => {
    await fc.assert(
      fc.asyncProperty(anyQuery(names), async (query) => {
        expectAnswer(await client.get(`${path}?${query}`));
      }),
      { numRuns: volume({ usual: 25, proof: 150 }) },
    );
  });
});

describe('a path or header that may be anything', () => {
  const segment = fc.oneof(
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .map((value) => encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '?'))),
    fc.constantFrom(
      '%00',
      '%',
      '%zz',
      '%ff',
      '..%2f..',
      '%2e%2e',
      '$where',
      '__proto__',
      'chg_%00',
      'x'.repeat(4_000),
    ),
  );

  it('is answered, whatever id it has', async () => {
    const paths = fc.constantFrom(
      '/v1/charges/',
      '/v1/refunds/',
      '/v1/admin/merchants/',
      '/v1/test-helpers/charges/',
    );
    await fc.assert(
      fc.asyncProperty(paths, segment, async (path, id) => {
        const before = await written();
        const isHelper = path.includes('test-helpers');
        const answer = await (isHelper ? client.post(`${path}${id}/pay`) : client.get(`${path}${id}`));
        expectAnswer(answer);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(await written()).toBe(before);
      }),
      { numRuns: volume({ usual: 20, proof: 100 }) },
    );
  });

  it('is 401 for any credentials but the right ones', async () => {
    const header = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((value) => `Basic ${value}`),
      fc.string({ maxLength: 60 }).map((value) => `Basic ${Buffer.from(value).toString('base64')}`),
      fc
        .string({ maxLength: 20 })
        .map((value) => `Basic ${Buffer.from(`${merchant.testKey}:${value}x`).toString('base64')}`),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((value) => `Bearer ${value}`),
      fc.base64String({ maxLength: 200 }).map((value) => `Bearer ${value}.${value}.${value}`),
      fc.constantFrom(
        '',
        'Basic',
        'Bearer',
        'Basic ',
        'Digest x',
        `Basic ${merchant.testKey}`,
        `Bearer ${merchant.testKey}x`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(header, async (authorization) => {
        const answer = await gateway().call('get', '/v1/charges').set('Authorization', authorization);
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 401,
          body: {
            statusCode: 401,
            message: 'Unauthorized',
            code: expect.stringMatching(/^CREDENTIALS_(MISSING|MALFORMED|INVALID)$/),
          },
        });
      }),
      { numRuns: volume({ usual: 25, proof: 150 }) },
    );
  });
});
