import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { anOperator } from '../support/operators.ts';

// The tests stand behind a proxy that is trusted, and say by its header where they come from.
const gateway = useGateway({ ...PATIENT, TRUSTED_PROXIES: 'loopback' });

let admin: Client;
let merchant: TestMerchant;
const path = (): string => `/v1/admin/merchants/${merchant.id}/api-keys`;
const issue = async (terms: object) =>
  (await admin.post(path(), { livemode: false, ...terms }).expect(201)).body;
const code = ({ status, body }: Response): readonly [number, string | undefined] => [status, body.code];
const from = (address: string, secretKey: string) =>
  withKey(gateway, secretKey).get('/v1/charges').set('X-Forwarded-For', address);

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMaster();
}, 180_000);

describe('a restricted key', () => {
  it('may do what it was given and nothing else, and lists show that', async () => {
    const terms = { description: 'reports', permissions: ['charges.read'], allowedNetworks: [] };
    const issued = await issue(terms);
    expect(issued).toMatchObject({ ...terms, expiresAt: null });
    const key = withKey(gateway, issued.secretKey);
    await key.get('/v1/charges').expect(200);
    await key.get('/v1/statement').expect(403);
    await key.post('/v1/refunds', { chargeId: 'chg_1' }).expect(403);
    const { body } = await admin.getAfter('latest', path());
    const listed = body.data.find(({ id }: { id: string }) => id === issued.id);
    expect(listed).toMatchObject({ ...terms, lastUsedAt: expect.stringMatching(/Z$/) });
    const unused = await issue({});
    const again = await admin.getAfter('latest', path());
    expect(again.body.data.find(({ id }: { id: string }) => id === unused.id)).toMatchObject({
      description: null,
      permissions: null,
      allowedNetworks: [],
      lastUsedAt: null,
    });
  });

  it('gets no further by way of a sub-merchant', async () => {
    const permissions = ['submerchants.manage', 'charges.read'];
    const { secretKey } = await issue({ permissions });
    const key = withKey(gateway, secretKey);
    const fields = { legalName: 'Filial Ltda', email: 'filial@example.test' };
    const { body: own } = await key.post('/v1/submerchants', fields).expect(201);
    const { body: pair } = await key.get(`/v1/submerchants/${own.id}/api-keys`).expect(200);
    await withKey(gateway, pair.secretKey).get('/v1/charges').expect(200);
    await withKey(gateway, pair.secretKey).get('/v1/statement').expect(403);

    const whole = withKey(gateway, merchant.testKey);
    const { body: other } = await whole.post('/v1/submerchants', fields).expect(201);
    await whole.get(`/v1/submerchants/${other.id}/api-keys`).expect(200);
    const refused = await key.get(`/v1/submerchants/${other.id}/api-keys`);
    expect(code(refused)).toEqual([403, 'GRANT_NOT_HELD']);
    expect(refused.body.errors).toContainEqual({
      path: 'permissions',
      message: 'permissions must be held by the caller: payouts.create is not',
    });
  });

  it('is given nothing that the merchant lacks, and loses what the merchant loses', async () => {
    const poor = await gateway().createMerchant();
    await admin.call('patch', `/v1/admin/merchants/${poor.id}`, {
      permissions: ['charges.read', 'statement.read'],
    });
    const keys = `/v1/admin/merchants/${poor.id}/api-keys`;
    const asked = (permissions: readonly string[]) => admin.post(keys, { livemode: false, permissions });
    expect(code(await asked(['payouts.create']))).toEqual([403, 'GRANT_NOT_HELD']);
    const { body: pair } = await asked(['statement.read']).expect(201);
    await withKey(gateway, pair.secretKey).get('/v1/statement').expect(200);
    await admin.call('patch', `/v1/admin/merchants/${poor.id}`, { permissions: ['charges.read'] });
    await withKey(gateway, pair.secretKey).get('/v1/statement').expect(403);
    const { body: rolled } = await admin.post(`${keys}/${pair.id}/roll`, { validForSeconds: 0 }).expect(201);
    expect(rolled.permissions).toEqual([]);
  });
});

