import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { keepAdministrator } from './administration.ts';
import { givenToGroup, type RequireHeld } from './grants.ts';
import { changeGroup, GROUPS, type Group, losesAdministration, type NewGroup } from './group.ts';
import type { IdentityStore } from './identity.store.ts';

/** Changes the permissions of a group. 422 LAST_ADMINISTRATOR; 403 GRANT_NOT_HELD. */
export type UpdateGroup = Command<NewGroup, Group>;

export const createUpdateGroup = (
  deps: Changing & { readonly identityStore: IdentityStore; readonly requireHeld: RequireHeld },
): UpdateGroup => {
  return (command, context) =>
    deps.transact.alone(context, async (tx) => {
      const [group] = await deps.identityStore.findGroups([command.name], tx.session);
      if (!group) throw notFound('Group');
      await deps.requireHeld.permissions(tx, context, givenToGroup(group, command));
      const now = deps.clock();
      const changed = await tx.record(GROUPS, group, changeGroup(group, command, now));
      if (losesAdministration(group, changed)) await keepAdministrator(tx, deps.identityStore, now);
      return changed;
    });
};
