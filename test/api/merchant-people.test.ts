import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { merchantsMigrations } from '../../src/modules/merchants/write/merchants.store.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { logIn } from '../support/operators.ts';

jest.setTimeout(60_000);

const gateway = useGateway(PATIENT);
const PASSWORD = 'a long pass phrase of tests';
const GROUPS = { both: ['keys.manage', 'users.manage'], keys: ['keys.manage'], users: ['users.manage'] };
type GroupName = keyof typeof GROUPS;

let admin: Client;
let merchant: TestMerchant;
/** Somebody who administers keys and users of the merchant, and somebody who administers only the one or the other. */
let people: Readonly<Record<GroupName, Client & { readonly id: string }>>;
/** Another merchant with a user and a pair of keys. */
let others: { readonly userId: string; readonly keyId: string };

const someEmail = (): string => `${randomUUID()}@example.test`;
const refusal = (statusCode: number, code: string, more: object = {}) =>
  expect.objectContaining({ statusCode, code, ...more });
const addPerson = async (
  merchantId: string,
  groups: readonly string[],
  environment: 'test' | 'live' = 'test',
): Promise<Client & { readonly id: string; readonly email: string }> => {
  const email = someEmail();
  const { body } = await admin
    .post('/v1/admin/users', { email, password: PASSWORD, merchantId, groups })
    .expect(201);
  return { ...(await logIn(gateway, { email, password: PASSWORD }, environment)), id: body.id, email };
};
const createColleague = (fields: object = {}, by: Client = people.both): Promise<Response> =>
  by.post('/v1/users', { email: someEmail(), password: PASSWORD, ...fields }).then((answer) => answer);

beforeAll(async () => {
  admin = await operator(gateway);
  for (const [name, permissions] of Object.entries(GROUPS))
    await admin.post('/v1/admin/groups', { name, permissions }).expect(201);
  merchant = await gateway().createMaster();
  people = {
    both: await addPerson(merchant.id, ['both']),
    keys: await addPerson(merchant.id, ['keys']),
    users: await addPerson(merchant.id, ['users']),
  };
  const other = await gateway().createMerchant();
  const { id: userId } = await addPerson(other.id, ['both']);
  const { body } = await admin
    .post(`/v1/admin/merchants/${other.id}/api-keys`, { livemode: false })
    .expect(201);
  others = { userId, keyId: body.id };
});

describe('authors by their ids', () => {
  it('are named to their colleagues, with the keys of the merchant', async () => {
    const { body: anna } = await createColleague({ name: 'Ana' });
    const { body: key } = await people.both.post('/v1/api-keys', { description: 'Loja online' }).expect(201);
    const { body: bare } = await people.both.post('/v1/api-keys', {}).expect(201);
    const nameOf = async (by: Client, id: string) => (await by.get(`/v1/actors/${id}`).expect(200)).body;
    // Nobody needs a permission to learn the name of a colleague.
    expect(await nameOf(people.keys, anna.id)).toEqual({ id: anna.id, kind: 'user', name: 'Ana' });
    expect(await nameOf(people.users, key.id)).toEqual({ id: key.id, kind: 'key', name: 'Loja online' });
    expect((await nameOf(people.users, bare.id)).name).toBe(`… ${bare.secretKey.slice(-4)}`);
    expect(await nameOf(admin, others.keyId)).toMatchObject({ kind: 'key' });
    expect(await nameOf(admin, anna.id)).toMatchObject({ name: 'Ana' });
    const { id: operatorId } = (await admin.get('/v1/auth/me').expect(200)).body;
    expect(await nameOf(admin, operatorId)).toMatchObject({ kind: 'operator' });
    for (const id of [operatorId, others.userId, others.keyId, 'usr_unknown', 'mer_unknown'])
      await people.both.get(`/v1/actors/${id}`).expect(404);
    await withKey(gateway, merchant.testKey).get(`/v1/actors/${anna.id}`).expect(401);
  });
});

