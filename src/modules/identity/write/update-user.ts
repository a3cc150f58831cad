import type { Command } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { keepAdministrator } from './administration.ts';
import { groupsGiven, type RequireHeld } from './grants.ts';
import type { IdentityStore } from './identity.store.ts';
import { requireReferences } from './references.ts';
import { emailAlreadyUsed } from './refusals.ts';
import { changeUser, mayLoseAdministration, USERS, type User, type UserChanges, userWithin } from './user.ts';

export type UpdateUserCommand = {
  readonly userId: string;
  readonly changes: UserChanges;
  /** With a merchant, only its users are found; neither operators nor users of other merchants. */
  readonly ofMerchant?: MerchantId;
};
/** Changes a user. The errors of CreateUser, except for those of the password, and 422 LAST_ADMINISTRATOR. */
export type UpdateUser = Command<UpdateUserCommand, User>;

export const createUpdateUser = (
  deps: Changing & { readonly identityStore: IdentityStore; readonly requireHeld: RequireHeld },
): UpdateUser => {
  return ({ userId, changes, ofMerchant }, context) =>
    deps.transact.alone(context, async (tx) => {
      const user = userWithin(ofMerchant, await tx.get(USERS, userId));
      const now = deps.clock();
      const decision = changeUser(user, changes, now);
      const { email } = decision.data;
      if (email !== user.email && (await deps.identityStore.isEmailTaken(email, tx.session)))
        throw emailAlreadyUsed();
      await requireReferences(tx, deps.identityStore, context, user, decision.data);
      await deps.requireHeld.groups(tx, context, groupsGiven(user, decision.data));
      const changed = await tx.record(USERS, user, decision);
      if (mayLoseAdministration(user, changed)) await keepAdministrator(tx, deps.identityStore, now);
      return changed;
    });
};
