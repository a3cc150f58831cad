import { TOTP } from 'otpauth';
import { NOW } from '../../../../test/builders.ts';
import { asked, CHEAP_PASSWORDS, createFakeIdentity } from '../../../../test/fakes/identity.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import { systemContext } from '../../../kernel/event.ts';
import { keyRing } from '../../../platform/secrets.ts';
import { createChangePassword } from './change-password.ts';
import { createCheckCode } from './check-code.ts';
import { createDisableIdleUsers } from './disable-idle-users.ts';
import { createLogin } from './login.ts';
import type { LimitLogin } from './login-limit.ts';
import { createRefreshSession } from './refresh-session.ts';
import { newTotpSecret } from './second-factor.ts';
import { createSetUpSecondFactor } from './set-up-second-factor.ts';
import { USERS } from './user.ts';

const unauthorized = (code: string) => expect.objectContaining({ statusCode: 401, code });
const unprocessable = (code: string) => expect.objectContaining({ statusCode: 422, code });
const networkNotAllowed = expect.objectContaining({ statusCode: 403, code: 'NETWORK_NOT_ALLOWED' });

/** Commands on the credentials of users that are kept in memory, with a clock that the test moves. */
const setUp = () => {
  const store = createFakeIdentity();
  const { transact, identityStore, sessions } = store;
  const time = { now: NOW };
  const clock = () => time.now;
  const sealing = keyRing(['a secret that seals second factors']);
  const jwtKeys = keyRing(['a secret that signs tokens of tests']);
  const attempts: Parameters<LimitLogin>[0][] = [];
  /** Results of the checked attempts, in order, as the login limit counts them. */
  const counted: unknown[] = [];
  const limitLogin: LimitLogin = async (attempt, check) => {
    attempts.push(attempt);
    const result = await check();
    counted.push(result);
    return result;
  };
  let ids = 0;
  const newId = <P extends string>(prefix: P) => {
    ids += 1;
    return `${prefix}_${ids}` as const;
  };
  const checkCode = createCheckCode({ identityStore, sealing, clock });
  const changing = {
    transact,
    clock,
    newId,
    identityStore,
    passwords: CHEAP_PASSWORDS,
    limitLogin,
    checkCode,
  };
  const recordAudit = async (
    ...[, { details }]: Parameters<Parameters<typeof createLogin>[0]['recordAudit']>
  ) => {
    faults.push(String(details?.fault));
  };
  const faults: string[] = [];
  const login = createLogin({
    ...changing,
    recordAudit,
    sessions,
    readInTime: (read) => read(),
    findMerchant: async () => null,
    jwtKeys,
    requireSecondFactor: false,
  });
  const findSession = async (id: string) => {
    const session = store.opened.get(id);
    return session ? { session, user: store.user(session.userId), groups: [], merchant: null } : null;
  };
  return {
    ...store,
    time,
    attempts,
    counted,
    faults,
    totp: (secret: string) => new TOTP({ secret }).generate({ timestamp: time.now.getTime() }),
    logIn: (changes: Partial<Parameters<typeof login>[0]> = {}) =>
      login(
        {
          email: 'usr_ana@example.test',
          password: 'right',
          code: null,
          livemode: false,
          refresh: true,
          address: '192.0.2.1',
          userAgent: null,
          ...changes,
        },
        systemContext('anonymous'),
      ),
    changePassword: createChangePassword(changing),
    secondFactor: createSetUpSecondFactor({ ...changing, sealing }),
    refresh: (cookie: string | null | undefined, address = '192.0.2.1') =>
      createRefreshSession({ ...changing, credentials: { findSession }, sessions, jwtKeys })(
        cookie ?? null,
        asked('usr_ana', { address }),
      ),
    disableIdle: createDisableIdleUsers({ ...changing, logger: { warn: () => undefined } as never }),
  };
};

