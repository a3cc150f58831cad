import { invalidInput } from '../../../kernel/errors.ts';
import { changed, created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { Id } from '../../../kernel/ids.ts';
import {
  isForPeople,
  type MerchantPermission,
  OPERATOR_PERMISSIONS,
  type OperatorPermission,
  PEOPLE_PERMISSIONS,
  type PeoplePermission,
} from '../../../kernel/principal.ts';
import { type Store, store } from '../../../kernel/store.ts';

export type GroupId = Id<'grp'>;

/** Permissions that groups can give, either to operators or to merchants' people. */
export const GROUP_PERMISSIONS = [...OPERATOR_PERMISSIONS, ...PEOPLE_PERMISSIONS] as const;
export type GroupPermission = (typeof GROUP_PERMISSIONS)[number];

type GroupEvent = 'group.created' | 'group.updated';

/**
 * A named set of permissions, either for operators or for merchants' people. `permissions` are the ones that were
 * given, without those that they include.
 */
export type Group = DatedResource & {
  readonly id: GroupId;
  readonly name: string;
  readonly permissions: readonly GroupPermission[];
};

export const GROUPS: Store<Group, GroupEvent> = store('groups', 'group', { auditsEverybody: true });

/** The permission without which nobody could repair users and groups any more. */
export const ADMINISTRATION_PERMISSION: OperatorPermission = 'admin.users.update';

/** Permissions that another one includes. */
const INHERITED: Partial<Record<OperatorPermission, readonly OperatorPermission[]>> = {
  'admin.refunds.manual': [
    'admin.chargeback_alerts.create',
    'admin.manual_refund_requests.read',
    'admin.manual_refund_requests.update',
  ],
};

type Permissions = Pick<Group, 'permissions'>;

const givenBy = (groups: readonly Permissions[]): readonly GroupPermission[] =>
  groups.flatMap(({ permissions }) => permissions);

/** Everything that an operator in these groups may do. */
export const permissionsOf = (groups: readonly Permissions[]): readonly OperatorPermission[] => {
  const given = givenBy(groups).flatMap((permission) => (isForPeople(permission) ? [] : [permission]));
  const held = new Set(given.flatMap((permission) => [permission, ...(INHERITED[permission] ?? [])]));
  return OPERATOR_PERMISSIONS.filter((permission) => held.has(permission));
};

/** Permissions that these groups bring to a merchant's people. */
export const peoplePermissionsOf = (groups: readonly Permissions[]): readonly PeoplePermission[] => {
  const given = givenBy(groups);
  return PEOPLE_PERMISSIONS.filter((permission) => given.includes(permission));
};

/** Permissions of a merchant's user: all of the merchant's, except for those that people have by their groups alone. */
export const permissionsOfUser = (
  ofMerchant: readonly MerchantPermission[],
  groups: readonly Permissions[],
): readonly MerchantPermission[] => {
  const byGroups = peoplePermissionsOf(groups);
  return ofMerchant.filter((permission) => !isForPeople(permission) || byGroups.includes(permission));
};

/** Whether the group is for merchants' people rather than for operators. */
export const isOfPeople = ({ permissions }: Permissions): boolean => permissions.some(isForPeople);

export type NewGroup = { readonly name: string; readonly permissions: readonly GroupPermission[] };

/** 400 where a group mixes permissions of operators with permissions of merchants' people. */
const assertOneKind = ({ permissions }: Permissions): void => {
  if (isOfPeople({ permissions }) && !permissions.every(isForPeople))
    throw invalidInput([
      {
        path: 'permissions',
        message: `permissions must be of operators, or be ${PEOPLE_PERMISSIONS.join(' and ')}, not both`,
      },
    ]);
};

export const openGroup = (command: NewGroup, id: GroupId, now: Date): Decision<Group, GroupEvent> => {
  assertOneKind(command);
  return created('group.created', now, { id, ...command });
};

export const changeGroup = (
  group: Group,
  changes: Pick<NewGroup, 'permissions'>,
  now: Date,
): Decision<Group, GroupEvent> => {
  assertOneKind(changes);
  return changed('group.updated', group, now, { permissions: changes.permissions });
};

/** Whether the change takes the administration of users away from the members of the group. */
export const losesAdministration = (before: Group, after: Group): boolean =>
  before.permissions.includes(ADMINISTRATION_PERMISSION) &&
  !after.permissions.includes(ADMINISTRATION_PERMISSION);
