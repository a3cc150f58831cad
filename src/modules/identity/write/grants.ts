import type { CommandContext } from '../../../kernel/event.ts';
import { assertHeld, isForPeople, type OperatorPermission } from '../../../kernel/principal.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { Operators } from '../../proposals/write/operators.ts';
import {
  type Group,
  type GroupPermission,
  peoplePermissionsOf,
  permissionsOf,
  permissionsOfUser,
} from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import { USERS, type User } from './user.ts';

/** Every permission that these groups give to their members. */
export const givenByGroups = (groups: readonly Pick<Group, 'permissions'>[]): readonly GroupPermission[] => [
  ...permissionsOf(groups),
  ...peoplePermissionsOf(groups),
];

/** Permissions that a change of a group grants; `before` is null for a new group. */
export const givenToGroup = (before: Group | null, after: Pick<Group, 'permissions'>) => {
  const had = before ? givenByGroups([before]) : [];
  return givenByGroups([after]).filter((permission) => !had.includes(permission));
};

/**
 * Names of the groups whose permissions a change of a user gives to somebody. Usually these are the groups that the
 * change adds. They are all groups of a new user, of one who moves to another merchant or was disabled, and of one
 * whose e-mail address changes, because the address may be another person's.
 */
export const groupsGiven = (before: User | null, after: User): readonly string[] => {
  const isTheSame =
    before !== null &&
    before.merchantId === after.merchantId &&
    !before.disabled &&
    before.email === after.email;
  return isTheSame ? after.groups.filter((name) => !before.groups.includes(name)) : after.groups;
};

/** The permission by which an operator does the same for merchants, and so may give it to their people. */
const STANDS_FOR = {
  'keys.manage': 'admin.merchants.update',
  'users.manage': 'admin.users.update',
} as const satisfies Readonly<Record<string, OperatorPermission>>;

/**
 * Throws 403 GRANT_NOT_HELD where an operator or a merchant's user gives what they do not hold. For an approved
 * proposal, its author has to hold it as well.
 */
export type RequireHeld = {
  permissions(tx: OwnTransaction, context: CommandContext, given: readonly GroupPermission[]): Promise<void>;
  /** Checks the permissions of the groups with these names. */
  groups(tx: OwnTransaction, context: CommandContext, names: readonly string[]): Promise<void>;
};

export const createRequireHeld = (deps: {
  readonly operators: Pick<Operators, 'find'>;
  readonly identityStore: Pick<IdentityStore, 'findGroups'>;
}): RequireHeld => {
  const ofPerson = async (tx: OwnTransaction, id: string): Promise<readonly string[]> => {
    const user = await tx.get(USERS, id);
    const merchant = user?.merchantId && (await tx.get(MERCHANTS, user.merchantId));
    if (!user || !merchant || user.disabled) return [];
    return permissionsOfUser(
      merchant.permissions,
      await deps.identityStore.findGroups(user.groups, tx.session),
    );
  };
  const permissions: RequireHeld['permissions'] = async (tx, { actor, proposedBy }, given) => {
    if (actor.kind === 'user') return assertHeld(await ofPerson(tx, actor.id), given);
    const needed = given.map((permission) => (isForPeople(permission) ? STANDS_FOR[permission] : permission));
    // The gateway may give everything, to set up its first operator and its demonstration.
    const givers = actor.kind === 'operator' ? [actor.id, ...(proposedBy ? [proposedBy] : [])] : [];
    for (const giver of givers) {
      const operator = await deps.operators.find(tx, giver);
      assertHeld(operator?.permissions ?? [], needed);
    }
  };
  return {
    permissions,
    groups: async (tx, context, names) =>
      permissions(tx, context, givenByGroups(await deps.identityStore.findGroups(names, tx.session))),
  };
};