describe('keys of a merchant', () => {
  it('are made by its people, restricted, for the environment of the token', async () => {
    const terms = {
      description: 'reports',
      permissions: ['charges.read'],
      allowedNetworks: ['127.0.0.0/8'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    };
    const { body: issued } = await people.both.post('/v1/api-keys', terms).expect(201);
    expect(issued).toMatchObject({ ...terms, livemode: false });
    const key = withKey(gateway, issued.secretKey);
    await key.get('/v1/charges').expect(200);
    const { body } = await key.post('/v1/charges', aCardRequest()).expect(403);
    expect(body.permission).toBe('charges.create');
    const { body: listed } = await people.both.getAfter('latest', '/v1/api-keys');
    expect(listed.data[0]).toMatchObject({ id: issued.id, ...terms });
    expect(JSON.stringify(listed)).not.toContain(issued.secretKey);
    expect(listed.data.every(({ livemode }: { livemode: boolean }) => !livemode)).toBe(true);
  });

  it('without restrictions have what the merchant has, and never what its people have', async () => {
    const { body: issued } = await people.keys.post('/v1/api-keys', {}).expect(201);
    const key = withKey(gateway, issued.secretKey);
    await key.post('/v1/charges', aCardRequest()).expect(201);
    for (const [method, path] of [
      ['get', '/v1/api-keys'],
      ['post', '/v1/api-keys'],
      ['get', '/v1/users'],
      ['post', '/v1/users'],
      ['get', '/v1/groups'],
    ] as const) {
      const permission = path === '/v1/api-keys' ? 'keys.manage' : 'users.manage';
      const { body } = await key.call(method, path, method === 'post' ? {} : undefined);
      expect(body).toEqual(refusal(403, 'PERMISSION_MISSING', { permission }));
    }
  });

  it('are rolled and revoked', async () => {
    const { body: first } = await people.both
      .post('/v1/api-keys', { permissions: ['charges.read'] })
      .expect(201);
    const { body: second } = await people.both
      .post(`/v1/api-keys/${first.id}/roll`, { validForSeconds: 0 })
      .expect(201);
    expect(second.permissions).toEqual(['charges.read']);
    await withKey(gateway, first.secretKey).get('/v1/charges').expect(401);
    await withKey(gateway, second.secretKey).get('/v1/charges').expect(200);
    const again = await people.both.post(`/v1/api-keys/${first.id}/roll`);
    expect(again.body).toEqual(refusal(422, 'API_KEY_NOT_ACTIVE'));
    await people.both.call('delete', `/v1/api-keys/${second.id}`).expect(204);
    await people.both.call('delete', `/v1/api-keys/${second.id}`).expect(204);
    await withKey(gateway, second.secretKey).get('/v1/charges').expect(401);
  });

  it('of others, and of the other environment, are not found', async () => {
    const live = await addPerson(merchant.id, ['keys'], 'live');
    const { body: ofLive } = await live.post('/v1/api-keys', {}).expect(201);
    expect(ofLive.livemode).toBe(true);
    for (const id of [others.keyId, ofLive.id, 'key_unknown']) {
      await people.both.call('delete', `/v1/api-keys/${id}`).expect(404);
      await people.both.post(`/v1/api-keys/${id}/roll`).expect(404);
    }
    const { body: listed } = await people.both.getAfter('latest', '/v1/api-keys?size=100');
    const ids = listed.data.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(ofLive.id);
    expect(ids).not.toContain(others.keyId);
    await withKey(gateway, ofLive.secretKey).get('/v1/charges').expect(200);
  });

  it('get no more than the merchant has, and no end in the past', async () => {
    const poor = await gateway().createMerchant();
    const permissions = ['charges.read', 'keys.manage'];
    await admin.call('patch', `/v1/admin/merchants/${poor.id}`, { permissions }).expect(200);
    const person = await addPerson(poor.id, ['keys']);
    const refused = await person.post('/v1/api-keys', { permissions: ['charges.create'] });
    expect(refused.body).toEqual(refusal(403, 'GRANT_NOT_HELD'));
    for (const terms of [
      { expiresAt: '2020-01-01T00:00:00Z' },
      { permissions: ['keys.manage'] },
      { permissions: ['admin.users.update'] },
      { livemode: true },
      { merchantId: merchant.id },
      { allowedNetworks: ['everywhere'] },
    ])
      expect((await person.post('/v1/api-keys', terms)).status).toBe(400);
  });

  it('of a sub-merchant are made by its own people', async () => {
    const sub = await createSubMerchant(gateway, merchant);
    const person = await addPerson(sub.id, ['keys']);
    const { body: issued } = await person.post('/v1/api-keys', {}).expect(201);
    const { body: listed } = await person.getAfter('latest', '/v1/api-keys');
    expect(listed.total).toBe(2);
    await withKey(gateway, issued.secretKey).get('/v1/charges').expect(200);
    await people.both.call('delete', `/v1/api-keys/${issued.id}`).expect(404);
  });

  it('that are rolled at the same time have one successor', async () => {
    const { body: first } = await people.both.post('/v1/api-keys', {}).expect(201);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => people.both.post(`/v1/api-keys/${first.id}/roll`, { validForSeconds: 60 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });
});

describe('users of a merchant', () => {
  it('are made with a one-time password, changed, and listed with those of the merchant only', async () => {
    const { status, body: created } = await createColleague({ name: 'Ana', groups: ['keys'] });
    expect(status).toBe(201);
    expect(created).toMatchObject({
      name: 'Ana',
      merchantId: merchant.id,
      groups: ['keys'],
      disabled: false,
    });
    const path = `/v1/users/${created.id}`;
    expect((await people.both.get(path)).body).toEqual(created);
    const { body: changed } = await people.both
      .call('patch', path, { name: 'Ana Souza', groups: [] })
      .expect(200);
    expect(changed).toMatchObject({ name: 'Ana Souza', groups: [] });
    const { body: listed } = await people.both.getAfter('latest', '/v1/users?size=100');
    expect(listed.data.map(({ id }: { id: string }) => id)).toContain(created.id);
    expect(new Set(listed.data.map(({ merchantId }: { merchantId: string }) => merchantId))).toEqual(
      new Set([merchant.id]),
    );
  });

  it('of others, and operators, are not found, whatever is asked', async () => {
    const operators = await gateway().db.collection('users').find({ merchantId: null }).toArray();
    const before = await gateway().db.collection('users').find().toArray();
    for (const id of [others.userId, operators[0]?.id, 'usr_unknown']) {
      await people.both.get(`/v1/users/${id}`).expect(404);
      await people.both.call('patch', `/v1/users/${id}`, { disabled: true }).expect(404);
      await people.both.post(`/v1/users/${id}/password-reset`).expect(404);
      await people.both.post(`/v1/users/${id}/second-factor-reset`).expect(404);
    }
    expect(await gateway().db.collection('users').find().toArray()).toEqual(before);
  });

  it('get only what the one holds who gives it', async () => {
    for (const groups of [['keys'], ['both']])
      expect((await createColleague({ groups }, people.users)).body).toEqual(refusal(403, 'GRANT_NOT_HELD'));
    expect((await createColleague({ groups: ['users'] }, people.users)).status).toBe(201);
    const own = await people.users.call('patch', `/v1/users/${people.users.id}`, { groups: ['both'] });
    expect(own.body).toEqual(refusal(403, 'GRANT_NOT_HELD'));
    const other = await addPerson(merchant.id, ['both']);
    for (const [path, body] of [
      [`/v1/users/${other.id}/password-reset`, undefined],
      [`/v1/users/${other.id}/second-factor-reset`, undefined],
    ] as const)
      expect((await people.users.post(path, body)).body).toEqual(refusal(403, 'GRANT_NOT_HELD'));
    const taken = await people.users.call('patch', `/v1/users/${other.id}`, { email: someEmail() });
    expect(taken.body).toEqual(refusal(403, 'GRANT_NOT_HELD'));
    await other.get('/v1/auth/me').expect(200);
  });

  it.each<[string, () => object, number, string]>([
    [
      'a group of operators, as if there were none',
      () => ({ groups: ['operators'] }),
      422,
      'GROUP_NOT_FOUND',
    ],
    ['an unknown group', () => ({ groups: ['nobody'] }), 422, 'GROUP_NOT_FOUND'],
    ['a common password', () => ({ password: 'password1234' }), 422, 'PASSWORD_TOO_COMMON'],
    ['another merchant', () => ({ merchantId: merchant.id }), 400, 'VALIDATION_FAILED'],
    ['a short password', () => ({ password: 'short' }), 400, 'VALIDATION_FAILED'],
    ['no address', () => ({ email: 'nobody' }), 400, 'VALIDATION_FAILED'],
  ])('are not made with %s', async (_, fields, status, code) => {
    expect((await createColleague(fields())).body).toEqual(refusal(status, code));
  });

  it('have their password reset by a colleague, and not by themselves', async () => {
    const colleague = await addPerson(merchant.id, []);
    const { body } = await people.both.post(`/v1/users/${colleague.id}/password-reset`).expect(200);
    await colleague.get('/v1/auth/me').expect(401);
    const login = { email: colleague.email, password: body.oneTimePassword, environment: 'test' };
    expect((await gateway().call('post', '/v1/auth/login').send(login)).body.passwordChangeRequired).toBe(
      true,
    );
    const own = await people.both.post(`/v1/users/${people.both.id}/password-reset`);
    expect(own.body).toEqual(refusal(422, 'OWN_ACCOUNT'));
  });

  it('have their second factor removed by a colleague, once there is one', async () => {
    const colleague = await addPerson(merchant.id, []);
    const reset = () => people.both.post(`/v1/users/${colleague.id}/second-factor-reset`);
    expect((await reset()).body).toEqual(refusal(422, 'SECOND_FACTOR_NOT_SET'));
    const { body } = await colleague.post('/v1/auth/second-factor').expect(200);
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
    await colleague.post('/v1/auth/second-factor/confirm', { code }).expect(200);
    expect((await reset().expect(200)).body).toMatchObject({ id: colleague.id, secondFactor: false });
    await logIn(gateway, { email: colleague.email, password: PASSWORD });
  });

  it('follow at once: who is disabled or leaves the group makes nothing any more', async () => {
    const person = await addPerson(merchant.id, ['both']);
    await person.post('/v1/api-keys', {}).expect(201);
    await people.both.call('patch', `/v1/users/${person.id}`, { groups: [] }).expect(200);
    const back = await logIn(gateway, { email: person.email, password: PASSWORD });
    expect((await back.post('/v1/api-keys', {})).body.permission).toBe('keys.manage');
    await people.both.call('patch', `/v1/users/${person.id}`, { disabled: true }).expect(200);
    await back.get('/v1/auth/me').expect(401);
  });

  it('are in the audit log with who made them, and never a password', async () => {
    const { body: created } = await createColleague({ name: 'Audited' });
    const { body: log } = await admin.getAfter('latest', `/v1/admin/audit-log?resourceId=${created.id}`);
    expect(log.data).toMatchObject([{ type: 'user.created', actor: { kind: 'user', id: people.both.id } }]);
    expect(JSON.stringify(log)).not.toContain(PASSWORD);
  });

  it('with one address are made once, however many ask at once', async () => {
    const email = someEmail();
    const answers = await Promise.all([1, 2, 3, 4].map(() => createColleague({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });
});

describe("groups of merchants' people", () => {
  it('are the only ones that a merchant sees', async () => {
    const { body } = await people.users.getAfter('latest', '/v1/groups?orderBy=name');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['both', 'keys', 'users']);
  });

  it('are not for operators, and do not mix with their permissions', async () => {
    const user = { email: someEmail(), password: PASSWORD, merchantId: null, groups: ['keys'] };
    expect((await admin.post('/v1/admin/users', user)).body).toEqual(refusal(422, 'GROUPS_NOT_ALLOWED'));
    const mixed = { name: 'mixed', permissions: ['keys.manage', 'admin.charges.read'] };
    expect((await admin.post('/v1/admin/groups', mixed)).body).toEqual(refusal(400, 'VALIDATION_FAILED'));
  });

  it("that become groups of operators bring a merchant's user nothing", async () => {
    await admin.post('/v1/admin/groups', { name: 'moved', permissions: ['keys.manage'] }).expect(201);
    const person = await addPerson(merchant.id, ['moved']);
    await admin.call('patch', '/v1/admin/groups/moved', { permissions: ['admin.charges.read'] }).expect(200);
    const { body } = await person.get('/v1/auth/me').expect(200);
    expect(body.permissions).not.toContain('admin.charges.read');
    expect(body.permissions).not.toContain('keys.manage');
    await admin.call('patch', `/v1/admin/users/${person.id}`, { name: 'still here' }).expect(200);
  });
});

it('merchants from before these permissions get them, which brings nobody anything without a group', async () => {
  const former = await gateway().createMerchant();
  const merchants = gateway().db.collection('merchants');
  await merchants.updateOne({ id: former.id }, { $set: { permissions: ['charges.read'] } });
  const migration = merchantsMigrations.find(({ id }) => id === '250-people-permissions');
  for (let times = 0; times < 2; times += 1) await migration?.up(gateway().db);
  expect((await merchants.findOne({ id: former.id }))?.permissions).toEqual([
    'charges.read',
    'keys.manage',
    'users.manage',
  ]);
  const person = await addPerson(former.id, []);
  expect((await person.get('/v1/auth/me')).body.permissions).toEqual(['charges.read']);
});
