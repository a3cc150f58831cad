import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Response } from 'supertest';
import { loadConfig } from '../../src/main/config.ts';
import { startGateway } from '../../src/main/gateway.ts';
import { modules } from '../../src/main/modules.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { callAt, type Method } from '../support/call.ts';
import { PATIENT } from '../support/client.ts';
import { OPERATOR, startTestGateway, testVariables, useGateway } from '../support/gateway.ts';

// The limit of logins counts to ten in Redis, however long that takes on a busy machine.
const gateway = useGateway({ ...PATIENT, REDIS_TIMEOUT_MS: '30000' });
const PASSWORD = 'correct horse battery';
const unauthorized = (code: string): object => ({ statusCode: 401, message: 'Unauthorized', code });
const INVALID = unauthorized('CREDENTIALS_INVALID');
const forbidden = (code: string, permission?: string): object => ({
  statusCode: 403,
  message: 'Forbidden',
  code,
  ...(permission ? { permission } : {}),
});

const someEmail = (): string => `${randomUUID()}@example.test`;
const refusal = (statusCode: number, code: string): object => expect.objectContaining({ statusCode, code });

const login = (body: object): Promise<Response> =>
  gateway()
    .call('post', '/v1/auth/login')
    .send(body)
    .then((answer) => answer);
const call = async (token: string, method: Method, path: string, body?: object): Promise<Response> => {
  const request = gateway().call(method, path).auth(token, { type: 'bearer' });
  return body === undefined ? request : request.send(body);
};
const admin = async (method: Method, path: string, body?: object): Promise<Response> =>
  call(await gateway().operatorToken(), method, path, body);
const createGroup = async (...permissions: string[]): Promise<string> => {
  const name = `group ${randomUUID()}`;
  await admin('post', '/v1/admin/groups', { name, permissions });
  return name;
};

type TestUser = { readonly id: string; readonly email: string; readonly token: string };
const createUser = async (fields: object = {}): Promise<TestUser> => {
  const email = someEmail();
  const user = { email, password: PASSWORD, merchantId: null, groups: [], ...fields };
  const { body } = await admin('post', '/v1/admin/users', user);
  const { body: session } = await login({ email, password: PASSWORD });
  return { id: body.id, email, token: session.accessToken };
};
/** An operator who may read merchants, by a group of the operator's own. */
const createReader = async (): Promise<TestUser & { readonly group: string }> => {
  const group = await createGroup('admin.merchants.read');
  return { ...(await createUser({ groups: [group] })), group };
};
/** Reading a merchant shows the permissions of the token. */
const readMerchant = async (token: string): Promise<number> => {
  merchantId ??= (await gateway().createMerchant()).id;
  return (await call(token, 'get', `/v1/admin/merchants/${merchantId}`)).status;
};
let merchantId: string | null = null;

