import { MERCHANT_PERMISSIONS } from '../../../kernel/principal.ts';
import {
  changeGroup,
  type Group,
  losesAdministration,
  openGroup,
  permissionsOf,
  permissionsOfUser,
} from './group.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const group = (...permissions: Group['permissions']): Group =>
  openGroup({ name: 'finance', permissions }, 'grp_1', NOW).data;

describe('the permissions of an operator', () => {
  it('are those of all groups together', () => {
    expect(
      permissionsOf([group('admin.charges.read'), group('admin.charges.read', 'admin.audit.read')]),
    ).toEqual(['admin.charges.read', 'admin.audit.read']);
    expect(permissionsOf([])).toEqual([]);
  });

  it('include those that come along with admin.refunds.manual (4.5)', () => {
    expect(permissionsOf([group('admin.refunds.manual')])).toEqual([
      'admin.refunds.manual',
      'admin.chargeback_alerts.create',
      'admin.manual_refund_requests.read',
      'admin.manual_refund_requests.update',
    ]);
  });
});

describe('a group', () => {
  it('shows the permissions as they were given', () => {
    expect(group('admin.refunds.manual').permissions).toEqual(['admin.refunds.manual']);
  });

  it('loses the administration of users with the permission for it only', () => {
    const administrators = group('admin.users.update', 'admin.audit.read');
    const change = (permissions: Group['permissions']): Group =>
      changeGroup(administrators, { permissions }, NOW).data;
    expect(losesAdministration(administrators, change(['admin.audit.read']))).toBe(true);
    expect(losesAdministration(administrators, change(['admin.users.update']))).toBe(false);
    expect(losesAdministration(group(), change([]))).toBe(false);
  });
});

describe("the permissions of a merchant's user", () => {
  it('are those of the merchant, and what people have by groups alone', () => {
    const without = MERCHANT_PERMISSIONS.filter((one) => one !== 'keys.manage' && one !== 'users.manage');
    expect(permissionsOfUser(MERCHANT_PERMISSIONS, [])).toEqual(without);
    expect(permissionsOfUser(MERCHANT_PERMISSIONS, [group('keys.manage')])).toEqual([
      ...without,
      'keys.manage',
    ]);
    expect(permissionsOfUser(['charges.read'], [group('keys.manage', 'users.manage')])).toEqual([
      'charges.read',
    ]);
  });

  it('never are those of operators, nor the other way round', () => {
    expect(permissionsOfUser(['charges.read'], [group('admin.users.update')])).toEqual(['charges.read']);
    expect(permissionsOf([group('keys.manage')])).toEqual([]);
  });

  it('stand in groups of their own', () => {
    const fault = expect.objectContaining({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect(() => group('keys.manage', 'admin.audit.read')).toThrow(fault);
    expect(() =>
      changeGroup(group('users.manage'), { permissions: ['users.manage', 'admin.audit.read'] }, NOW),
    ).toThrow(fault);
  });
});
