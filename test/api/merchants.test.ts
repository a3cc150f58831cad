import type { Response } from 'supertest';
import * as platform from '../../src/platform/platform.module.ts';
import { unseal } from '../../src/platform/secrets.ts';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { aPayoutFee, aSpreadFee } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const UNKNOWN = `mer_${'0'.repeat(32)}`;
const FIELDS = { legalName: 'Loja Exemplo Ltda', email: 'loja@example.test', role: 'Merchant' };
const PERMISSIONS = [
  'charges.create',
  'charges.read',
  'refunds.create',
  'statement.read',
  'submerchants.manage',
  'payouts.create',
  'payouts.read',
  'fees.read',
  'anticipations.create',
  'webhooks.manage',
  'customers.manage',
  'payment_methods.manage',
  'subscriptions.manage',
  'checkout.manage',
  'disputes.manage',
  'keys.manage',
  'users.manage',
];

/** The answer to a call of the operator, whatever its status. */
const admin = async (method: Method, path: string, body?: object): Promise<Response> => {
  const token = await gateway().operatorToken();
  const request = gateway().call(method, path).auth(token, { type: 'bearer' });
  return body === undefined ? request : request.send(body);
};
const createMerchant = async (fields: object = {}): Promise<string> =>
  (await admin('post', '/v1/admin/merchants', { ...FIELDS, ...fields })).body.id;
const refusal = (statusCode: number, fields: object = {}): object =>
  expect.objectContaining({ statusCode, ...fields });

describe('a merchant', () => {
  it('is created active, for both environments, with every permission', async () => {
    const { status, body } = await admin('post', '/v1/admin/merchants', {
      ...FIELDS,
      companyTaxId: '12.345.678/0001-95',
      role: 'MerchantMaster',
      timeZone: 'America/Sao_Paulo',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^mer_[0-9a-f]{32}$/),
      legalName: 'Loja Exemplo Ltda',
      email: 'loja@example.test',
      companyTaxId: '12345678000195',
      role: 'MerchantMaster',
      masterId: null,
      status: 'active',
      statusReason: null,
      livemode: null,
      permissions: PERMISSIONS,
      timeZone: 'America/Sao_Paulo',
      createdAt: body.updatedAt,
      updatedAt: expect.any(String),
    });
    expect((await admin('get', `/v1/admin/merchants/${body.id}`)).body).toEqual(body);
  });

  it('has no tax id and the time zone UTC where nothing else is said', async () => {
    const { body } = await admin('post', '/v1/admin/merchants', FIELDS);
    expect(body).toMatchObject({ companyTaxId: null, timeZone: 'UTC' });
  });

  it('keeps what a change does not name', async () => {
    const id = await createMerchant({ companyTaxId: '12345678909' });
    const changes = { email: 'new@example.test', permissions: ['charges.read'], companyTaxId: null };
    const { status, body } = await admin('patch', `/v1/admin/merchants/${id}`, changes);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...changes, legalName: FIELDS.legalName, role: 'Merchant' });
    expect((await admin('get', `/v1/admin/merchants/${id}`)).body).toEqual(body);
  });

  it.each<[string, object, string]>([
    ['no legal name', { legalName: undefined }, 'legalName'],
    ['an empty legal name', { legalName: '' }, 'legalName'],
    ['control characters in its name', { legalName: 'a\u0000b' }, 'legalName'],
    ['a broken e-mail address', { email: 'loja' }, 'email'],
    ['an unknown role', { role: 'Admin' }, 'role'],
    ['a tax id that is too short', { companyTaxId: '123' }, 'companyTaxId'],
    ['a tax id with wrong check digits', { companyTaxId: '12.345.678/0001-96' }, 'companyTaxId'],
    ['a tax id with letters', { companyTaxId: '12.345.678/0001-9X' }, 'companyTaxId'],
    ['a tax id that is a number', { companyTaxId: 12345678909 }, 'companyTaxId'],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a time zone that is an offset', { timeZone: '+03:00' }, 'timeZone'],
    ['a field that does not exist', { status: 'active' }, 'status'],
  ])('with %s is refused, and the field is named', async (_, fields, path) => {
    const { status, body } = await admin('post', '/v1/admin/merchants', { ...FIELDS, ...fields });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path, message: expect.stringContaining(path) }]);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['its id', { id: UNKNOWN }],
    ['its status without a reason', { status: 'blocked' }],
    ['a reason without a status', { reason: 'fraud' }],
    ['a status of sub-merchants', { status: 'rejected', reason: 'fraud' }],
    ['an unknown permission', { permissions: ['admin.users.update'] }],
    ['a permission twice', { permissions: ['charges.read', 'charges.read'] }],
    ['a null e-mail address', { email: null }],
  ])('cannot be changed in %s', async (_, changes) => {
    const id = await createMerchant();
    expect((await admin('patch', `/v1/admin/merchants/${id}`, changes)).status).toBe(400);
  });

  it.each<[Method, string, object | undefined]>([
    ['get', '', undefined],
    ['patch', '', { email: 'a@example.test' }],
    ['post', '/api-keys', { livemode: false }],
    ['get', '/api-keys', undefined],
    ['post', '/api-keys/key_1/roll', undefined],
    ['delete', '/api-keys/key_1', undefined],
    ['put', '/fee-definitions', []],
    ['get', '/fee-definitions', undefined],
  ])('that nobody knows is not found: %s %s', async (method, path, body) => {
    const answer = await admin(method, `/v1/admin/merchants/${UNKNOWN}${path}`, body);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ statusCode: 404, message: 'Merchant not found', code: 'NOT_FOUND' });
  });
});

