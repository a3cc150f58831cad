import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { timestamp } from '../../src/kernel/clock.ts';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createSessionRemoval } from '../../src/modules/identity/remove-old-sessions.store.ts';
import { createDisableIdleUsers } from '../../src/modules/identity/write/disable-idle-users.ts';
import { createIdentityStore, identityMigrations } from '../../src/modules/identity/write/identity.store.ts';
import { USERS } from '../../src/modules/identity/write/user.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { type KeyRing, keyRing, type Sealed, unseal } from '../../src/platform/secrets.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { createSealedRenewal } from '../../src/platform/write-store/renew-sealed.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { callAt, type Method } from '../support/call.ts';
import { OPERATOR, startTestGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ PASSWORD_CHANGE_AT_FIRST_LOGIN: 'true' });
const FIRST = 'correct horse battery';
const OWN = 'another horse battery';
const MINUTE_MS = 60_000;

/** Another process of the same gateway, where operators need a second factor. */
let strict: TestGateway;
beforeAll(async () => {
  strict = await startTestGateway({ ...gateway().variables, ROLE: 'api', REQUIRE_SECOND_FACTOR: 'true' });
}, 60_000);
afterAll(() => strict.stop({ keepData: true }));

const refusal = (statusCode: number, code: string): object => expect.objectContaining({ statusCode, code });
const login = async (body: object): Promise<Response> => gateway().call('post', '/v1/auth/login').send(body);
const loginElsewhere = async (body: object): Promise<Response> =>
  callAt(strict.url, 'post', '/v1/auth/login').send(body);
const call = async (token: string, method: Method, path: string, body?: object): Promise<Response> => {
  const request = gateway().call(method, path).auth(token, { type: 'bearer' });
  return body === undefined ? request : request.send(body);
};
const callElsewhere = async (token: string, method: Method, path: string): Promise<Response> =>
  callAt(strict.url, method, path).auth(token, { type: 'bearer' });
const admin = async (method: Method, path: string, body?: object): Promise<Response> =>
  call(await gateway().operatorToken(), method, path, body);
const isAlive = async (token: string): Promise<number> =>
  (await call(token, 'get', '/v1/auth/sessions')).status;

type TestUser = { readonly id: string; readonly email: string };
const createUser = async (fields: object = {}): Promise<TestUser> => {
  const email = `${randomUUID()}@example.test`;
  const user = { email, password: FIRST, merchantId: null, groups: [], ...fields };
  const { status, body } = await admin('post', '/v1/admin/users', user);
  expect(status).toBe(201);
  return { id: body.id, email };
};
/** A user with a password of the user's own, and a session. */
const createOwner = async (
  fields: object = {},
): Promise<TestUser & { readonly token: string; readonly credentials: object }> => {
  const user = await createUser(fields);
  const { body } = await login({ email: user.email, password: FIRST });
  const passwords = { currentPassword: FIRST, newPassword: OWN };
  expect((await call(body.accessToken, 'post', '/v1/auth/password', passwords)).status).toBe(204);
  const credentials = { email: user.email, password: OWN };
  return { ...user, credentials, token: (await login(credentials)).body.accessToken };
};
/** A code of the authenticator, some steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
/** The code of the step before, not so late that it expires on its way through a busy machine. */
const earlierCodeOf = async (secret: string): Promise<string> => {
  while (Date.now() % 30_000 > 25_000) await sleep(100);
  return codeOf(secret, -1);
};
const aWrongCode = (secret: string): string =>
  ['111111', '222222', '333333', '444444'].find(
    (code) => ![-1, 0, 1, 2].some((steps) => codeOf(secret, steps) === code),
  ) ?? '';
/** A user with a second factor; the session it was set up in is over. */
const createGuarded = async (fields: object = {}) => {
  const owner = await createOwner(fields);
  const { body: started } = await call(owner.token, 'post', '/v1/auth/second-factor');
  const confirmed = await call(owner.token, 'post', '/v1/auth/second-factor/confirm', {
    code: await earlierCodeOf(started.secret),
  });
  expect(confirmed.status).toBe(200);
  return {
    ...owner,
    secret: started.secret as string,
    recoveryCodes: confirmed.body.recoveryCodes as string[],
  };
};
const auditTypes = async (resourceId: string): Promise<string[]> => {
  const { body } = await gateway()
    .call('get', `/v1/admin/audit-log?resourceId=${resourceId}&orderBy=createdAt&size=100`)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .set('X-Consistency-Token', 'latest');
  return body.data.map(({ type }: { type: string }) => type);
};
/** Moves what was noted about sessions or users into the past. */
const change = async (collection: string, id: string, fields: object): Promise<void> => {
  const { modifiedCount } = await gateway().db.collection(collection).updateOne({ id }, { $set: fields });
  expect(modifiedCount).toBe(1);
};
const ago = (ms: number): string => timestamp(new Date(Date.now() - ms));
const currentSession = async (token: string): Promise<string> => {
  const { body } = await call(token, 'get', '/v1/auth/sessions');
  return body.data.find(({ current }: { current: boolean }) => current).id;
};

