import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { givenToGroup, type RequireHeld } from './grants.ts';
import { GROUPS, type Group, type GroupId, type NewGroup, openGroup } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import { groupAlreadyExists } from './refusals.ts';

/** Creates a group. 422 GROUP_ALREADY_EXISTS; 403 GRANT_NOT_HELD. */
export type CreateGroup = Command<NewGroup & { readonly id: GroupId }, Group>;

export const createGroupHandler = (
  deps: Changing & { readonly identityStore: IdentityStore; readonly requireHeld: RequireHeld },
): CreateGroup => {
  return async ({ id, ...command }, context) => {
    const decision = openGroup(command, id, deps.clock());
    return deps.transact.alone(context, async (tx) => {
      const [existing] = await deps.identityStore.findGroups([command.name], tx.session);
      if (existing) throw groupAlreadyExists();
      await deps.requireHeld.permissions(tx, context, givenToGroup(null, command));
      return tx.record(GROUPS, null, decision);
    });
  };
};