describe('the list of merchants', () => {
  const list = async (query: string): Promise<Response> => {
    const token = await gateway().operatorToken();
    return gateway()
      .call('get', `/v1/admin/merchants?${query}`)
      .auth(token, { type: 'bearer' })
      .set('X-Consistency-Token', 'latest');
  };

  it('is paged, ordered and filtered', async () => {
    const companyTaxId = '98765432000198';
    for (const legalName of ['Beta', 'Alfa', 'Gama'])
      await createMerchant({ legalName, companyTaxId, email: `${legalName}@Lista.test` });
    const filter = 'companyTaxId=98.765.432/0001-98';
    const first = (await list(`${filter}&orderBy=legalName&size=2`)).body;
    expect(first).toMatchObject({ page: 1, pages: 2, total: 3, size: 2 });
    expect(first.data.map((merchant: { legalName: string }) => merchant.legalName)).toEqual(['Alfa', 'Beta']);
    const second = (await list(`${filter}&orderBy=legalName&size=2&page=2`)).body;
    expect(second.data).toEqual([expect.objectContaining({ legalName: 'Gama' })]);
    const newest = (await list(filter)).body.data;
    expect(newest.map((merchant: { legalName: string }) => merchant.legalName)).toEqual([
      'Gama',
      'Alfa',
      'Beta',
    ]);
    expect((await list('email=alfa@lista.test')).body.total).toBe(1);
    expect((await list(`${filter}&legalName=ALF`)).body.total).toBe(1);
    expect((await list(`${filter}&legalName=lfa`)).body.total).toBe(0);
    expect((await list(`${filter}&status=blocked`)).body.data).toEqual([]);
    expect((await list(`${filter}&createdAt[gte]=2020-01-01&role=Merchant`)).body.total).toBe(3);
  });

  it('shows a merchant as it is read by its id', async () => {
    const id = await createMerchant({ email: 'same@lista.test' });
    await admin('patch', `/v1/admin/merchants/${id}`, { legalName: 'Changed', permissions: [] });
    const { body } = await admin('get', `/v1/admin/merchants/${id}`);
    expect((await list('email=same@lista.test')).body.data).toEqual([body]);
  });

  it.each([
    'orderBy=permissions',
    'orderBy=email,email',
    'orderBy=',
    'size=101',
    'status=gone',
    'x=1',
    'role=a',
  ])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe('the administration of merchants', () => {
  it.each<[Method, string]>([
    ['post', '/v1/admin/merchants'],
    ['get', '/v1/admin/merchants'],
    ['get', `/v1/admin/merchants/${UNKNOWN}`],
    ['patch', `/v1/admin/merchants/${UNKNOWN}`],
    ['post', `/v1/admin/merchants/${UNKNOWN}/api-keys`],
    ['get', `/v1/admin/merchants/${UNKNOWN}/api-keys`],
    ['put', `/v1/admin/merchants/${UNKNOWN}/fee-definitions`],
  ])('is nothing for a merchant, nor for nobody: %s %s', async (method, path) => {
    const { testKey } = await gateway().createMerchant();
    expect((await gateway().call(method, path).auth(testKey, '')).body).toEqual({
      statusCode: 403,
      message: 'Forbidden',
      code: 'OPERATORS_ONLY',
    });
    const unknown = await gateway().call(method, path);
    expect(unknown.body).toEqual({
      statusCode: 401,
      message: 'Unauthorized',
      code: 'CREDENTIALS_MISSING',
    });
    expect(unknown.headers['www-authenticate']).toContain('Bearer');
  });

  it('works whatever the environment of the token', async () => {
    const id = await createMerchant();
    const token = await gateway().operatorToken('test');
    const { status, body } = await gateway()
      .call('post', `/v1/admin/merchants/${id}/api-keys`)
      .auth(token, { type: 'bearer' })
      .send({ livemode: true });
    expect(status).toBe(201);
    expect(body.livemode).toBe(true);
  });
});

const UNRESTRICTED = { description: null, permissions: null, allowedNetworks: [], expiresAt: null };

describe('an API key', () => {
  const keysOf = (id: string): string => `/v1/admin/merchants/${id}/api-keys`;
  /** 403: known, but no operator. 401: not known. */
  const statusWith = async (key: string): Promise<number> =>
    (await gateway().call('get', '/v1/admin/merchants').auth(key, '')).status;

  it.each([
    [false, 'test'],
    [true, 'live'],
  ])('is shown once, when it is created (livemode %s)', async (livemode, environment) => {
    const id = await createMerchant();
    const { status, body } = await admin('post', keysOf(id), { livemode });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_/),
      publicKey: expect.stringMatching(new RegExp(`^pk_${environment}_[0-9A-Za-z]{32}$`)),
      secretKey: expect.stringMatching(new RegExp(`^sk_${environment}_[0-9A-Za-z]{32}$`)),
      livemode,
      ...UNRESTRICTED,
      createdAt: expect.any(String),
    });
    expect(await statusWith(body.secretKey)).toBe(403);
    expect(await statusWith(body.publicKey)).toBe(403);

    const stored = await gateway().db.collection('api_keys').findOne({ merchantId: id });
    const events = await gateway().db.collection('domain_events').find({ resourceId: body.id }).toArray();
    expect(events).toHaveLength(1);
    expect(JSON.stringify([stored, events])).not.toContain(body.secretKey);
    const [hash = ''] = stored?.secret.secretKeyHashes ?? [];
    expect(JSON.stringify(events)).not.toContain(hash.slice(9));
    expect(hash).toHaveLength(9 + 64);
  });

  it('is listed without its secret', async () => {
    const id = await createMerchant();
    const { body: first } = await admin('post', keysOf(id), { livemode: false });
    const { body: second } = await admin('post', keysOf(id), { livemode: true });
    const token = await gateway().operatorToken();
    const { body } = await gateway()
      .call('get', `${keysOf(id)}?orderBy=createdAt`)
      .auth(token, { type: 'bearer' })
      .set('X-Consistency-Token', 'latest');
    expect(body).toMatchObject({ total: 2, page: 1, pages: 1, size: 10 });
    expect(body.data).toEqual(
      [first, second].map((key) => ({
        id: key.id,
        livemode: key.livemode,
        publicKey: key.publicKey,
        secretKeyEnding: key.secretKey.slice(-4),
        ...UNRESTRICTED,
        lastUsedAt: null,
        revokedAt: null,
        rolledTo: null,
        createdAt: key.createdAt,
      })),
    );
  });

  it('is found by the words that its description begins with', async () => {
    const id = await createMerchant();
    for (const description of ['Relatórios do mês', 'Loja'])
      await admin('post', keysOf(id), { livemode: false, description });
    const token = await gateway().operatorToken();
    const { body } = await gateway()
      .call('get', `${keysOf(id)}?description=RELATO&orderBy=description`)
      .auth(token, { type: 'bearer' })
      .set('X-Consistency-Token', 'latest');
    expect(body.data.map((key: { description: string }) => key.description)).toEqual(['Relatórios do mês']);
  });

  it('fails at once when it is revoked, and its public key with it', async () => {
    const id = await createMerchant();
    const { body: key } = await admin('post', keysOf(id), { livemode: false });
    const { body: other } = await admin('post', keysOf(id), { livemode: false });
    expect((await admin('delete', `${keysOf(id)}/${key.id}`)).status).toBe(204);
    expect(await statusWith(key.secretKey)).toBe(401);
    expect(await statusWith(key.publicKey)).toBe(401);
    expect(await statusWith(other.secretKey)).toBe(403);
    expect((await admin('delete', `${keysOf(id)}/${key.id}`)).status).toBe(204);
  });

  it('is replaced by another one when it is rolled', async () => {
    const id = await createMerchant();
    const { body: old } = await admin('post', keysOf(id), { livemode: true });
    const { status, body: key } = await admin('post', `${keysOf(id)}/${old.id}/roll`);
    expect(status).toBe(201);
    expect(key).toMatchObject({ livemode: true, secretKey: expect.stringMatching(/^sk_live_/) });
    expect(await statusWith(old.secretKey)).toBe(401);
    expect(await statusWith(key.secretKey)).toBe(403);
  });

  it('stays valid for the chosen time when it is rolled', async () => {
    const id = await createMerchant();
    const { body: old } = await admin('post', keysOf(id), { livemode: false });
    await admin('post', `${keysOf(id)}/${old.id}/roll`, { validForSeconds: 3_600 });
    expect(await statusWith(old.secretKey)).toBe(403);
    const keys = gateway().db.collection<{ readonly id: string; readonly expiresAt: string }>('api_keys');
    const expiresAt = (await keys.findOne({ id: old.id }))?.expiresAt ?? '';
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(600_000);
    // The time that was chosen is over.
    await keys.updateOne({ id: old.id }, { $set: { expiresAt: new Date().toISOString() } });
    await leasesEnd();
    expect(await statusWith(old.secretKey)).toBe(401);
  });

  it('is rolled once, by one of many that try', async () => {
    const id = await createMerchant();
    const { body: old } = await admin('post', keysOf(id), { livemode: false });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin('post', `${keysOf(id)}/${old.id}/roll`, { validForSeconds: 60 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    const { body } = await admin('post', `${keysOf(id)}/${old.id}/roll`);
    expect(body).toEqual(refusal(422, { code: 'API_KEY_NOT_ACTIVE' }));
  });

  it('of another merchant is not found', async () => {
    const id = await createMerchant();
    const { body: key } = await admin('post', keysOf(await createMerchant()), { livemode: false });
    const missing = { statusCode: 404, message: 'API key not found', code: 'NOT_FOUND' };
    expect((await admin('delete', `${keysOf(id)}/${key.id}`)).body).toEqual(missing);
    expect((await admin('post', `${keysOf(id)}/${key.id}/roll`)).body).toEqual(missing);
    expect(await statusWith(key.secretKey)).toBe(403);
  });

  it.each<[string, object]>([
    ['no environment', {}],
    ['an environment in words', { livemode: 'true' }],
    ['an unknown field', { livemode: true, name: 'x' }],
  ])('is not created with %s', async (_, body) => {
    expect((await admin('post', keysOf(await createMerchant()), body)).status).toBe(400);
  });

  it.each([-1, 0.5, '60', 7 * 86_400 + 1, null])('is not rolled for %p seconds', async (validForSeconds) => {
    const id = await createMerchant();
    const { body: key } = await admin('post', keysOf(id), { livemode: false });
    expect((await admin('post', `${keysOf(id)}/${key.id}/roll`, { validForSeconds })).status).toBe(400);
    expect(await statusWith(key.secretKey)).toBe(403);
  });

  it('of a sub-merchant belongs to its environment, and its secret is kept sealed', async () => {
    const id = await createMerchant();
    const changes = { masterId: await createMerchant(), livemode: false };
    await gateway().db.collection('merchants').updateOne({ id }, { $set: changes });
    const { body } = await admin('post', keysOf(id), { livemode: true });
    expect(body).toEqual(refusal(422, { code: 'MERCHANT_ENVIRONMENT_MISMATCH' }));
    const { body: key } = await admin('post', keysOf(id), { livemode: false });
    const stored = await gateway().db.collection('api_keys').findOne({ id: key.id });
    const rings = gateway().container.get(platform.services).keyRings;
    expect(unseal(rings.sealing, stored?.secret.sealedSecretKey)).toBe(key.secretKey);
    const master = { role: 'MerchantMaster' };
    expect((await admin('patch', `/v1/admin/merchants/${id}`, master)).body).toEqual(
      refusal(422, { code: 'SUBMERCHANT_CANNOT_BE_MASTER' }),
    );
  });

  it('has the permissions of its merchant, from the next request on', async () => {
    const { id, testKey } = await gateway().createMerchant();
    const statement = async (): Promise<number> =>
      (await gateway().call('get', '/v1/charges').auth(testKey, '')).status;
    expect(await statement()).toBe(200);
    await admin('patch', `/v1/admin/merchants/${id}`, { permissions: [] });
    expect(await statement()).toBe(403);
  });
});

describe('the fee definitions of a merchant', () => {
  const card = aSpreadFee({ definition: { fixed: 0.39, percentages: [2.99, 3.49, 3.9999] } });
  const payout = aPayoutFee(100, 1.5);
  const feesOf = (id: string): string => `/v1/admin/merchants/${id}/fee-definitions`;
  const method = (fields: object): object => ({ ...card, ...fields });

  it('are empty at first', async () => {
    const { status, body } = await admin('get', feesOf(await createMerchant()));
    expect([status, body]).toEqual([200, []]);
  });

  it('are what was put last, as a whole', async () => {
    const id = await createMerchant();
    const definitions = [
      card,
      method({ brand: 'visa', definition: { fixed: 0, percentages: [1.2345] } }),
      method({ fee_type: 'anticipation' }),
      method({ payment_method: 'pix', definition: { fixed: 0, percentages: [0.99] } }),
      method({ currency_code: 'KWD', definition: { fixed: 0.125, percentages: [1] } }),
      payout,
    ];
    const put = await admin('put', feesOf(id), definitions);
    expect([put.status, put.body]).toEqual([200, definitions]);
    expect((await admin('get', feesOf(id))).body).toEqual(definitions);
    await admin('put', feesOf(id), [payout]);
    expect((await admin('get', feesOf(id))).body).toEqual([payout]);
    const stored = await gateway().db.collection('fee_definitions').findOne({ id });
    expect(stored?.version).toBe(2);
  });

  it('are for every brand where none is named', async () => {
    const id = await createMerchant();
    const { brand: _, ...without } = card;
    expect((await admin('put', feesOf(id), [without])).body).toEqual([card]);
  });

  it.each<[string, unknown, string]>([
    ['no list', card, ''],
    ['an unknown fee type', [method({ fee_type: 'rebate' })], '0.fee_type'],
    ['an unknown method', [method({ payment_method: 'cash' })], '0.payment_method'],
    ['an unknown currency', [method({ currency_code: 'XTS' })], '0.currency_code'],
    ['an unknown brand', [method({ brand: 'acme' })], '0.brand'],
    ['a brand for Pix', [method({ payment_method: 'pix', brand: 'visa' })], '0.brand'],
    [
      'a negative fixed part',
      [method({ definition: { fixed: -1, percentages: [1] } })],
      '0.definition.fixed',
    ],
    ['too many decimals', [method({ definition: { fixed: 0.391, percentages: [1] } })], '0.definition.fixed'],
    ['no percentage', [method({ definition: { fixed: 0, percentages: [] } })], '0.definition.percentages'],
    [
      'thirteen percentages',
      [method({ definition: { fixed: 0, percentages: Array(13).fill(1) } })],
      '0.definition.percentages',
    ],
    [
      'a percentage with five decimals',
      [method({ definition: { fixed: 0, percentages: [1, 1.00001] } })],
      '0.definition.percentages.1',
    ],
    [
      'a percentage in words',
      [method({ definition: { fixed: 0, percentages: ['1'] } })],
      '0.definition.percentages.0',
    ],
    [
      'a percentage above 100',
      [method({ definition: { fixed: 0, percentages: [100.5] } })],
      '0.definition.percentages.0',
    ],
    ['a payout in another currency', [{ ...payout, currency_code: 'USD' }], '0.currency_code'],
    [
      'a payout with a fraction of a cent',
      [{ ...payout, definition: { fixed: 0.5, variable: 1 } }],
      '0.definition.fixed',
    ],
    ['a payout with a method', [{ ...payout, payment_method: 'pix' }], '0.payment_method'],
    ['two of the same kind', [card, payout, card], '2'],
    ['an unknown field', [method({ note: 'x' })], '0.note'],
  ])('with %s are refused, and the fault is named', async (_, definitions, path) => {
    const id = await createMerchant();
    await admin('put', feesOf(id), [payout]);
    const { status, body } = await admin('put', feesOf(id), definitions as object);
    expect(status).toBe(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
    expect((await admin('get', feesOf(id))).body).toEqual([payout]);
  });
});