/** The hourly work of a worker. */
const disableIdle = (): Promise<void> =>
  createDisableIdleUsers({
    transact: gateway().container.get(platform.services).transact,
    clock: gateway().container.get(platform.services).clock,
    identityStore: createIdentityStore(gateway().db),
    logger: createFakeLogger().logger,
  })();

describe('a one-time password', () => {
  it('of a new user is good for changing it only', async () => {
    const { id, email } = await createUser();
    const { status, body } = await login({ email, password: FIRST });
    expect([status, body.passwordChangeRequired, body.secondFactorSetupRequired]).toEqual([200, true, false]);
    for (const [method, path] of [
      ['get', '/v1/auth/sessions'],
      ['post', '/v1/auth/second-factor'],
      ['post', '/v1/auth/logout'],
      ['get', '/v1/admin/users'],
      ['get', '/v1/charges'],
    ] as const)
      expect((await call(body.accessToken, method, path)).body).toEqual(
        refusal(403, 'PASSWORD_CHANGE_REQUIRED'),
      );
    const passwords = { currentPassword: FIRST, newPassword: OWN };
    expect((await call(body.accessToken, 'post', '/v1/auth/password', passwords)).status).toBe(204);
    expect((await call(body.accessToken, 'post', '/v1/auth/password', passwords)).status).toBe(401);
    const own = await login({ email, password: OWN });
    expect(own.body.passwordChangeRequired).toBe(false);
    expect(await isAlive(own.body.accessToken)).toBe(200);
    const { body: user } = await admin('get', `/v1/admin/users/${id}`);
    expect(user).toMatchObject({ oneTimePasswordExpiresAt: null, lastLoginAt: expect.any(String) });
  });

  it('is not kept by changing it to itself', async () => {
    const { email } = await createUser();
    const { body } = await login({ email, password: FIRST });
    const passwords = { currentPassword: FIRST, newPassword: FIRST };
    expect((await call(body.accessToken, 'post', '/v1/auth/password', passwords)).body).toEqual(
      refusal(422, 'PASSWORD_USED_BEFORE'),
    );
  });

  it('of a new user ends after seven days', async () => {
    const { id, email } = await createUser();
    const { body } = await admin('get', `/v1/admin/users/${id}`);
    expect(Date.parse(body.oneTimePasswordExpiresAt) - Date.parse(body.createdAt)).toBe(7 * DAY_MS);
    await change('users', id, { oneTimePasswordExpiresAt: ago(1) });
    expect((await login({ email, password: FIRST })).body).toEqual(refusal(401, 'CREDENTIALS_INVALID'));
  });

  it('by an operator replaces the password for one hour and ends all sessions', async () => {
    const owner = await createOwner();
    const { status, body } = await admin('post', `/v1/admin/users/${owner.id}/password-reset`);
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(MINUTE_MS);
    expect(await isAlive(owner.token)).toBe(401);
    expect((await login(owner.credentials)).status).toBe(401);
    const oneTime = await login({ email: owner.email, password: body.oneTimePassword });
    expect(oneTime.body.passwordChangeRequired).toBe(true);
    const back = { currentPassword: body.oneTimePassword, newPassword: OWN };
    expect((await call(oneTime.body.accessToken, 'post', '/v1/auth/password', back)).body).toEqual(
      refusal(422, 'PASSWORD_USED_BEFORE'),
    );
    expect(JSON.stringify(await gateway().db.collection('users').findOne({ id: owner.id }))).not.toContain(
      body.oneTimePassword,
    );
  });

  it('is for others only, and for users that there are', async () => {
    const { body } = await call(
      await gateway().operatorToken(),
      'get',
      '/v1/admin/users?email=operator@portico.test',
    );
    const path = `/v1/admin/users/${body.data[0].id}/password-reset`;
    expect((await admin('post', path)).body).toEqual(refusal(422, 'OWN_ACCOUNT'));
    expect((await admin('post', '/v1/admin/users/usr_1/password-reset')).status).toBe(404);
  });

  it('that is easily guessed is refused', async () => {
    const user = { email: 'maria.souza@example.test', merchantId: null, groups: [] };
    for (const [password, code] of [
      ['Password2026!', 'PASSWORD_TOO_COMMON'],
      ['maria.souza2026', 'PASSWORD_NAMES_USER'],
    ])
      expect((await admin('post', '/v1/admin/users', { ...user, password })).body).toEqual(
        refusal(422, code ?? ''),
      );
  });

  it('has to be changed in production', () => {
    const variables = {
      ...gateway().variables,
      NODE_ENV: 'production',
      PASSWORD_CHANGE_AT_FIRST_LOGIN: 'false',
    };
    expect(() => loadConfig(variables)).toThrow('PASSWORD_CHANGE_AT_FIRST_LOGIN must be true in production');
  });
});