describe('a login', () => {
  it('gives a token for one hour', async () => {
    const { status, body } = await login(OPERATOR);
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      passwordChangeRequired: false,
      secondFactorSetupRequired: false,
    });
    const [, payload = ''] = body.accessToken.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims.exp - claims.iat).toBe(3600);
    expect(claims.environment).toBe('live');
    expect(await readMerchant(body.accessToken)).toBe(200);
  });

  it('takes the e-mail address in any case', async () => {
    expect((await login({ ...OPERATOR, email: OPERATOR.email.toUpperCase() })).status).toBe(200);
  });

  it('says the same of a wrong password and of a user that does not exist', async () => {
    const { email } = await createUser();
    for (const attempt of [
      { email, password: 'wrong' },
      { email: someEmail(), password: PASSWORD },
    ]) {
      const { status, body } = await login(attempt);
      expect([status, body]).toEqual([401, INVALID]);
    }
  });

  it('does the same work for a user that does not exist, so that time tells nothing', async () => {
    const { email } = await createUser();
    const verify = jest.spyOn(gateway().container.get(modules).identity.passwords, 'verify');
    try {
      await login({ email, password: 'wrong' });
      await login({ email: someEmail(), password: 'wrong' });
      expect(verify.mock.calls).toEqual([
        [expect.stringContaining('$argon2id$'), 'wrong', '127.0.0.1'],
        [null, 'wrong', '127.0.0.1'],
      ]);
    } finally {
      verify.mockRestore();
    }
  });

  it.each<[string, object]>([
    ['no password', { email: 'a@example.test' }],
    ['no e-mail address', { password: PASSWORD }],
    ['an unknown environment', { ...OPERATOR, environment: 'sandbox' }],
    ['an unknown field', { ...OPERATOR, remember: true }],
    ['a password that is an object', { email: OPERATOR.email, password: { $gt: '' } }],
    ['an e-mail address that is an object', { email: { $gt: '' }, password: PASSWORD }],
  ])('with %s is refused', async (_, body) => {
    expect((await login(body)).status).toBe(400);
  });

  it('is limited after ten wrong passwords, for that user only', async () => {
    const { email } = await createUser();
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login({ email, password: `wrong ${tries}` })).status).toBe(401);
    const { status, headers } = await login({ email: email.toUpperCase(), password: PASSWORD });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await login(OPERATOR)).status).toBe(200);
  });

  it('is limited on every instance alike', async () => {
    const { email } = await createUser();
    for (let tries = 0; tries < 10; tries += 1) await login({ email, password: `wrong ${tries}` });
    const other = await startTestGateway({ ...gateway().variables, ROLE: 'api' });
    const answer = await callAt(other.url, 'post', '/v1/auth/login').send({ email, password: PASSWORD });
    await other.stop({ keepData: true });
    expect(answer.status).toBe(429);
  });

  it('is not limited by many right ones at once', async () => {
    // More than the ten that may fail, and few enough for one record to take them on a busy machine.
    const answers = await Promise.all(Array.from({ length: 12 }, () => login(OPERATOR)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });
});

describe('a token', () => {
  /** A token for the session of another, signed as the gateway does but for what is given. */
  const signLike = (token: string, claims: object = {}, alg = 'HS256', expiry = '1h'): Promise<string> => {
    const { current } = gateway().container.get(platform.services).keyRings.jwt;
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return new SignJWT({ ...JSON.parse(payload), ...claims })
      .setProtectedHeader({ alg, kid: current.id })
      .setExpirationTime(expiry)
      .sign(current.bytes);
  };

  it('is not accepted where the gateway did not sign it like that', async () => {
    const { token } = await createReader();
    expect(await readMerchant(await signLike(token))).toBe(200);
    expect(await readMerchant(await signLike(token, {}, 'HS512'))).toBe(401);
    expect(await readMerchant(await signLike(token, { sub: 'usr_unknown' }))).toBe(401);
    expect(await readMerchant(await signLike(token, { sid: 'ses_unknown' }))).toBe(401);
    expect(await readMerchant(await signLike(token, { sid: { $ne: null } }))).toBe(401);
    expect(await readMerchant(await signLike(token, { environment: 'test' }))).toBe(401);
    const [head, payload] = token.split('.');
    expect(await readMerchant(`${head}.${payload}.AAAA`)).toBe(401);
    expect(await readMerchant(`${head}.${payload}.`)).toBe(401);
  });

  it('may be several blanks away from its scheme (RFC 9110)', async () => {
    const { testKey } = await gateway().createMerchant();
    const basic = Buffer.from(`${testKey}:`).toString('base64');
    for (const header of [`Bearer   ${testKey}`, `bearer  ${testKey}`, `Basic   ${basic}`])
      await gateway().call('get', '/v1/charges').set('Authorization', header).expect(200);
  });

  it.each(['Bearer', 'Bearer a b', 'Token x', 'Basic', 'Basic !', 'x'])(
    'is not found in %p',
    async (header) => {
      const { status, body } = await gateway().call('get', '/v1/admin/users').set('Authorization', header);
      expect([status, body]).toEqual([401, unauthorized('CREDENTIALS_MALFORMED')]);
    },
  );

  it('that has expired is told from one that never was', async () => {
    const expired = await signLike((await createReader()).token, {}, 'HS256', '1s ago');
    const { body } = await call(expired, 'get', '/v1/admin/users');
    expect(body).toEqual(unauthorized('TOKEN_EXPIRED'));
  });

  it('is not taken from the URL', async () => {
    const token = await gateway().operatorToken();
    expect((await gateway().call('get', `/v1/admin/users?access_token=${token}`)).status).toBe(401);
  });

  it('ends at once when the user is disabled, and does not come back', async () => {
    const reader = await createReader();
    expect(await readMerchant(reader.token)).toBe(200);
    await admin('patch', `/v1/admin/users/${reader.id}`, { disabled: true });
    expect(await readMerchant(reader.token)).toBe(401);
    expect((await login({ email: reader.email, password: PASSWORD })).body).toEqual(INVALID);
    await admin('patch', `/v1/admin/users/${reader.id}`, { disabled: false });
    expect(await readMerchant(reader.token)).toBe(401);
    expect((await login({ email: reader.email, password: PASSWORD })).status).toBe(200);
  });

  it('ends with other groups, and follows their permissions at once', async () => {
    const reader = await createReader();
    await admin('patch', `/v1/admin/groups/${encodeURIComponent(reader.group)}`, { permissions: [] });
    expect(await readMerchant(reader.token)).toBe(403);
    await admin('patch', `/v1/admin/users/${reader.id}`, { groups: [] });
    expect(await readMerchant(reader.token)).toBe(401);
  });
});

