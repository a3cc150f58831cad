import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { keepAdministrator } from './administration.ts';
import { groupsGiven, type RequireHeld } from './grants.ts';
import type { IdentityStore } from './identity.store.ts';
import { requireReferences } from './references.ts';
import { emailAlreadyUsed } from './refusals.ts';
import { changeUser, mayLoseAdministration, USERS, type User, type UserChanges } from './user.ts';

export type UpdateUserCommand = { readonly userId: string; readonly changes: UserChanges };
/** As CreateUser, but for the password; 422 LAST_ADMINISTRATOR besides. */
export type UpdateUser = Command<UpdateUserCommand, User>;

export const createUpdateUser = (
  deps: Changing & { readonly identityStore: IdentityStore; readonly requireHeld: RequireHeld },
): UpdateUser => {
  return ({ userId, changes }, context) =>
    deps.transact.alone(context, async (tx) => {
      const user = existing(await tx.get(USERS, userId), 'User');
      const now = deps.clock();
      const decision = changeUser(user, changes, now);
      const { email } = decision.data;
      if (email !== user.email && (await deps.identityStore.isEmailTaken(email, tx.session)))
        throw emailAlreadyUsed();
      await requireReferences(tx, deps.identityStore, decision.data);
      await deps.requireHeld.groups(tx, context, groupsGiven(user, decision.data));
      const changed = await tx.record(USERS, user, decision);
      if (mayLoseAdministration(user, changed)) await keepAdministrator(tx, deps.identityStore, now);
      return changed;
    });
};