it("one's own password is changed once, by one of many that try at the same time", async () => {
  const owner = await createOwner();
  const passwords = Array.from({ length: 4 }, (_, number) => `${OWN} ${number}`);
  const answers = await Promise.all(
    passwords.map((newPassword) =>
      call(owner.token, 'post', '/v1/auth/password', { currentPassword: OWN, newPassword }),
    ),
  );
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  const logins = await Promise.all(passwords.map((password) => login({ email: owner.email, password })));
  expect(logins.map(({ status }) => status === 200)).toEqual(answers.map(({ status }) => status === 204));
});

describe('the lock after ten failures', () => {
  it('lasts half an hour, and does not reach an address of former logins', async () => {
    const owner = await createOwner();
    // As if all that this user did before had come from elsewhere.
    await gateway()
      .db.collection('sessions')
      .updateMany({ userId: owner.id }, { $set: { address: '192.0.2.7', site: '192.0.2.7' } });
    for (let tries = 0; tries < 10; tries += 1)
      await login({ ...owner.credentials, password: `wrong ${tries}` });
    const { status, headers } = await login(owner.credentials);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(1_700);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(1_800);
    await gateway()
      .db.collection('sessions')
      .updateMany({ userId: owner.id }, { $set: { address: '127.0.0.1', site: '127.0.0.1' } });
    expect((await login(owner.credentials)).status).toBe(200);
  });
});