describe('a password', () => {
  const change = (token: string, currentPassword: string, newPassword: string): Promise<Response> =>
    call(token, 'post', '/v1/auth/password', { currentPassword, newPassword });

  it('that its user changes ends the tokens given before', async () => {
    const reader = await createReader();
    expect((await change(reader.token, PASSWORD, 'another horse battery')).status).toBe(204);
    expect(await readMerchant(reader.token)).toBe(401);
    expect((await login({ email: reader.email, password: PASSWORD })).status).toBe(401);
    const { body } = await login({ email: reader.email, password: 'another horse battery' });
    expect(await readMerchant(body.accessToken)).toBe(200);
  });

  it('is set by nobody else', async () => {
    const reader = await createReader();
    const { status, body } = await admin('patch', `/v1/admin/users/${reader.id}`, { password: PASSWORD });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ path: 'password' })]]);
  });

  it.each([
    ['one that is tried first', 'Password2026!', 'PASSWORD_TOO_COMMON'],
    ['the present one', PASSWORD, 'PASSWORD_USED_BEFORE'],
  ])('is not changed to %s', async (_, password, code) => {
    const { token } = await createReader();
    expect((await change(token, PASSWORD, password)).body).toEqual(refusal(422, code));
    expect(await readMerchant(token)).toBe(200);
  });

  it('is not changed to the address of its user', async () => {
    const { token, email } = await createReader();
    expect((await change(token, PASSWORD, email.toUpperCase())).body).toEqual(
      refusal(422, 'PASSWORD_NAMES_USER'),
    );
  });

  it('is not changed to one of the last four', async () => {
    const { email } = await createUser();
    const passwordOf = (number: number): string => `${PASSWORD} ${number}`;
    const changeTo = async (present: string, next: string): Promise<Response> =>
      change((await login({ email, password: present })).body.accessToken, present, next);
    expect((await changeTo(PASSWORD, passwordOf(1))).status).toBe(204);
    for (const number of [2, 3])
      expect((await changeTo(passwordOf(number - 1), passwordOf(number))).status).toBe(204);
    expect((await changeTo(passwordOf(3), PASSWORD)).body).toEqual(refusal(422, 'PASSWORD_USED_BEFORE'));
    expect((await changeTo(passwordOf(3), passwordOf(4))).status).toBe(204);
    expect((await changeTo(passwordOf(4), PASSWORD)).status).toBe(204);
  });

  it('is changed by those only who know it', async () => {
    const { token } = await createReader();
    expect((await change(token, 'wrong', 'another horse battery')).body).toEqual(
      refusal(422, 'WRONG_PASSWORD'),
    );
    expect((await change(token, PASSWORD, 'short')).status).toBe(400);
    expect(await readMerchant(token)).toBe(200);
  });

  it('cannot be guessed by changing it', async () => {
    const { token } = await createReader();
    for (let tries = 0; tries < 10; tries += 1) await change(token, `wrong ${tries}`, PASSWORD);
    expect((await change(token, PASSWORD, 'another horse battery')).status).toBe(429);
  });

  it('of a merchant user is changed in the same way, but not with a key', async () => {
    const { id, testKey } = await gateway().createMerchant();
    const { token } = await createUser({ merchantId: id });
    expect((await change(token, PASSWORD, 'another horse battery')).status).toBe(204);
    const withKey = await gateway().call('post', '/v1/auth/password').auth(testKey, '').send({});
    expect(withKey.body).toEqual(unauthorized('USER_TOKEN_REQUIRED'));
    const asToken = await call(testKey, 'post', '/v1/auth/password', {});
    expect(asToken.body).toEqual(unauthorized('USER_TOKEN_REQUIRED'));
    const unknown = await call(`${testKey}0`, 'post', '/v1/auth/password', {});
    expect(unknown.body).toEqual(INVALID);
  });
});