describe('a key with an end', () => {
  it('fails from then on as a revoked one does, and its successor ends with it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const pair = await issue({ expiresAt, description: 'for a day' });
    expect(pair.expiresAt).toBe(expiresAt);
    await withKey(gateway, pair.secretKey).get('/v1/charges').expect(200);
    const { body: rolled } = await admin
      .post(`${path()}/${pair.id}/roll`, { validForSeconds: 86_400 })
      .expect(201);
    expect(rolled).toMatchObject({ expiresAt, description: 'for a day' });
    const past = new Date().toISOString();
    await gateway()
      .db.collection<{ _id: string }>('api_keys')
      .updateOne({ _id: pair.id }, { $set: { expiresAt: past } });
    await leasesEnd();
    const expired = await withKey(gateway, pair.secretKey).get('/v1/charges');
    await admin.call('delete', `${path()}/${rolled.id}`).expect(204);
    const revoked = await withKey(gateway, rolled.secretKey).get('/v1/charges');
    expect([expired.status, expired.body]).toEqual([revoked.status, revoked.body]);
    expect(expired.status).toBe(401);
  });
});

describe('a key for some networks', () => {
  it('is refused from everywhere else, and a roll keeps that', async () => {
    const allowedNetworks = ['203.0.113.0/24', '2001:db8::/32'];
    const pair = await issue({ allowedNetworks });
    await from('203.0.113.77', pair.secretKey).expect(200);
    await from('2001:db8::7', pair.secretKey).expect(200);
    expect(code(await from('203.0.114.1', pair.secretKey))).toEqual([403, 'NETWORK_NOT_ALLOWED']);
    expect(code(await withKey(gateway, pair.secretKey).get('/v1/charges'))).toEqual([
      403,
      'NETWORK_NOT_ALLOWED',
    ]);
    // Another word before the proxy's own is the client's, and worth nothing.
    expect(code(await from('203.0.113.77, 203.0.114.1', pair.secretKey))).toEqual([
      403,
      'NETWORK_NOT_ALLOWED',
    ]);
    const { body } = await admin.post(`${path()}/${pair.id}/roll`, { validForSeconds: 0 }).expect(201);
    expect(body.allowedNetworks).toEqual(allowedNetworks);
    expect(code(await from('203.0.114.1', body.secretKey))).toEqual([403, 'NETWORK_NOT_ALLOWED']);
    await from('203.0.113.77', body.secretKey).expect(200);
    // A public key is for browsers, wherever they are.
    await gateway().call('get', '/v1/payment-methods').auth(body.publicKey, '').expect(200);
  });
});

describe('an operator for some networks', () => {
  it('is refused from everywhere else, which the audit log has', async () => {
    const dora = await anOperator(gateway, ['admin.merchants.read']);
    await dora.get('/v1/admin/merchants').expect(200);
    const allowedNetworks = ['198.51.100.0/24'];
    const changed = await admin.call('patch', `/v1/admin/users/${dora.id}`, { allowedNetworks }).expect(200);
    expect(changed.body.allowedNetworks).toEqual(allowedNetworks);
    await dora.get('/v1/admin/merchants').set('X-Forwarded-For', '198.51.100.9').expect(200);
    expect(code(await dora.get('/v1/admin/merchants').set('X-Forwarded-For', '192.0.2.1'))).toEqual([
      403,
      'NETWORK_NOT_ALLOWED',
    ]);
    const { body } = await admin.getAfter('latest', `/v1/admin/audit-log?actor=${dora.id}&address=192.0.2.1`);
    expect(body.data).toEqual([
      expect.objectContaining({
        type: 'permission.denied',
        details: expect.objectContaining({ code: 'NETWORK_NOT_ALLOWED' }),
      }),
    ]);
    await admin.call('patch', `/v1/admin/users/${dora.id}`, { allowedNetworks: [] }).expect(200);
    await dora.get('/v1/admin/merchants').set('X-Forwarded-For', '192.0.2.1').expect(200);
  });
});