describe('a second factor', () => {
  it('is set up by a secret, confirmed by a code, and asked for from then on', async () => {
    const owner = await createOwner();
    const { status, body: started } = await call(owner.token, 'post', '/v1/auth/second-factor');
    expect(status).toBe(200);
    expect(started).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringMatching(/^otpauth:\/\/totp\/Portico/),
    });
    expect((await login(owner.credentials)).status).toBe(200);
    const wrong = await call(owner.token, 'post', '/v1/auth/second-factor/confirm', {
      code: aWrongCode(started.secret),
    });
    expect(wrong.body).toEqual(refusal(422, 'WRONG_CODE'));
    const code = codeOf(started.secret);
    const { body: confirmed } = await call(owner.token, 'post', '/v1/auth/second-factor/confirm', { code });
    expect(confirmed.recoveryCodes).toHaveLength(10);
    expect(await isAlive(owner.token)).toBe(401);
    expect((await login(owner.credentials)).body).toEqual(refusal(401, 'SECOND_FACTOR_REQUIRED'));
    expect((await login({ ...owner.credentials, code })).body).toEqual(refusal(401, 'CREDENTIALS_INVALID'));
    const { body } = await login({ ...owner.credentials, code: codeOf(started.secret, 1) });
    expect(await isAlive(body.accessToken)).toBe(200);
    expect((await admin('get', `/v1/admin/users/${owner.id}`)).body.secondFactor).toBe(true);
    expect((await call(body.accessToken, 'post', '/v1/auth/second-factor')).body).toEqual(
      refusal(422, 'SECOND_FACTOR_ALREADY_SET'),
    );
    const stored = JSON.stringify([
      await gateway().db.collection('users').findOne({ id: owner.id }),
      await gateway().db.collection('domain_events').find({ resourceId: owner.id }).toArray(),
    ]);
    for (const secret of [started.secret, ...confirmed.recoveryCodes]) expect(stored).not.toContain(secret);
  });

  it('is asked for only with the right password', async () => {
    const guarded = await createGuarded();
    expect((await login({ ...guarded.credentials, password: 'wrong' })).body).toEqual(
      refusal(401, 'CREDENTIALS_INVALID'),
    );
  });

  it('takes each code once, however many come with it at the same time, on every instance', async () => {
    const guarded = await createGuarded();
    const attempt = { ...guarded.credentials, code: codeOf(guarded.secret) };
    const answers = await Promise.all([
      login(attempt),
      loginElsewhere(attempt),
      login(attempt),
      loginElsewhere(attempt),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('takes no code from before one that was taken', async () => {
    const guarded = await createGuarded();
    // The next step may begin in between, and both codes are right all the same.
    expect((await login({ ...guarded.credentials, code: codeOf(guarded.secret, 1) })).status).toBe(200);
    expect((await login({ ...guarded.credentials, code: codeOf(guarded.secret) })).status).toBe(401);
  });

  it('takes each recovery code once, too', async () => {
    const guarded = await createGuarded();
    const [code = '', other = ''] = guarded.recoveryCodes;
    const attempt = { ...guarded.credentials, code };
    const answers = await Promise.all([login(attempt), loginElsewhere(attempt), login(attempt)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const typed = other.toLowerCase().replaceAll('-', ' ');
    expect((await login({ ...guarded.credentials, code: typed })).status).toBe(200);
    expect(await auditTypes(guarded.id)).toEqual(
      expect.arrayContaining([
        'user.second_factor_confirmed',
        'user.recovery_code_used',
        'user.login_failed',
      ]),
    );
  });

  it('cannot be guessed, nor by asking without a code in between', async () => {
    const guarded = await createGuarded();
    const code = aWrongCode(guarded.secret);
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await login({ ...guarded.credentials, code })).status).toBe(401);
      if (tries < 9) expect((await login(guarded.credentials)).status).toBe(401);
    }
    expect((await login({ ...guarded.credentials, code: codeOf(guarded.secret, 1) })).status).toBe(429);
  });

  it('is confirmed once, by one of many that try at the same time, whose recovery codes count', async () => {
    const owner = await createOwner();
    const { body: started } = await call(owner.token, 'post', '/v1/auth/second-factor');
    const confirm = { code: await earlierCodeOf(started.secret) };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call(owner.token, 'post', '/v1/auth/second-factor/confirm', confirm)),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const code = winner?.body.recoveryCodes[0];
    expect((await login({ ...owner.credentials, code })).status).toBe(200);
  });

  it('is what the list of users can be filtered by', async () => {
    const { email } = await createGuarded();
    const token = await gateway().operatorToken();
    const totalWith = async (secondFactor: boolean): Promise<number> =>
      (
        await gateway()
          .call('get', `/v1/admin/users?email=${email}&secondFactor=${secondFactor}&orderBy=-lastLoginAt`)
          .auth(token, { type: 'bearer' })
          .set('X-Consistency-Token', 'latest')
      ).body.total;
    expect([await totalWith(true), await totalWith(false)]).toEqual([1, 0]);
  });

  it('is removed by a code only', async () => {
    const guarded = await createGuarded();
    const code = codeOf(guarded.secret);
    const { body } = await login({ ...guarded.credentials, code });
    const remove = (fields: object): Promise<Response> =>
      call(body.accessToken, 'delete', '/v1/auth/second-factor', fields);
    expect((await remove({})).status).toBe(400);
    expect((await remove({ code })).body).toEqual(refusal(422, 'WRONG_CODE'));
    expect((await remove({ code: guarded.recoveryCodes[0] })).status).toBe(204);
    expect(await isAlive(body.accessToken)).toBe(401);
    expect((await login(guarded.credentials)).status).toBe(200);
  });

  it('that was lost is taken away by an operator', async () => {
    const guarded = await createGuarded();
    const path = `/v1/admin/users/${guarded.id}/second-factor-reset`;
    const { status, body } = await admin('post', path);
    expect([status, body.secondFactor]).toEqual([200, false]);
    expect((await login(guarded.credentials)).status).toBe(200);
    expect((await admin('post', path)).body).toEqual(refusal(422, 'SECOND_FACTOR_NOT_SET'));
  });

  it('is not confirmed before it is started, nor removed where there is none', async () => {
    const { token } = await createOwner();
    const confirm = await call(token, 'post', '/v1/auth/second-factor/confirm', { code: '123456' });
    expect(confirm.body).toEqual(refusal(422, 'SECOND_FACTOR_NOT_STARTED'));
    const remove = await call(token, 'delete', '/v1/auth/second-factor', { code: '123456' });
    expect(remove.body).toEqual(refusal(422, 'SECOND_FACTOR_NOT_SET'));
  });

  it('of an operator, where it is required, comes before everything else', async () => {
    const owner = await createOwner();
    const { body } = await loginElsewhere(owner.credentials);
    expect(body).toMatchObject({ passwordChangeRequired: false, secondFactorSetupRequired: true });
    expect((await callElsewhere(body.accessToken, 'get', '/v1/auth/sessions')).body).toEqual(
      refusal(403, 'SECOND_FACTOR_SETUP_REQUIRED'),
    );
    const { body: started } = await callElsewhere(body.accessToken, 'post', '/v1/auth/second-factor');
    const confirmed = await callAt(strict.url, 'post', '/v1/auth/second-factor/confirm')
      .auth(body.accessToken, { type: 'bearer' })
      .send({ code: await earlierCodeOf(started.secret) });
    expect(confirmed.status).toBe(200);
    const again = await loginElsewhere({ ...owner.credentials, code: codeOf(started.secret) });
    expect(again.body.secondFactorSetupRequired).toBe(false);
    expect((await callElsewhere(again.body.accessToken, 'get', '/v1/auth/sessions')).status).toBe(200);
  });

  it("of a merchant's user is never required", async () => {
    const { id } = await gateway().createMerchant();
    const owner = await createOwner({ merchantId: id });
    const { body } = await loginElsewhere(owner.credentials);
    expect((await callElsewhere(body.accessToken, 'get', '/v1/charges')).status).toBe(200);
  });
});

