import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import type { IdentityStore } from './identity.store.ts';
import { assertNotGuessable } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { requireReferences } from './references.ts';
import { emailAlreadyUsed, type NewUser, newSecret, openUser, USERS, type User } from './user.ts';

export type CreateUserCommand = NewUser & { readonly password: string };
/**
 * 422 EMAIL_ALREADY_USED, GROUP_NOT_FOUND, MERCHANT_NOT_FOUND, GROUPS_NOT_ALLOWED, PASSWORD_TOO_COMMON,
 * PASSWORD_NAMES_USER.
 */
export type CreateUser = (command: CreateUserCommand, context: CommandContext) => Promise<User>;

export const createUser = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly identityStore: IdentityStore;
  readonly passwords: Passwords;
  /** Whether the password given for somebody else has to be changed at the first login. */
  readonly changeAtFirstLogin: boolean;
}): CreateUser => {
  return async ({ password, ...command }, context) => {
    assertNotGuessable(password, command);
    const decision = openUser(command, deps.changeAtFirstLogin, deps.newId('usr'), deps.clock());
    const passwordHash = await deps.passwords.hash(password);
    return deps.transact(context, async (tx) => {
      if (await deps.identityStore.isEmailTaken(decision.data.email, tx.session)) throw emailAlreadyUsed();
      await requireReferences(tx, deps.identityStore, decision.data);
      return tx.record(USERS, null, decision, newSecret(passwordHash));
    });
  };
};
