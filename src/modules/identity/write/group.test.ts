import { changeGroup, type Group, losesAdministration, openGroup, permissionsOf } from './group.ts';

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