describe('a login', () => {
  it('takes the right password, in upper or lower case of the address, and opens a session', async () => {
    const { addUser, logIn, opened, user } = setUp();
    addUser('usr_ana');
    await logIn({ email: 'USR_Ana@Example.test' });
    expect([...opened.values()]).toEqual([expect.objectContaining({ userId: 'usr_ana', livemode: false })]);
    expect(user('usr_ana').lastLoginAt).toBe(timestamp(NOW));
  });

  it.each([
    ['unknown_user', { email: 'usr_bia@example.test' }, {}],
    ['wrong_password', { password: 'wrong' }, {}],
    ['disabled', {}, { disabled: true }],
    ['one_time_password_expired', {}, { oneTimePasswordExpiresAt: timestamp(NOW) }],
    ['wrong_code', { code: '123456' }, { secondFactor: true }],
  ])('is refused without a reason, which the audit log has: %s', async (fault, given, changes) => {
    const { addUser, logIn, faults, counted, opened } = setUp();
    addUser('usr_ana', changes);
    await expect(logIn(given)).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    expect([faults, counted, opened.size]).toEqual([[fault], [null], 0]);
  });

  it('asks for the code after the right password only, which counts neither as a failure nor as a success', async () => {
    const { addUser, logIn, counted } = setUp();
    addUser('usr_ana', { secondFactor: true });
    await expect(logIn()).rejects.toEqual(unauthorized('SECOND_FACTOR_REQUIRED'));
    expect(counted).toEqual([]);
    await expect(logIn({ password: 'wrong' })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
  });

  it('is refused from elsewhere than the networks of the user before the code is used up', async () => {
    const { addUser, logIn, counted } = setUp();
    addUser('usr_ana', { secondFactor: true, allowedNetworks: ['198.51.100.0/24'] });
    await expect(logIn({ code: '123456' })).rejects.toEqual(networkNotAllowed);
    expect(counted).toEqual([]);
    await expect(logIn({ code: '123456', password: 'wrong' })).rejects.toEqual(
      unauthorized('CREDENTIALS_INVALID'),
    );
  });

  it('comes to nothing where the credentials change meanwhile', async () => {
    const { addUser, logIn, put, collide, user, opened } = setUp();
    addUser('usr_ana');
    collide(() => put(USERS, { ...user('usr_ana'), version: 2, credentialsVersion: 2 }));
    await expect(logIn()).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    expect([...opened.values()].filter((session) => session.credentialsVersion === 2)).toEqual([]);
  });

  it('is known by the user and the address of former ones together', async () => {
    const { addUser, logIn, attempts, sessions } = setUp();
    const isAsked = jest.spyOn(sessions, 'isKnownAddress');
    addUser('usr_ana');
    addUser('usr_bia');
    await logIn();
    await logIn();
    await logIn({ email: 'usr_bia@example.test' });
    await logIn({ address: '192.0.2.2' });
    await logIn({ email: 'nobody@example.test' }).catch(() => undefined);
    expect(attempts.map(({ isKnown }) => isKnown)).toEqual([false, true, false, false, false]);
    await logIn({ address: '2001:db8:7:1::5' });
    await logIn({ address: '2001:db8:7:1:9a:b0:c1:d2' });
    await logIn({ address: '2001:db8:7:2::5' });
    expect(attempts.slice(5).map(({ isKnown }) => isKnown)).toEqual([false, true, false]);
    // The address is looked up for an unknown user as well, because the time of an answer must not tell whether a user
    // exists.
    expect(isAsked).toHaveBeenCalledTimes(8);
  });
});

describe("one's own password", () => {
  const command = { userId: 'usr_ana', currentPassword: 'right', address: '192.0.2.1' };

  it('is changed with the present one, whose failures count as those of logins', async () => {
    const { addUser, changePassword, attempts, counted, secret, user } = setUp();
    const { email } = addUser('usr_ana', { oneTimePasswordExpiresAt: timestamp(NOW) });
    const newPassword = 'a long pass phrase of hers';
    const change = (changes: object = {}) =>
      changePassword({ ...command, newPassword, ...changes }, asked('usr_ana'));
    await expect(change({ currentPassword: 'wrong' })).rejects.toEqual(unprocessable('WRONG_PASSWORD'));
    await change();
    expect(attempts.map(({ account }) => account)).toEqual([email, email]);
    expect(counted).toEqual([null, true]);
    expect(secret('usr_ana').passwordHash).toBe(`hash of ${newPassword}`);
    expect(user('usr_ana')).toMatchObject({ oneTimePasswordExpiresAt: null, credentialsVersion: 2 });
  });

  it.each([
    ['PASSWORD_TOO_COMMON', 'password1234'],
    ['PASSWORD_NAMES_USER', 'usr_ana@example.test'],
    ['PASSWORD_USED_BEFORE', 'the present pass phrase'],
    ['PASSWORD_USED_BEFORE', 'the first pass phrase'],
    ['PASSWORD_USED_BEFORE', 'the third pass phrase'],
  ])('is not changed (%s) to %j', async (code, newPassword) => {
    const { addUser, changePassword, user } = setUp();
    const formerHashes = ['third', 'second', 'first'].map((one) => `hash of the ${one} pass phrase`);
    const currentPassword = 'the present pass phrase';
    addUser('usr_ana', {}, { formerHashes, passwordHash: `hash of ${currentPassword}` });
    const change = changePassword({ ...command, currentPassword, newPassword }, asked('usr_ana'));
    await expect(change).rejects.toEqual(unprocessable(code));
    expect(user('usr_ana').credentialsVersion).toBe(1);
  });

  it('is not changed where it was changed meanwhile', async () => {
    const { addUser, changePassword, put, collide, user, secret } = setUp();
    addUser('usr_ana');
    collide(() => put(USERS, { ...user('usr_ana'), version: 2, credentialsVersion: 2 }));
    const change = changePassword(
      { ...command, newPassword: 'a long pass phrase of hers' },
      asked('usr_ana'),
    );
    await expect(change).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    expect(secret('usr_ana').passwordHash).toBe('hash of right');
  });
});

describe('a second factor', () => {
  const own = { userId: 'usr_ana', address: '192.0.2.1' } as const;
  const context = asked('usr_ana');
  const withFactor = async () => {
    const all = setUp();
    all.addUser('usr_ana');
    const { secret } = await all.secondFactor.start('usr_ana', context);
    const recoveryCodes = await all.secondFactor.confirm({ ...own, code: all.totp(secret) }, context);
    return { ...all, key: secret, recoveryCodes };
  };

  it('takes no code twice, neither the one that confirmed it nor one of an earlier time', async () => {
    const { logIn, time, totp, key } = await withFactor();
    await expect(logIn({ code: totp(key) })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    const early = totp(key);
    time.now = new Date(NOW.getTime() + MINUTE_MS);
    const code = totp(key);
    await logIn({ code });
    await expect(logIn({ code })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    time.now = new Date(NOW.getTime() + MINUTE_MS / 2);
    await expect(logIn({ code: early })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    await expect(logIn({ code: totp(key) })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
  });

  it('takes each recovery code once, of this user only', async () => {
    const { logIn, recoveryCodes, addUser, secret } = await withFactor();
    const [code = '', other = ''] = recoveryCodes;
    addUser('usr_bia', { secondFactor: true }, { secondFactor: secret('usr_ana').secondFactor });
    await expect(logIn({ email: 'usr_bia@example.test', code })).rejects.toEqual(
      unauthorized('CREDENTIALS_INVALID'),
    );
    await logIn({ code: code.toLowerCase() });
    await expect(logIn({ code })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    await logIn({ code: other });
  });

  it.each(['------', 'AAAA-AAAA-AAAA-AAAA', '１２３４５６', '000000'])('does not take %j', async (code) => {
    const { logIn } = await withFactor();
    await expect(logIn({ code })).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
  });

  it('is not confirmed by a code of a secret that was replaced meanwhile', async () => {
    const all = setUp();
    const { addUser, secondFactor, totp, user, collide, put, secret } = all;
    addUser('usr_ana');
    const { secret: key } = await secondFactor.start('usr_ana', context);
    const replaced = await secondFactor.start('usr_ana', context).then(() => secret('usr_ana'));
    await expect(secondFactor.confirm({ ...own, code: totp(key) }, context)).rejects.toEqual(
      unprocessable('WRONG_CODE'),
    );
    const { secret: third } = await secondFactor.start('usr_ana', context);
    collide(() => {
      put(USERS, { ...user('usr_ana'), version: user('usr_ana').version + 1 });
      Object.assign(secret('usr_ana'), replaced);
    });
    await expect(secondFactor.confirm({ ...own, code: totp(third) }, context)).rejects.toEqual(
      unprocessable('SECOND_FACTOR_NOT_STARTED'),
    );
    expect(user('usr_ana').secondFactor).toBe(false);
  });

  it('is not taken away by a wrong code, which counts as a failed login', async () => {
    const { secondFactor, user, attempts, counted, recoveryCodes } = await withFactor();
    await expect(secondFactor.remove({ ...own, code: '000000' }, context)).rejects.toEqual(
      unprocessable('WRONG_CODE'),
    );
    expect([attempts.at(-1)?.account, counted.at(-1)]).toEqual(['usr_ana@example.test', null]);
    expect(user('usr_ana').secondFactor).toBe(true);
    await secondFactor.remove({ ...own, code: recoveryCodes[0] ?? '' }, context);
    expect(user('usr_ana').secondFactor).toBe(false);
  });

  it('is started anew only where there is none', async () => {
    const { secondFactor } = await withFactor();
    await expect(secondFactor.start('usr_ana', context)).rejects.toEqual(
      unprocessable('SECOND_FACTOR_ALREADY_SET'),
    );
    expect(newTotpSecret()).not.toBe(newTotpSecret());
  });
});

describe('a refresh cookie', () => {
  const loggedIn = async () => {
    const all = setUp();
    all.addUser('usr_ana', { allowedNetworks: ['192.0.2.0/24'] });
    const { issued } = await all.logIn();
    return { ...all, cookie: issued.refreshToken };
  };

  it('works once, and the session ends where it comes again', async () => {
    const { refresh, cookie, opened } = await loggedIn();
    const { refreshToken } = await refresh(cookie);
    await expect(refresh(cookie)).rejects.toEqual(unauthorized('CREDENTIALS_INVALID'));
    expect([...opened.values()].map(({ endedAt }) => endedAt)).toEqual([timestamp(NOW)]);
    await expect(refresh(refreshToken)).rejects.toEqual(unauthorized('TOKEN_EXPIRED'));
  });

  it('is good in the networks of the user only, and not used up elsewhere', async () => {
    const { refresh, cookie } = await loggedIn();
    await expect(refresh(cookie, '198.51.100.1')).rejects.toEqual(networkNotAllowed);
    await refresh(cookie);
  });

  it('is over with an idle session, with changed credentials and with the user', async () => {
    const { refresh, cookie, time, put, user } = await loggedIn();
    time.now = new Date(NOW.getTime() + 15 * MINUTE_MS);
    await expect(refresh(cookie)).rejects.toEqual(unauthorized('TOKEN_EXPIRED'));
    time.now = NOW;
    for (const [changes, code] of [
      [{ credentialsVersion: 2 }, 'TOKEN_EXPIRED'],
      [{ disabled: true }, 'CREDENTIALS_INVALID'],
    ] as const) {
      const before = user('usr_ana');
      put(USERS, { ...before, ...changes });
      await expect(refresh(cookie)).rejects.toEqual(unauthorized(code));
      put(USERS, before);
    }
    await refresh(cookie);
  });
});

describe('users who were not seen for 90 days', () => {
  it('are disabled, and their sessions with them; others are not', async () => {
    const { addUser, disableIdle, user, put, collide } = setUp();
    const idleSince = timestamp(new Date(NOW.getTime() - 90 * DAY_MS - 1));
    addUser('usr_ana', { idleSince });
    addUser('usr_bia', { idleSince: timestamp(new Date(NOW.getTime() - 90 * DAY_MS)) });
    await disableIdle();
    expect(user('usr_ana')).toMatchObject({ disabledReason: 'inactivity', credentialsVersion: 2 });
    expect(user('usr_bia').disabled).toBe(false);
    // The user logs in between the search for idle users and the change, and the login counts.
    const carla = addUser('usr_carla', { idleSince });
    collide(() => put(USERS, { ...carla, version: 2, idleSince: timestamp(NOW) }));
    await disableIdle();
    expect(user('usr_carla').disabled).toBe(false);
  });
});
