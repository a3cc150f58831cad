import { assertHeld, OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import { givenToGroup, groupsGiven } from './grants.ts';
import { openGroup } from './group.ts';
import { openUser, type User } from './user.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const FIELDS = { email: 'ana@example.test', name: null, merchantId: null, groups: ['a'], disabled: false };
const user = (fields: Partial<User> = {}): User => ({
  ...openUser(FIELDS, false, 'usr_1', NOW).data,
  ...fields,
});
const group = (...permissions: (typeof OPERATOR_PERMISSIONS)[number][]) =>
  openGroup({ name: 'a', permissions }, 'grp_1', NOW).data;

describe('permissions that are given', () => {
  it('has to be held, and is named where it is not', () => {
    expect(() => assertHeld(OPERATOR_PERMISSIONS, OPERATOR_PERMISSIONS)).not.toThrow();
    expect(() => assertHeld(['admin.users.update'], ['admin.users.update', 'admin.reports.read'])).toThrow(
      expect.objectContaining({
        statusCode: 403,
        code: 'GRANT_NOT_HELD',
        errors: [
          {
            path: 'permissions',
            message: 'permissions must be held by the caller: admin.reports.read is not',
          },
        ],
      }),
    );
  });

  it('to a group is what it did not have, inherited permissions included', () => {
    expect(givenToGroup(null, group('admin.audit.read'))).toEqual(['admin.audit.read']);
    expect(givenToGroup(group('admin.audit.read'), group('admin.audit.read'))).toEqual([]);
    expect(givenToGroup(group('admin.audit.read'), group())).toEqual([]);
    expect(givenToGroup(null, group('admin.refunds.manual'))).toContain('admin.chargeback_alerts.create');
  });

  it.each<[string, User | null, Partial<User>, string[]]>([
    ['a new user: every group', null, {}, ['a']],
    ['another name: nothing', user(), { name: 'Ana' }, []],
    ['one more group: that one', user(), { groups: ['a', 'b'] }, ['b']],
    ['fewer groups: nothing', user({ groups: ['a', 'b'] }), {}, []],
    ['another e-mail address: every group', user(), { email: 'eva@example.test' }, ['a']],
    ['enabling: every group', user({ disabled: true }), {}, ['a']],
    ['disabling: nothing', user(), { disabled: true }, []],
    [
      "a merchant's user with another name: nothing",
      user({ merchantId: 'mer_1' }),
      { merchantId: 'mer_1', name: 'Ana' },
      [],
    ],
    [
      "a merchant's user who goes to another merchant: every group",
      user({ merchantId: 'mer_1' }),
      { merchantId: 'mer_2' },
      ['a'],
    ],
    ["a merchant's user who becomes an operator: every group", user({ merchantId: 'mer_1' }), {}, ['a']],
  ])('by %s', (_, before, after, expected) => {
    expect(groupsGiven(before, user(after))).toEqual(expected);
  });
});