describe('a session', () => {
  it('is ended by a logout at once, on every instance', async () => {
    const guarded = await createGuarded();
    const { body } = await login({ ...guarded.credentials, code: codeOf(guarded.secret) });
    expect((await callElsewhere(body.accessToken, 'get', '/v1/auth/sessions')).status).toBe(200);
    expect((await call(body.accessToken, 'post', '/v1/auth/logout')).status).toBe(204);
    expect((await callElsewhere(body.accessToken, 'get', '/v1/auth/sessions')).body).toEqual(
      refusal(401, 'TOKEN_EXPIRED'),
    );
  });

  it('is listed with where it came from, and ended apart from the others', async () => {
    const owner = await createOwner();
    const other = await gateway()
      .call('post', '/v1/auth/login')
      .set('User-Agent', 'Browser/1.0')
      .send({ ...owner.credentials, environment: 'test' });
    const { body } = await call(owner.token, 'get', '/v1/auth/sessions');
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^ses_/),
        current: false,
        livemode: false,
        address: '127.0.0.1',
        userAgent: 'Browser/1.0',
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        expiresAt: expect.any(String),
      },
      expect.objectContaining({ current: true, livemode: true, userAgent: null }),
    ]);
    const [{ id, createdAt, expiresAt }] = body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(12 * 3_600_000);
    expect((await call(owner.token, 'delete', `/v1/auth/sessions/${id}`)).status).toBe(204);
    expect(await isAlive(other.body.accessToken)).toBe(401);
    expect(await isAlive(owner.token)).toBe(200);
    expect((await call(owner.token, 'delete', `/v1/auth/sessions/${id}`)).status).toBe(404);
    expect(await auditTypes(id)).toEqual(['user.logged_out']);
  });

  it("is nobody else's to see or end", async () => {
    const [owner, stranger] = [await createOwner(), await createOwner()];
    const id = await currentSession(owner.token);
    expect((await call(stranger.token, 'delete', `/v1/auth/sessions/${id}`)).body).toEqual({
      statusCode: 404,
      message: 'Session not found',
      code: 'NOT_FOUND',
    });
    expect(await isAlive(owner.token)).toBe(200);
  });

  it('is ended together with all others of the user', async () => {
    const owner = await createOwner();
    const { body } = await login({ ...owner.credentials, environment: 'test' });
    expect((await call(owner.token, 'delete', '/v1/auth/sessions')).status).toBe(204);
    expect([await isAlive(owner.token), await isAlive(body.accessToken)]).toEqual([401, 401]);
  });

  it('ends after 15 minutes without a request, and after 12 hours', async () => {
    const owner = await createOwner();
    const id = await currentSession(owner.token);
    await change('sessions', id, { lastSeenAt: ago(14 * MINUTE_MS) });
    expect(await isAlive(owner.token)).toBe(200);
    await change('sessions', id, { lastSeenAt: ago(15 * MINUTE_MS) });
    expect((await call(owner.token, 'get', '/v1/auth/sessions')).body).toEqual(refusal(401, 'TOKEN_EXPIRED'));
    await change('sessions', id, { lastSeenAt: ago(0), expiresAt: ago(1) });
    expect((await call(owner.token, 'get', '/v1/auth/sessions')).body).toEqual(refusal(401, 'TOKEN_EXPIRED'));
  });

  it('is noted as used once a minute and no more', async () => {
    const owner = await createOwner();
    const id = await currentSession(owner.token);
    const seenAt = async (): Promise<string> =>
      (await gateway().db.collection('sessions').findOne({ id }))?.lastSeenAt;
    const recently = ago(59_000);
    await change('sessions', id, { lastSeenAt: recently });
    await isAlive(owner.token);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await seenAt()).toBe(recently);
    const before = ago(61_000);
    await change('sessions', id, { lastSeenAt: before });
    await isAlive(owner.token);
    for (let tries = 0; tries < 100 && (await seenAt()) === before; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Date.parse(await seenAt())).toBeGreaterThan(Date.now() - 30_000);
  });

  it.each<[string, object]>([
    ['another e-mail address', { email: `${randomUUID()}@example.test` }],
    ['other groups', { groups: ['operators'] }],
  ])('ends with %s', async (_, changes) => {
    const owner = await createOwner();
    expect((await admin('patch', `/v1/admin/users/${owner.id}`, changes)).status).toBe(200);
    expect(await isAlive(owner.token)).toBe(401);
  });
});