describe('a secret key', () => {
  const read = (user: string, password: string) => gateway().call('get', '/v1/charges').auth(user, password);
  const expectStatus = async (answer: PromiseLike<Response>, status: number): Promise<void> => {
    expect((await answer).status).toBe(status);
  };

  it('is the user name, the password is empty', async () => {
    const { testKey, liveKey } = await gateway().createMerchant();
    await expectStatus(read(testKey, ''), 200);
    await expectStatus(read(liveKey, ''), 200);
    await expectStatus(read(testKey, 'x'), 401);
    await expectStatus(read('', testKey), 401);
    await expectStatus(read(`${testKey.slice(0, -1)}!`, ''), 401);
    await expectStatus(read(testKey.replace('_test_', '_live_'), ''), 401);
    await expectStatus(read(testKey.toLowerCase(), ''), 401);
  });

  it('needs the colon and the scheme', async () => {
    const { testKey } = await gateway().createMerchant();
    const withHeader = (value: string) => gateway().call('get', '/v1/charges').set('Authorization', value);
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    await expectStatus(withHeader(`Basic ${encoded(`${testKey}:`)}`), 200);
    await expectStatus(withHeader(`basic ${encoded(`${testKey}:`)}`), 200);
    await expectStatus(withHeader(`Basic ${encoded(testKey)}`), 401);
    await expectStatus(withHeader(`Basic ${testKey}:`), 401);
    await expectStatus(withHeader(`Bearer ${testKey}x`), 401);
    await expectStatus(withHeader(testKey), 401);
  });

  it('is the same as a bearer token, but not where users only are let in', async () => {
    const { testKey, publicKey } = await gateway().createMerchant();
    expect((await call(testKey, 'get', '/v1/charges')).status).toBe(200);
    expect((await call(publicKey, 'get', '/v1/charges')).body).toEqual(forbidden('SECRET_KEY_REQUIRED'));
    for (const path of ['/v1/payout-requests', '/v1/payout-requests/po_1']) {
      expect((await call(testKey, 'get', path)).body).toEqual(unauthorized('USER_TOKEN_REQUIRED'));
      const basic = await gateway().call('get', path).auth(testKey, '');
      expect(basic.body).toEqual(unauthorized('USER_TOKEN_REQUIRED'));
      expect((await call(`${testKey}x`, 'get', path)).body).toEqual(INVALID);
    }
    expect((await call(`${testKey}x`, 'get', '/v1/charges')).body).toEqual(INVALID);
  });

  it('of a merchant that is blocked is known all the same', async () => {
    const { id, testKey } = await gateway().createMerchant();
    await gateway()
      .db.collection('merchants')
      .updateOne({ id }, { $set: { status: 'blocked' } });
    await expectStatus(read(testKey, ''), 200);
  });

  it('is told from a public key, which is known but not allowed', async () => {
    const { publicKey } = await gateway().createMerchant();
    const { status, body } = await read(publicKey, '');
    expect([status, body]).toEqual([403, forbidden('SECRET_KEY_REQUIRED')]);
  });
});

