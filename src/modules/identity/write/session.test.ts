import { assertLasting, openSession, pendingSetupOf, type Session } from './session.ts';
import { openUser, type User } from './user.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const minutesLater = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const FIELDS = { email: 'ana@example.test', name: null, merchantId: null, groups: [], disabled: false };
const user = (fields: Partial<User> = {}): User => ({
  ...openUser(FIELDS, false, 'usr_1', NOW).data,
  ...fields,
});
const LOGIN = { livemode: false, address: '192.0.2.1', userAgent: null, refresh: false };
const session = (fields: Partial<Session> = {}): Session => ({
  ...openSession(user(), LOGIN, 'ses_1', NOW),
  ...fields,
});
const refusal = (code: string) => expect.objectContaining({ statusCode: 401, code });

describe('a session', () => {
  it('ends after 15 minutes without a request', () => {
    expect(() => assertLasting(session(), user(), minutesLater(14.99))).not.toThrow();
    expect(() => assertLasting(session(), user(), minutesLater(15))).toThrow(refusal('TOKEN_EXPIRED'));
  });

  it('ends after 12 hours, however it is used', () => {
    const inUse = session({ lastSeenAt: minutesLater(719).toISOString() });
    expect(() => assertLasting(inUse, user(), minutesLater(719.99))).not.toThrow();
    expect(() => assertLasting(inUse, user(), minutesLater(720))).toThrow(refusal('TOKEN_EXPIRED'));
  });

  it.each<[string, Session, User, string]>([
    ['a logout', session({ endedAt: NOW.toISOString() }), user(), 'TOKEN_EXPIRED'],
    ['other credentials', session(), user({ credentialsVersion: 2 }), 'TOKEN_EXPIRED'],
    ['disabling', session(), user({ disabled: true }), 'CREDENTIALS_INVALID'],
  ])('ends with %s', (_, ended, of, code) => {
    expect(() => assertLasting(ended, of, NOW)).toThrow(refusal(code));
  });

  it('has a first refresh cookie only where the login asked for one', () => {
    expect(session().refreshNumber).toBeNull();
    expect(openSession(user(), { ...LOGIN, refresh: true }, 'ses_1', NOW).refreshNumber).toBe(1);
  });
});

describe('before anything else a user has to', () => {
  it.each<[string, Partial<User>, boolean, string | null]>([
    ['do nothing', {}, false, null],
    ['change a one-time password', { oneTimePasswordExpiresAt: 'x' }, true, 'PASSWORD_CHANGE_REQUIRED'],
    ['set up a second factor that is required', {}, true, 'SECOND_FACTOR_SETUP_REQUIRED'],
    ['do nothing where there is one', { secondFactor: true }, true, null],
    ["do nothing as a merchant's", { merchantId: 'mer_1' }, true, null],
  ])('%s', (_, fields, requireSecondFactor, pending) => {
    expect(pendingSetupOf(user(fields), requireSecondFactor)).toBe(pending);
  });
});
