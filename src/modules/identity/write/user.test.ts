import { changeOwnPassword, changeUser, mayLoseAdministration, openUser, type User } from './user.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const FIELDS = {
  email: 'Ana@Example.test',
  name: null,
  merchantId: null,
  groups: ['operators'],
  disabled: false,
};
const user = (fields: Partial<User> = {}): User => ({ ...openUser(FIELDS, 'usr_1', NOW).data, ...fields });
const change = (changes: Parameters<typeof changeUser>[1], from = user(), hasNewPassword = false): User =>
  changeUser(from, changes, hasNewPassword, NOW).data;

describe('a user', () => {
  it('is known by the e-mail address in lower case', () => {
    expect(user().email).toBe('ana@example.test');
    expect(change({ email: 'BIA@example.test' }).email).toBe('bia@example.test');
  });

  it('of a merchant has no groups', () => {
    const refusal = expect.objectContaining({ statusCode: 422, code: 'GROUPS_NOT_ALLOWED' });
    expect(() => openUser({ ...FIELDS, merchantId: 'mer_1' }, 'usr_1', NOW)).toThrow(refusal);
    expect(() => change({ merchantId: 'mer_1' })).toThrow(refusal);
    expect(change({ merchantId: 'mer_1', groups: [] }).merchantId).toBe('mer_1');
  });
});

describe('tokens of a user', () => {
  it('end with a new password and with disabling', () => {
    expect(change({}, user(), true).credentialsVersion).toBe(2);
    expect(change({ disabled: true }).credentialsVersion).toBe(2);
    expect(changeOwnPassword(user(), NOW).data.credentialsVersion).toBe(2);
  });

  it('last through every other change', () => {
    expect(change({ name: 'Ana', groups: [], disabled: false }).credentialsVersion).toBe(1);
    expect(change({ disabled: true }, user({ disabled: true })).credentialsVersion).toBe(1);
  });
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