describe('a user', () => {
  it('is created without showing or keeping the password', async () => {
    const group = await createGroup();
    const email = someEmail();
    const { status, body } = await admin('post', '/v1/admin/users', {
      email: email.toUpperCase(),
      password: PASSWORD,
      name: 'Ana',
      merchantId: null,
      groups: [group],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
      email,
      name: 'Ana',
      merchantId: null,
      groups: [group],
      disabled: false,
      allowedNetworks: [],
      disabledReason: null,
      oneTimePasswordExpiresAt: null,
      secondFactor: false,
      lastLoginAt: null,
      createdAt: body.updatedAt,
      updatedAt: expect.any(String),
    });
    expect((await admin('get', `/v1/admin/users/${body.id}`)).body).toEqual(body);

    await admin('post', `/v1/admin/users/${body.id}/password-reset`);
    const stored = await gateway().db.collection('users').findOne({ email });
    expect(stored?.secret.passwordHash).toMatch(/^\$argon2id\$/);
    const events = await gateway().db.collection('domain_events').find({ resourceId: body.id }).toArray();
    expect(events.map((event) => event.type)).toEqual(['user.created', 'user.password_reset']);
    expect(JSON.stringify(events)).not.toMatch(/argon2|horse|secret|passwordHash/);
    expect(JSON.stringify(stored)).not.toContain('horse');
  });

  it.each<[string, object]>([
    ['no password', { password: undefined }],
    ['a short password', { password: 'short' }],
    ['a password that is too long', { password: 'x'.repeat(129) }],
    ['no merchantId', { merchantId: undefined }],
    ['no groups', { groups: undefined }],
    ['a group twice', { groups: ['a', 'a'] }],
    ['a broken e-mail address', { email: 'ana' }],
    ['disabled in words', { disabled: 'no' }],
    ['an unknown field', { permissions: ['admin.users.update'] }],
  ])('with %s is refused', async (_, fields) => {
    const user = { email: someEmail(), password: PASSWORD, merchantId: null, groups: [], ...fields };
    expect((await admin('post', '/v1/admin/users', user)).status).toBe(400);
  });

  it.each<[string, object, string]>([
    ['the address of another one', { email: OPERATOR.email.toUpperCase() }, 'EMAIL_ALREADY_USED'],
    ['a group that does not exist', { groups: ['nobody'] }, 'GROUP_NOT_FOUND'],
    ['a merchant that does not exist', { merchantId: `mer_${'0'.repeat(32)}` }, 'MERCHANT_NOT_FOUND'],
  ])('with %s is refused, new or changed', async (_, fields, code) => {
    const user = { email: someEmail(), password: PASSWORD, merchantId: null, groups: [] };
    expect((await admin('post', '/v1/admin/users', { ...user, ...fields })).body).toEqual(refusal(422, code));
    const { id } = await createUser();
    expect((await admin('patch', `/v1/admin/users/${id}`, fields)).body).toEqual(refusal(422, code));
  });

  it('is created once, by one of many that try at the same time', async () => {
    const user = { email: someEmail(), password: PASSWORD, merchantId: null, groups: [] };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin('post', '/v1/admin/users', user)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });

  it('that nobody knows is not found', async () => {
    const missing = { statusCode: 404, message: 'User not found', code: 'NOT_FOUND' };
    expect((await admin('get', '/v1/admin/users/usr_1')).body).toEqual(missing);
    expect((await admin('patch', '/v1/admin/users/usr_1', { name: 'x' })).body).toEqual(missing);
  });

  it('is listed with others, paged, ordered and filtered', async () => {
    const group = await createGroup();
    const users = [
      await createUser({ groups: [group], name: 'B' }),
      await createUser({ groups: [group], name: 'A' }),
    ];
    const token = await gateway().operatorToken();
    const list = async (query: string): Promise<Response> =>
      gateway()
        .call('get', `/v1/admin/users?${query}`)
        .auth(token, { type: 'bearer' })
        .set('X-Consistency-Token', 'latest');
    const filter = `group=${encodeURIComponent(group)}`;
    const { body } = await list(`${filter}&orderBy=name&size=1`);
    expect(body).toMatchObject({ page: 1, pages: 2, total: 2, size: 1 });
    expect(body.data).toEqual([(await admin('get', `/v1/admin/users/${users[1]?.id}`)).body]);
    expect((await list(`email=${users[0]?.email.toUpperCase()}`)).body.total).toBe(1);
    expect((await list(`${filter}&disabled=true`)).body.total).toBe(0);
    expect((await list('orderBy=password')).status).toBe(400);
  });
});

