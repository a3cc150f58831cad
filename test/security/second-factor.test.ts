import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { callAt, type Method } from '../support/call.ts';
import { type Client, operator, PATIENT } from '../support/client.ts';
import { startTestGateway, type TestGateway, useGateway } from '../support/gateway.ts';

// The tests stand behind a proxy that is trusted, and say by its header where they come from.
const gateway = useGateway({ ...PATIENT, TRUSTED_PROXIES: 'loopback' });
const PASSWORD = 'a long pass phrase of hers';
const HOME = '198.51.100.9';

let admin: Client;
let other: TestGateway;
beforeAll(async () => {
  admin = await operator(gateway, 'test');
  other = await startTestGateway({ ...gateway().variables, ROLE: 'api' });
}, 180_000);
afterAll(() => other.stop({ keepData: true }));

/** Addresses that nobody used before. */
const strangers = (count: number): readonly string[] => {
  const site = Math.floor(Math.random() * 65_536).toString(16);
  return Array.from({ length: count }, (_, at) => `2001:db8:${site}:${at.toString(16)}::1`);
};
/** A call to one process or the other, from one address. */
const from = (address: string, at: number, method: Method, path: string, body?: object, token?: string) => {
  const request = callAt(at % 2 === 0 ? gateway().url : other.url, method, path);
  if (token) request.auth(token, { type: 'bearer' });
  request.set('X-Forwarded-For', address);
  return body === undefined ? request : request.send(body);
};
const login = (address: string, at: number, body: object) =>
  from(address, at, 'post', '/v1/auth/login', { environment: 'test', ...body });
const statusesOf = (answers: readonly Response[]) => {
  const count: Record<number, number> = {};
  for (const { status } of answers) count[status] = (count[status] ?? 0) + 1;
  return count;
};

const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
/** Codes that are wrong now and in the minutes to come. */
const wrongCodes = (secret: string, count: number): readonly string[] => {
  const right = new Set(Array.from({ length: 12 }, (_, at) => codeOf(secret, at - 2)));
  const codes: string[] = [];
  for (let code = 100_000; codes.length < count; code += 7_919) {
    const text = String(code % 1_000_000).padStart(6, '0');
    if (!right.has(text)) codes.push(text);
  }
  return codes;
};

const createUser = async () => {
  const credentials = { email: `${randomUUID()}@example.test`, password: PASSWORD };
  const user = { ...credentials, merchantId: null, groups: [] };
  const { body } = await admin.post('/v1/admin/users', user).expect(201);
  return { id: body.id as string, credentials };
};
/** A user with a second factor, who was at home only. */
const createGuarded = async () => {
  const { id, credentials } = await createUser();
  const { body } = await login(HOME, 0, credentials).expect(200);
  const call = (path: string, fields?: object) => from(HOME, 0, 'post', path, fields, body.accessToken);
  const { secret } = (await call('/v1/auth/second-factor').expect(200)).body;
  const confirmed = await call('/v1/auth/second-factor/confirm', { code: codeOf(secret, -1) });
  // The step before may be over on a busy machine; the present one serves as well then.
  const { recoveryCodes } =
    confirmed.status === 200
      ? confirmed.body
      : (await call('/v1/auth/second-factor/confirm', { code: codeOf(secret) }).expect(200)).body;
  return { id, credentials, secret: secret as string, recoveryCodes: recoveryCodes as readonly string[] };
};
const triedCodes = (userId: string): Promise<number> =>
  gateway().db.collection('audit_log').countDocuments({ resourceId: userId, 'details.fault': 'wrong_code' });

