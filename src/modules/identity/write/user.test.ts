import { later, NOW } from '../../../../test/builders.ts';
import {
  changeOwnPassword,
  changeUser,
  confirmSecondFactor,
  disableIdleUser,
  idleLimit,
  isPasswordOver,
  logIn,
  mayLoseAdministration,
  newSecret,
  openUser,
  removeSecondFactor,
  resetPassword,
  startSecondFactor,
  type User,
  withPassword,
} from './user.ts';

const LATER = later(86_400);
const FIELDS = {
  email: 'Ana@Example.test',
  name: null,
  merchantId: null,
  groups: ['operators'],
  disabled: false,
};
const user = (fields: Partial<User> = {}): User => ({
  ...openUser(FIELDS, false, 'usr_1', NOW).data,
  ...fields,
});
const change = (changes: Parameters<typeof changeUser>[1], from = user()): User =>
  changeUser(from, changes, LATER).data;
const refusal = (code: string) => expect.objectContaining({ statusCode: 422, code });

describe('a user', () => {
  it('is known by the e-mail address in lower case', () => {
    expect(user().email).toBe('ana@example.test');
    expect(change({ email: 'BIA@example.test' }).email).toBe('bia@example.test');
  });

  it("is an operator from the moment at which it stops being a merchant's", () => {
    const of = user({ merchantId: 'mer_1', groups: [] });
    expect(change({ merchantId: null }, of).operatorSince).toBe(LATER.toISOString());
    expect(change({ merchantId: 'mer_2' }, of).operatorSince).toBeNull();
    expect(change({ name: 'Ana' }).operatorSince).toBeNull();
    const since = NOW.toISOString();
    expect(change({ name: 'Ana' }, user({ operatorSince: since })).operatorSince).toBe(since);
  });

  it('is disabled for a reason, and enabled without one', () => {
    expect(change({ disabled: true }).disabledReason).toBe('operator');
    const idle = disableIdleUser(user(), LATER).data;
    expect(idle).toMatchObject({ disabled: true, disabledReason: 'inactivity' });
    expect(change({ disabled: true }, idle).disabledReason).toBe('inactivity');
    expect(change({ disabled: false }, idle).disabledReason).toBeNull();
  });

  it('is idle from the last login, enabling or creation on', () => {
    expect(user().idleSince).toBe(NOW.toISOString());
    expect(logIn(user(), LATER).data).toMatchObject({
      idleSince: LATER.toISOString(),
      lastLoginAt: LATER.toISOString(),
    });
    expect(change({ disabled: false }, user({ disabled: true })).idleSince).toBe(LATER.toISOString());
    expect(change({ name: 'Ana' }).idleSince).toBe(NOW.toISOString());
    expect(idleLimit(later(90 * 86_400))).toBe(NOW.toISOString());
  });
});

describe('a one-time password', () => {
  it('lasts seven days for a new user, and one hour after a reset', () => {
    const opened = openUser(FIELDS, true, 'usr_1', NOW).data;
    expect(opened.oneTimePasswordExpiresAt).toBe('2026-06-22T12:00:00.000Z');
    expect(resetPassword(user(), NOW).data.oneTimePasswordExpiresAt).toBe('2026-06-15T13:00:00.000Z');
    expect(isPasswordOver(opened, new Date('2026-06-22T11:59:59.999Z'))).toBe(false);
    expect(isPasswordOver(opened, new Date('2026-06-22T12:00:00.000Z'))).toBe(true);
  });

  it('is none any more once its user has changed it', () => {
    const changed = changeOwnPassword(resetPassword(user(), NOW).data, NOW).data;
    expect(changed.oneTimePasswordExpiresAt).toBeNull();
    expect(isPasswordOver(changed, new Date('2036-01-01'))).toBe(false);
  });
});

it('the last three passwords before the present one are remembered', () => {
  const secret = ['b', 'c', 'd', 'e'].reduce(withPassword, newSecret('a'));
  expect(secret).toMatchObject({ passwordHash: 'e', formerHashes: ['d', 'c', 'b'] });
});

describe('sessions of a user', () => {
  it.each<[string, User]>([
    ['a new password', changeOwnPassword(user(), NOW).data],
    ['a reset', resetPassword(user(), NOW).data],
    ['a second factor', confirmSecondFactor(user(), NOW).data],
    ['none any more', removeSecondFactor(user({ secondFactor: true }), 'user.second_factor_reset', NOW).data],
    ['disabling', change({ disabled: true })],
    ['inactivity', disableIdleUser(user(), NOW).data],
    ['another e-mail address', change({ email: 'bia@example.test' })],
    ['a merchant', change({ merchantId: 'mer_1', groups: [] })],
    ['another merchant', change({ merchantId: 'mer_2' }, user({ merchantId: 'mer_1', groups: [] }))],
    ['fewer groups', change({ groups: [] })],
    ['more groups', change({ groups: ['operators', 'support'] })],
    ['other groups', change({ groups: ['support'] })],
  ])('end with %s', (_, changed) => {
    expect(changed.credentialsVersion).toBe(2);
  });

  it('last through every other change', () => {
    expect(change({ name: 'Ana', disabled: false, email: 'ANA@example.test' }).credentialsVersion).toBe(1);
    const both = user({ groups: ['a', 'b'] });
    expect(change({ groups: ['b', 'a'] }, both).credentialsVersion).toBe(1);
    expect(change({ disabled: true }, user({ disabled: true })).credentialsVersion).toBe(1);
    expect(logIn(user(), NOW).data.credentialsVersion).toBe(1);
    expect(startSecondFactor(user(), NOW).data.credentialsVersion).toBe(1);
  });
});

it('a second factor is set up once, and removed where there is one', () => {
  expect(() => startSecondFactor(user({ secondFactor: true }), NOW)).toThrow(
    refusal('SECOND_FACTOR_ALREADY_SET'),
  );
  expect(() => removeSecondFactor(user(), 'user.second_factor_removed', NOW)).toThrow(
    refusal('SECOND_FACTOR_NOT_SET'),
  );
});

describe('an administrator may be lost', () => {
  it.each<[string, Partial<User>, boolean]>([
    ['by disabling', { disabled: true }, true],
    ['by leaving a group', { groups: ['support'] }, true],
    ['by going to a merchant', { merchantId: 'mer_1', groups: [] }, true],
    ['not by another name', { name: 'Ana' }, false],
    ['not by one more group', { groups: ['operators', 'support'] }, false],
  ])('%s', (_, changes, expected) => {
    expect(mayLoseAdministration(user(), user(changes))).toBe(expected);
  });

  it('not by changing a user that is disabled or belongs to a merchant', () => {
    expect(mayLoseAdministration(user({ disabled: true }), user({ disabled: true, groups: [] }))).toBe(false);
    expect(mayLoseAdministration(user({ merchantId: 'mer_1' }), user({ disabled: true }))).toBe(false);
  });
});