describe('a refresh cookie', () => {
  const cookieOf = ({ headers }: Response): string => String(headers['set-cookie']?.[0] ?? '');
  const pairOf = (answer: Response): string => cookieOf(answer).split(';')[0] ?? '';
  const refresh = async (cookie: string, url = gateway().url): Promise<Response> =>
    callAt(url, 'post', '/v1/auth/refresh').set('Cookie', cookie).set('X-Requested-With', 'portico');
  const loginByBrowser = async (): Promise<{ readonly answer: Response; readonly credentials: object }> => {
    const { credentials } = await createOwner();
    return { credentials, answer: await login({ ...credentials, refresh: true }) };
  };

  it('is set where the login asks for it, out of reach of scripts and other sites', async () => {
    const { answer, credentials } = await loginByBrowser();
    expect(cookieOf(answer)).toMatch(
      /^portico_refresh=[\w.-]+; Path=\/v1\/auth\/refresh; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect((await login(credentials)).headers['set-cookie']).toBeUndefined();
  });

  it('gives a new token and a new cookie', async () => {
    const { answer } = await loginByBrowser();
    const next = await refresh(`other=1; ${pairOf(answer)}`);
    expect([next.status, next.body]).toEqual([
      200,
      { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 3600 },
    ]);
    expect(await isAlive(next.body.accessToken)).toBe(200);
    expect(pairOf(next)).not.toBe(pairOf(answer));
    expect((await refresh(pairOf(next))).status).toBe(200);
  });

  it('needs the header that no other site can send', async () => {
    const { answer } = await loginByBrowser();
    for (const header of ['', 'XMLHttpRequest']) {
      const { body } = await gateway()
        .call('post', '/v1/auth/refresh')
        .set('Cookie', pairOf(answer))
        .set('X-Requested-With', header);
      expect(body).toEqual(refusal(403, 'REQUESTED_WITH_MISSING'));
    }
    expect((await refresh(pairOf(answer))).status).toBe(200);
  });

  it('that comes twice ends the session', async () => {
    const { answer } = await loginByBrowser();
    const next = await refresh(pairOf(answer));
    const id = await currentSession(next.body.accessToken);
    expect((await refresh(pairOf(answer))).body).toEqual(refusal(401, 'CREDENTIALS_INVALID'));
    expect(await isAlive(next.body.accessToken)).toBe(401);
    expect((await refresh(pairOf(next))).status).toBe(401);
    expect(await auditTypes(id)).toEqual(['session.cookie_reused']);
  });

  it('that comes twice at the same time is taken once at most, and ends the session', async () => {
    const { answer } = await loginByBrowser();
    const answers = await Promise.all([
      refresh(pairOf(answer)),
      refresh(pairOf(answer), strict.url),
      refresh(pairOf(answer)),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => ![200, 401].includes(status))).toEqual([]);
    expect(await isAlive(answer.body.accessToken)).toBe(401);
  });

  it.each([
    ['missing', '', 'CREDENTIALS_MISSING'],
    ['empty', 'portico_refresh=', 'CREDENTIALS_INVALID'],
    ['no token', 'portico_refresh=x.y.z', 'CREDENTIALS_INVALID'],
    ['another cookie', 'refresh=x', 'CREDENTIALS_MISSING'],
  ])('is refused where it is %s', async (_, cookie, code) => {
    expect((await refresh(cookie)).body).toEqual(refusal(401, code));
  });

  it('is no use after a logout, nor is an access token in its place', async () => {
    const { answer } = await loginByBrowser();
    const { accessToken } = answer.body;
    expect((await refresh(`portico_refresh=${accessToken}`)).body).toEqual(
      refusal(401, 'CREDENTIALS_INVALID'),
    );
    const loggedOut = await call(accessToken, 'post', '/v1/auth/logout');
    expect(cookieOf(loggedOut)).toContain('Max-Age=0');
    expect((await refresh(pairOf(answer))).status).toBe(401);
  });
});

describe('the end of a session, raced', () => {
  const ROUNDS = volume({ usual: 3, proof: 40 });
  /** Calls that may come before or after the end, on both instances. */
  const many = <T>(ask: (isElsewhere: boolean) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 6 }, (_, index) => ask(index % 2 === 1)));
  const tokensOf = (answers: readonly Response[]): readonly string[] =>
    answers.filter(({ status }) => status === 200).map(({ body }) => body.accessToken);
  const statusesOf = (answers: readonly Response[]): readonly number[] => answers.map(({ status }) => status);
  const expectOver = async (tokens: readonly string[]): Promise<void> => {
    for (const token of tokens)
      expect([token, (await callElsewhere(token, 'get', '/v1/auth/sessions')).status]).toEqual([token, 401]);
  };

  it('counts for requests that come while it ends', async () => {
    const { id: merchantId } = await gateway().createMerchant();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { token } = await createOwner({ merchantId });
      const ask = (isElsewhere: boolean): Promise<Response> =>
        (isElsewhere ? callElsewhere : call)(token, 'get', '/v1/auth/sessions');
      const [logout, during] = await Promise.all([call(token, 'post', '/v1/auth/logout'), many(ask)]);
      expect(logout.status).toBe(204);
      for (const status of statusesOf(during)) expect([200, 401]).toContain(status);
      expect(statusesOf(await many(ask))).toEqual(Array(6).fill(401));
    }
  });

  it('counts for a cookie that is used while it ends', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { credentials } = await createOwner();
      const answer = await login({ ...credentials, refresh: true });
      const cookie = String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? '';
      const refresh = (pair: string): Promise<Response> =>
        callAt(strict.url, 'post', '/v1/auth/refresh')
          .set('Cookie', pair)
          .set('X-Requested-With', 'portico')
          .then((refreshed) => refreshed);
      const [refreshed] = await Promise.all([
        refresh(cookie),
        call(answer.body.accessToken, 'post', '/v1/auth/logout'),
      ]);
      await expectOver([answer.body.accessToken, ...tokensOf([refreshed])]);
      const next = String(refreshed.headers['set-cookie']?.[0] ?? cookie).split(';')[0] ?? '';
      expect((await refresh(next)).status).toBe(401);
    }
  });

  it.each<[string, (owner: Awaited<ReturnType<typeof createOwner>>) => Promise<Response>]>([
    [
      "a change of one's own password",
      ({ token }) =>
        call(token, 'post', '/v1/auth/password', { currentPassword: OWN, newPassword: `${OWN} 2` }),
    ],
    ['a reset', ({ id }) => admin('post', `/v1/admin/users/${id}/password-reset`)],
    ['disabling', ({ id }) => admin('patch', `/v1/admin/users/${id}`, { disabled: true })],
  ])('counts for logins that come at the same time as %s', async (_, end) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const owner = await createOwner();
      const [ended, logins] = await Promise.all([
        end(owner),
        many((isElsewhere) => (isElsewhere ? loginElsewhere : login)(owner.credentials)),
      ]);
      expect([200, 204]).toContain(ended.status);
      for (const status of statusesOf(logins)) expect([200, 401]).toContain(status);
      await expectOver([owner.token, ...tokensOf(logins)]);
      expect((await login(owner.credentials)).status).toBe(401);
    }
  });

  it('leaves one of two one-time passwords that are given at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, email } = await createOwner();
      const resets = await Promise.all(
        [1, 2].map(() => admin('post', `/v1/admin/users/${id}/password-reset`)),
      );
      const given = resets.filter(({ status }) => status === 200).map(({ body }) => body.oneTimePassword);
      const logins: Response[] = [];
      for (const password of given) logins.push(await login({ email, password }));
      expect(statusesOf(logins).filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

describe('a user that was not seen for 90 days', () => {
  it('is disabled with the reason, and enabled again by an operator', async () => {
    const [owner, other] = [await createOwner(), await createOwner()];
    await change('users', owner.id, { idleSince: ago(90 * DAY_MS + MINUTE_MS) });
    await change('users', other.id, { idleSince: ago(90 * DAY_MS - MINUTE_MS) });
    await disableIdle();
    const user = `/v1/admin/users/${owner.id}`;
    expect((await admin('get', user)).body).toMatchObject({ disabled: true, disabledReason: 'inactivity' });
    expect((await admin('get', `/v1/admin/users/${other.id}`)).body.disabled).toBe(false);
    expect(await isAlive(owner.token)).toBe(401);
    expect((await login(owner.credentials)).body).toEqual(refusal(401, 'CREDENTIALS_INVALID'));
    expect((await admin('patch', user, { disabled: false })).body).toMatchObject({
      disabled: false,
      disabledReason: null,
    });
    await disableIdle();
    expect((await login(owner.credentials)).status).toBe(200);
  });

  it('stays enabled as the last one who can administer users', async () => {
    const { db } = gateway();
    const operator = await db.collection('users').findOne({ email: OPERATOR.email });
    const others = { id: { $ne: operator?.id }, groups: 'operators' };
    await db.collection('users').updateMany(others, { $set: { disabled: true } });
    await change('users', String(operator?.id), { idleSince: ago(400 * DAY_MS) });
    await disableIdle();
    expect((await login(OPERATOR)).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('has logins, failed ones with their reason, and where they came from', async () => {
    const owner = await createOwner();
    await login({ ...owner.credentials, password: 'wrong' });
    const { body } = await gateway()
      .call('get', `/v1/admin/audit-log?resourceId=${owner.id}&orderBy=-createdAt&size=2`)
      .auth(await gateway().operatorToken(), { type: 'bearer' })
      .set('X-Consistency-Token', 'latest');
    expect(body.data).toEqual([
      expect.objectContaining({
        type: 'user.login_failed',
        actor: { kind: 'system', id: 'anonymous' },
        address: '127.0.0.1',
        details: { fault: 'wrong_password' },
      }),
      expect.objectContaining({
        type: 'user.logged_in',
        actor: { kind: 'operator', id: owner.id },
        address: '127.0.0.1',
      }),
    ]);
  });
});

describe('stored credentials', () => {
  it('of second factors is sealed anew with a new secret', async () => {
    const guarded = await createGuarded();
    const { db, variables } = gateway();
    const present = variables.SECRETS_KEY ?? '';
    const next = 'another secret that is long enough to be one';
    const sealedIn = async (): Promise<Sealed> =>
      (await db.collection('users').findOne({ id: guarded.id }))?.secret.secondFactor.sealedSecret;
    const ring = keyRing([next, present]);
    const createRenewal = (deps: { readonly db: Database; readonly sealing: KeyRing }) =>
      createSealedRenewal(deps, { what: 'second factors', from: USERS, name: 'secondFactor.sealedSecret' });
    expect((await createRenewal({ db, sealing: ring }).run()).renewed).toBeGreaterThan(0);
    expect(unseal(keyRing([next]), await sealedIn())).toBe(guarded.secret);
    expect(await createRenewal({ db, sealing: ring }).run()).toEqual({ renewed: 0, left: [] });
    await createRenewal({ db, sealing: keyRing([present, next]) }).run();
    expect((await login({ ...guarded.credentials, code: codeOf(guarded.secret) })).status).toBe(200);
  });

  it('of sessions goes 90 days after their end', async () => {
    const [owner, other] = [await createOwner(), await createOwner()];
    const [gone, kept] = [await currentSession(owner.token), await currentSession(other.token)];
    await change('sessions', gone, { expiresAt: ago(90 * DAY_MS + MINUTE_MS) });
    await change('sessions', kept, { expiresAt: ago(90 * DAY_MS - MINUTE_MS) });
    const { db } = gateway();
    await createSessionRemoval({ db }).run(new Date(), new AbortController().signal, null);
    const left = await db
      .collection('sessions')
      .find({ id: { $in: [gone, kept] } })
      .toArray();
    expect(left.map(({ id }) => id)).toEqual([kept]);
  });

  it('of users by an older version goes over to this one', async () => {
    const [owner, disabled] = [await createOwner(), await createOwner()];
    const { db } = gateway();
    const since = ['disabledReason', 'oneTimePasswordExpiresAt', 'secondFactor', 'lastLoginAt', 'idleSince'];
    const unset = Object.fromEntries(
      [...since, 'secret.formerHashes', 'secret.secondFactor'].map((name) => [name, '']),
    );
    await db.collection('users').updateMany({ id: { $in: [owner.id, disabled.id] } }, { $unset: unset });
    await change('users', disabled.id, { disabled: true });
    for (const { up } of identityMigrations) await up(db);
    expect((await admin('get', `/v1/admin/users/${disabled.id}`)).body).toMatchObject({
      disabledReason: 'operator',
      lastLoginAt: null,
      secondFactor: false,
    });
    const { body } = await login(owner.credentials);
    const passwords = { currentPassword: OWN, newPassword: FIRST };
    expect((await call(body.accessToken, 'post', '/v1/auth/password', passwords)).status).toBe(204);
    await disableIdle();
    expect((await login({ ...owner.credentials, password: FIRST })).status).toBe(200);
  });
});