describe('somebody with the right password who guesses codes', () => {
  it('has ten tries, from sixty addresses at two processes at once', async () => {
    const { id, credentials, secret, recoveryCodes } = await createGuarded();
    const codes = wrongCodes(secret, 60);
    const answers = await Promise.all(
      strangers(60).map((address, at) => login(address, at, { ...credentials, code: codes[at] })),
    );
    expect(statusesOf(answers)).toEqual({ 401: 10, 429: 50 });
    expect(await triedCodes(id)).toBe(10);
    const [late = ''] = strangers(1);
    for (const code of [codeOf(secret, 1), recoveryCodes[0]])
      await login(late, 1, { ...credentials, code }).expect(429);
    // The lock is for strangers, and the right code was not used up by it.
    await login(HOME, 1, { ...credentials, code: codeOf(secret, 1) }).expect(200);
  });

  it('has no more by asking for the code in between, at both processes at once', async () => {
    const { id, credentials, secret } = await createGuarded();
    const codes = wrongCodes(secret, 30);
    await Promise.all(
      strangers(60).map((address, at) =>
        login(address, at, at % 4 < 2 ? credentials : { ...credentials, code: codes[at % 30] }),
      ),
    );
    for (const [at, address] of strangers(20).entries())
      await login(address, at, at % 2 ? credentials : { ...credentials, code: codes[at] });
    expect(await triedCodes(id)).toBeLessThanOrEqual(10);
    expect(await triedCodes(id)).toBeGreaterThan(0);
  });

  it('has none in addition by recovery codes', async () => {
    const { id, credentials, secret } = await createGuarded();
    const codes = wrongCodes(secret, 15).map((code, at) => (at % 2 ? code : `ABCD-EFGH-IJKL-${code}`));
    const answers = await Promise.all(
      strangers(15).map((address, at) => login(address, at, { ...credentials, code: codes[at] })),
    );
    expect(statusesOf(answers)).toEqual({ 401: 10, 429: 5 });
    expect(await triedCodes(id)).toBe(10);
  });

  it('has none in addition with stolen sessions, to remove the factor or to confirm another', async () => {
    const { credentials, secret, recoveryCodes } = await createGuarded();
    const tokens: string[] = [];
    for (const code of recoveryCodes.slice(0, 3))
      tokens.push((await login(HOME, 0, { ...credentials, code }).expect(200)).body.accessToken);
    const codes = wrongCodes(secret, 30);
    const answers = await Promise.all(
      strangers(30).map((address, at) =>
        from(address, at, 'delete', '/v1/auth/second-factor', { code: codes[at] }, tokens[at % 3]),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 422: 10, 429: 20 });
    const [late = ''] = strangers(1);
    await from(late, 1, 'delete', '/v1/auth/second-factor', { code: recoveryCodes[3] }, tokens[0]).expect(
      429,
    );
    await login(late, 1, { ...credentials, code: recoveryCodes[3] }).expect(429);

    const fresh = await createUser();
    const { body } = await login(HOME, 0, fresh.credentials).expect(200);
    const started = await from(HOME, 0, 'post', '/v1/auth/second-factor', undefined, body.accessToken);
    const guesses = wrongCodes(started.body.secret, 20);
    const confirmed = await Promise.all(
      strangers(20).map((address, at) =>
        from(address, at, 'post', '/v1/auth/second-factor/confirm', { code: guesses[at] }, body.accessToken),
      ),
    );
    expect(statusesOf(confirmed)).toEqual({ 422: 10, 429: 10 });
  });
});

describe('a code', () => {
  it('of another user is worth nothing, and is not used up by it', async () => {
    const [one, another] = [await createGuarded(), await createGuarded()];
    for (const code of [codeOf(another.secret, 1), another.recoveryCodes[0]])
      await login(HOME, 0, { ...one.credentials, code }).expect(401);
    await login(HOME, 1, { ...another.credentials, code: codeOf(another.secret, 1) }).expect(200);
    await login(HOME, 1, { ...another.credentials, code: another.recoveryCodes[0] }).expect(200);
  });

  it('opens nothing without the password, and is not used up by it', async () => {
    const { credentials, secret, recoveryCodes } = await createGuarded();
    const { email } = credentials;
    for (const code of [codeOf(secret, 1), recoveryCodes[0]]) {
      await login(HOME, 0, { email, code }).expect(400);
      await login(HOME, 0, { email, password: 'another pass phrase', code }).expect(401);
    }
    // The right password alone leaves nothing behind that a second step could go on with.
    const first = await login(HOME, 0, credentials).expect(401);
    expect([first.body.code, first.headers['set-cookie'], first.body.accessToken]).toEqual([
      'SECOND_FACTOR_REQUIRED',
      undefined,
      undefined,
    ]);
    for (const code of [codeOf(secret, 1), recoveryCodes[0]])
      await login(HOME, 1, { ...credentials, code }).expect(200);
  });

  it('works once within its time, in either process and for either purpose', async () => {
    for (const isTotp of [true, false]) {
      const { credentials, secret, recoveryCodes } = await createGuarded();
      const opened = await login(HOME, 0, { ...credentials, code: recoveryCodes[9] }).expect(200);
      const code = isTotp ? codeOf(secret, 1) : recoveryCodes[0];
      const attempts = Array.from({ length: 8 }, (_, at) => login(HOME, at, { ...credentials, code }));
      expect(statusesOf(await Promise.all(attempts))).toEqual({ 200: 1, 401: 7 });
      const { accessToken } = opened.body;
      await from(HOME, 1, 'delete', '/v1/auth/second-factor', { code }, accessToken).expect(422);
    }
  });
});
