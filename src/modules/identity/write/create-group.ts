import type { Clock } from '../../../kernel/clock.ts';
import { unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { GROUPS, type Group, type NewGroup, openGroup } from './group.ts';
import type { IdentityStore } from './identity.store.ts';

/** 422 GROUP_ALREADY_EXISTS. */
export type CreateGroup = (command: NewGroup, context: CommandContext) => Promise<Group>;

export const createGroup = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly identityStore: IdentityStore;
}): CreateGroup => {
  return async (command, context) => {
    const decision = openGroup(command, deps.newId('grp'), deps.clock());
    return deps.transact(context, async (tx) => {
      const [existing] = await deps.identityStore.findGroups([command.name], tx.session);
      if (existing) throw unprocessable('GROUP_ALREADY_EXISTS', 'Another group has this name');
      return tx.record(GROUPS, null, decision);
    });
  };
};