describe('a login of a user for some networks', () => {
  const user = async () => {
    const credentials = { email: `${randomUUID()}@example.test`, password: 'a long pass phrase of hers' };
    const networks = { allowedNetworks: ['198.51.100.0/24'] };
    const { body } = await admin
      .post('/v1/admin/users', { ...credentials, ...networks, merchantId: null, groups: [] })
      .expect(201);
    return { id: body.id as string, ...credentials };
  };
  const logInFrom = (address: string, credentials: object) =>
    gateway()
      .call('post', '/v1/auth/login')
      .set('X-Forwarded-For', address)
      .send({ environment: 'test', ...credentials });

  it('is refused from elsewhere, which only the right password tells and the audit log has', async () => {
    const { id, ...credentials } = await user();
    await logInFrom('198.51.100.9', credentials).expect(200);
    expect(code(await logInFrom('192.0.2.1', credentials))).toEqual([403, 'NETWORK_NOT_ALLOWED']);
    expect(code(await logInFrom('192.0.2.1', { ...credentials, password: 'wrong' }))).toEqual([
      401,
      'CREDENTIALS_INVALID',
    ]);
    const sessions = await gateway().db.collection('sessions').countDocuments({ userId: id });
    expect(sessions).toBe(1);
    const { body } = await admin.getAfter('latest', `/v1/admin/audit-log?resourceId=${id}&address=192.0.2.1`);
    const faults = body.data.map(({ details }: { details: { fault: string } }) => details.fault);
    expect(faults.sort()).toEqual(['network_not_allowed', 'wrong_password']);
  });

  it('gives a refresh cookie that is good there only, and not used up elsewhere', async () => {
    const { id: _, ...credentials } = await user();
    const { headers } = await logInFrom('198.51.100.9', { ...credentials, refresh: true }).expect(200);
    const cookie = String(headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const refreshFrom = (address: string) =>
      gateway()
        .call('post', '/v1/auth/refresh')
        .set('Cookie', cookie)
        .set('X-Requested-With', 'portico')
        .set('X-Forwarded-For', address);
    expect(code(await refreshFrom('192.0.2.1'))).toEqual([403, 'NETWORK_NOT_ALLOWED']);
    await refreshFrom('198.51.100.9').expect(200);
  });
});

describe('failed logins from one IPv6 network', () => {
  it('count together, whatever address of it they come from', async () => {
    const email = `${randomUUID()}@example.test`;
    const failFrom = (network: number, host: number) =>
      gateway()
        .call('post', '/v1/auth/login')
        .set('X-Forwarded-For', `2001:db8:0:${network}::${host.toString(16)}`)
        .send({ environment: 'test', email: `${host}-${email}`, password: 'a wrong pass phrase' });
    // A hundred lock an address; each account has one failure.
    for (let host = 1; host <= 100; host += 1) await failFrom(1, host).expect(401);
    await failFrom(1, 101).expect(429);
    await failFrom(2, 101).expect(401);
  });
});

describe('the last use of a key', () => {
  it('is noted once a minute', async () => {
    const pair = await issue({});
    const key = withKey(gateway, pair.secretKey);
    const uses = gateway().db.collection<{ _id: string; lastUsedAt: Date }>('api_key_uses');
    const noted = async () => (await uses.findOne({ _id: pair.id }))?.lastUsedAt;
    await key.get('/v1/charges').expect(200);
    const first = await pollUntil(noted, (at) => at !== undefined);
    await key.get('/v1/charges').expect(200);
    expect(await noted()).toEqual(first);
  });
});

describe('wrong terms', () => {
  it.each<[string, object]>([
    ['an unknown permission', { permissions: ['charges.erase'] }],
    ["an operator's permission", { permissions: ['admin.users.update'] }],
    ['a permission twice', { permissions: ['charges.read', 'charges.read'] }],
    ['no network', { allowedNetworks: ['everywhere'] }],
    ['a prefix that is too long', { allowedNetworks: ['192.0.2.0/33'] }],
    ['networks that are no list', { allowedNetworks: '192.0.2.0/24' }],
    ['a date without time', { expiresAt: '2030-01-01' }],
    ['a day that no month has', { expiresAt: '2030-02-31T00:00:00Z' }],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['a description that is no text', { description: 1 }],
  ])('are refused: %s', async (_, terms) => {
    await admin.post(path(), { livemode: false, ...terms }).expect(400);
  });

  it('of an operator are refused', async () => {
    const user = {
      email: `${randomUUID()}@example.test`,
      password: 'a long pass phrase of hers',
      groups: [],
    };
    await admin.post('/v1/admin/users', { ...user, merchantId: null, allowedNetworks: ['x'] }).expect(400);
  });
});