describe('a user of a merchant', () => {
  it('has the permissions of the merchant, in the environment of the login', async () => {
    const { id } = await gateway().createMerchant();
    const { email, token } = await createUser({ merchantId: id });
    const { body } = await login({ email, password: PASSWORD, environment: 'test' });
    expect((await call(token, 'get', '/v1/charges')).status).toBe(200);
    expect((await call(body.accessToken, 'get', '/v1/charges')).status).toBe(200);
    expect((await call(token, 'get', '/v1/admin/users')).body).toEqual(forbidden('OPERATORS_ONLY'));
    await admin('patch', `/v1/admin/merchants/${id}`, { permissions: [] });
    expect((await call(token, 'get', '/v1/charges')).body).toEqual(
      forbidden('PERMISSION_MISSING', 'charges.read'),
    );
  });

  it('of a sub-merchant logs in to its environment only', async () => {
    const { id } = await gateway().createMerchant();
    const user = await createUser({ merchantId: id });
    await gateway()
      .db.collection('merchants')
      .updateOne({ id }, { $set: { livemode: false } });
    const credentials = { email: user.email, password: PASSWORD };
    expect((await login({ ...credentials, environment: 'test' })).status).toBe(200);
    expect((await login(credentials)).body).toEqual(refusal(422, 'ENVIRONMENT_NOT_AVAILABLE'));
    expect((await call(user.token, 'get', '/v1/charges')).body).toEqual(INVALID);
  });

  it('has no groups of operators', async () => {
    const { id } = await gateway().createMerchant();
    const group = await createGroup('admin.users.update');
    const user = { email: someEmail(), password: PASSWORD, merchantId: id, groups: [group] };
    expect((await admin('post', '/v1/admin/users', user)).body).toEqual(refusal(422, 'GROUPS_NOT_ALLOWED'));
  });
});

describe('a group', () => {
  it('gives its permissions to its members, those of admin.refunds.manual with those that come along', async () => {
    const name = `finance ${randomUUID()}`;
    const { status, body } = await admin('post', '/v1/admin/groups', {
      name,
      permissions: ['admin.refunds.manual'],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^grp_/),
      name,
      permissions: ['admin.refunds.manual'],
    });
    const changed = await admin('patch', `/v1/admin/groups/${encodeURIComponent(name)}`, {
      permissions: ['admin.merchants.read'],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: body.id, permissions: ['admin.merchants.read'] });
  });

  it.each<[string, object]>([
    ['no name', { permissions: [] }],
    ['an empty name', { name: '', permissions: [] }],
    ['no permissions', { name: 'x' }],
    ['an unknown permission', { name: 'x', permissions: ['admin.everything'] }],
    ["a merchant's permission", { name: 'x', permissions: ['charges.create'] }],
  ])('with %s is refused', async (_, group) => {
    expect((await admin('post', '/v1/admin/groups', group)).status).toBe(400);
  });

  it('has a name of its own', async () => {
    const name = await createGroup();
    const { body } = await admin('post', '/v1/admin/groups', { name, permissions: [] });
    expect(body).toEqual(refusal(422, 'GROUP_ALREADY_EXISTS'));
  });

  it('that nobody knows is not found', async () => {
    const { status, body } = await admin('patch', '/v1/admin/groups/nobody', { permissions: [] });
    expect([status, body]).toEqual([404, { statusCode: 404, message: 'Group not found', code: 'NOT_FOUND' }]);
  });

  it('is listed with others', async () => {
    const name = await createGroup('admin.audit.read');
    const { body } = await gateway()
      .call(
        'get',
        `/v1/admin/groups?name=${encodeURIComponent(name)}&permission=admin.audit.read&orderBy=-name`,
      )
      .auth(await gateway().operatorToken(), { type: 'bearer' })
      .set('X-Consistency-Token', 'latest');
    expect(body).toMatchObject({ total: 1, data: [{ name, permissions: ['admin.audit.read'] }] });
  });
});

