import type { CommandContext } from '../../../kernel/event.ts';
import { assertHeld, type OperatorPermission } from '../../../kernel/principal.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { Operators } from '../../proposals/write/operators.ts';
import { type Group, permissionsOf } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import type { User } from './user.ts';

/** Permissions that a change of a group grants; `before` is null for a new group. */
export const givenToGroup = (before: Group | null, after: Pick<Group, 'permissions'>) => {
  const had = before ? permissionsOf([before]) : [];
  return permissionsOf([after]).filter((permission) => !had.includes(permission));
};

/**
 * Names of the groups whose permissions a change of a user gives to somebody. These are the new groups. They are all
 * groups where the account was disabled, or goes to another e-mail address and perhaps another person.
 */
export const groupsGiven = (before: User | null, after: User): readonly string[] => {
  const isTheSame =
    before !== null && before.merchantId === null && !before.disabled && before.email === after.email;
  return isTheSame ? after.groups.filter((name) => !before.groups.includes(name)) : after.groups;
};

/** Refuses to give what the operator, or the author of the proposal that is approved, does not hold. */
export type RequireHeld = {
  permissions(
    tx: OwnTransaction,
    context: CommandContext,
    given: readonly OperatorPermission[],
  ): Promise<void>;
  /** The permissions of groups, by their names. */
  groups(tx: OwnTransaction, context: CommandContext, names: readonly string[]): Promise<void>;
};

export const createRequireHeld = (deps: {
  readonly operators: Pick<Operators, 'find'>;
  readonly identityStore: Pick<IdentityStore, 'findGroups'>;
}): RequireHeld => {
  const permissions: RequireHeld['permissions'] = async (tx, { actor, proposedBy }, given) => {
    // The gateway itself sets up its first operator and its demonstration.
    const givers = actor.kind === 'operator' ? [actor.id, ...(proposedBy ? [proposedBy] : [])] : [];
    for (const giver of givers) {
      const operator = await deps.operators.find(tx, giver);
      assertHeld(operator?.permissions ?? [], given);
    }
  };
  return {
    permissions,
    groups: async (tx, context, names) =>
      permissions(tx, context, permissionsOf(await deps.identityStore.findGroups(names, tx.session))),
  };
};
