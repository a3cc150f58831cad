import { changed, created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { Id } from '../../../kernel/ids.ts';
import { OPERATOR_PERMISSIONS, type OperatorPermission } from '../../../kernel/principal.ts';
import { type Store, store } from '../../../kernel/store.ts';

export type GroupId = Id<'grp'>;

/** Named set of permissions of operators. `permissions` are those that were given, without inherited ones. */
export type Group = DatedResource & {
  readonly id: GroupId;
  readonly name: string;
  readonly permissions: readonly OperatorPermission[];
};

export const GROUPS: Store<Group> = store('groups', 'group', { auditsEverybody: true });

/** The permission without which nobody could repair users and groups any more. */
export const ADMINISTRATION_PERMISSION: OperatorPermission = 'admin.users.update';

/** Permissions of chargeback alerts, which `admin.refunds.manual` includes. */
const INHERITED: Partial<Record<OperatorPermission, readonly OperatorPermission[]>> = {
  'admin.refunds.manual': [
    'admin.chargeback_alerts.create',
    'admin.manual_refund_requests.read',
    'admin.manual_refund_requests.update',
  ],
};

/** Everything that a member of these groups may do. */
export const permissionsOf = (
  groups: readonly Pick<Group, 'permissions'>[],
): readonly OperatorPermission[] => {
  const given = groups.flatMap((group) => group.permissions);
  const held = new Set(given.flatMap((permission) => [permission, ...(INHERITED[permission] ?? [])]));
  return OPERATOR_PERMISSIONS.filter((permission) => held.has(permission));
};

export type NewGroup = { readonly name: string; readonly permissions: readonly OperatorPermission[] };

export const openGroup = (command: NewGroup, id: GroupId, now: Date): Decision<Group> =>
  created('group.created', now, { id, ...command });

export const changeGroup = (
  group: Group,
  changes: Pick<NewGroup, 'permissions'>,
  now: Date,
): Decision<Group> => changed('group.updated', group, now, { permissions: changes.permissions });

/** Whether the change takes the administration of users away from the members of the group. */
export const losesAdministration = (before: Group, after: Group): boolean =>
  before.permissions.includes(ADMINISTRATION_PERMISSION) &&
  !after.permissions.includes(ADMINISTRATION_PERMISSION);
