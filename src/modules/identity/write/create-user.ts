import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { NewId, UserId } from '../../../kernel/ids.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { groupsGiven, type RequireHeld } from './grants.ts';
import type { IdentityStore } from './identity.store.ts';
import { assertNotGuessable } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { requireReferences } from './references.ts';
import { emailAlreadyUsed } from './refusals.ts';
import { type NewUser, newSecret, openUser, USERS, type User } from './user.ts';

type CreateUserCommand = NewUser & { readonly password: string };

/** A user in the form that may wait for a second operator's approval, with only the hash of the password. */
export type PreparedUser = NewUser & { readonly id: UserId; readonly passwordHash: string };
/** Checks and hashes the password of a new user. 422 PASSWORD_TOO_COMMON, PASSWORD_NAMES_USER. */
export type PrepareUser = (command: CreateUserCommand, context: CommandContext) => Promise<PreparedUser>;

export const createPrepareUser =
  (deps: { readonly passwords: Passwords; readonly newId: NewId }): PrepareUser =>
  async ({ password, ...command }, { address }) => {
    assertNotGuessable(password, command);
    return { ...command, id: deps.newId('usr'), passwordHash: await deps.passwords.hash(password, address) };
  };

/**
 * Creates a user. 422 EMAIL_ALREADY_USED, GROUP_NOT_FOUND, MERCHANT_NOT_FOUND, GROUPS_NOT_ALLOWED; 403 GRANT_NOT_HELD.
 */
export type CreateUser = Command<PreparedUser, User>;

export const createUserHandler = (
  deps: Changing & {
    readonly identityStore: IdentityStore;
    readonly requireHeld: RequireHeld;
    /** Whether a password that somebody else chose has to be changed at the first login. */
    readonly changeAtFirstLogin: boolean;
  },
): CreateUser => {
  return async ({ id, passwordHash, ...command }, context) => {
    const decision = openUser(command, deps.changeAtFirstLogin, id, deps.clock());
    return deps.transact.alone(context, async (tx) => {
      if (await deps.identityStore.isEmailTaken(decision.data.email, tx.session)) throw emailAlreadyUsed();
      await requireReferences(tx, deps.identityStore, context, null, decision.data);
      await deps.requireHeld.groups(tx, context, groupsGiven(null, decision.data));
      return tx.record(USERS, null, decision, newSecret(passwordHash));
    });
  };
};