describe('the administration of users', () => {
  it.each<[Method, string]>([
    ['post', '/v1/admin/users'],
    ['get', '/v1/admin/users'],
    ['get', '/v1/admin/users/usr_1'],
    ['patch', '/v1/admin/users/usr_1'],
    ['post', '/v1/admin/groups'],
    ['get', '/v1/admin/groups'],
    ['patch', '/v1/admin/groups/operators'],
  ])('needs admin.users.update: %s %s', async (method, path) => {
    const { token } = await createReader();
    const { testKey } = await gateway().createMerchant();
    expect((await call(token, method, path)).body).toEqual(
      forbidden('PERMISSION_MISSING', 'admin.users.update'),
    );
    expect((await gateway().call(method, path).auth(testKey, '')).body).toEqual(forbidden('OPERATORS_ONLY'));
    expect((await gateway().call(method, path)).body).toEqual(unauthorized('CREDENTIALS_MISSING'));
  });
});

describe('the last administrator', () => {
  const operatorId = async (): Promise<string> => {
    const operator = await gateway().db.collection('users').findOne({ email: OPERATOR.email });
    return String(operator?.id);
  };
  const LAST = refusal(422, 'LAST_ADMINISTRATOR');

  it('cannot be disabled, leave the group, go to a merchant or lose the permission', async () => {
    const user = `/v1/admin/users/${await operatorId()}`;
    const { id } = await gateway().createMerchant();
    expect((await admin('patch', user, { disabled: true })).body).toEqual(LAST);
    expect((await admin('patch', user, { groups: [] })).body).toEqual(LAST);
    expect((await admin('patch', user, { merchantId: id, groups: [] })).body).toEqual(LAST);
    const { body } = await admin('patch', '/v1/admin/groups/operators', {
      permissions: ['admin.audit.read'],
    });
    expect(body).toEqual(LAST);
    expect((await admin('get', user)).body).toMatchObject({ disabled: false, groups: ['operators'] });
  });

  it('is left over by any number that disable each other at the same time', async () => {
    const group = await createGroup('admin.users.update');
    const others = [await createUser({ groups: [group] }), await createUser({ groups: [group] })];
    const ids = [await operatorId(), ...others.map(({ id }) => id)];
    const token = await gateway().operatorToken();
    const answers = await Promise.all(
      ids.map((id) => call(token, 'patch', `/v1/admin/users/${id}`, { disabled: true })),
    );
    const enabled = await gateway()
      .db.collection('users')
      .countDocuments({ id: { $in: ids }, disabled: false });
    expect(enabled).toBeGreaterThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ids.length - enabled);
  });
});

describe('the first operator', () => {
  it('is created once, by one of several processes that start together, and never again', async () => {
    const variables = testVariables();
    const two = await Promise.all([startTestGateway(variables), startTestGateway(variables)]);
    const third = await startTestGateway(variables);
    expect(await third.db.collection('users').countDocuments()).toBe(1);
    expect(await third.db.collection('groups').countDocuments()).toBe(1);
    for (const running of two) await running.stop({ keepData: true });
    await third.stop();
  }, 180_000);

  it('has to be configured where there is none', async () => {
    const config = { ...loadConfig(testVariables()), bootstrapOperator: null };
    await expect(startGateway(config)).rejects.toThrow(
      'BOOTSTRAP_OPERATOR_EMAIL and BOOTSTRAP_OPERATOR_PASSWORD',
    );
  });
});
