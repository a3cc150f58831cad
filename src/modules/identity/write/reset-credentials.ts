import type { Timestamp } from '../../../kernel/clock.ts';
import { existing, notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { RequireHeld } from './grants.ts';
import type { IdentityStore } from './identity.store.ts';
import { newOneTimePassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { ownAccount } from './refusals.ts';
import { removeSecondFactor, resetPassword, USERS, type User, withPassword } from './user.ts';

export type OneTimePassword = { readonly oneTimePassword: string; readonly expiresAt: Timestamp };

/** Somebody else's credentials: 404 for an unknown user, 422 OWN_ACCOUNT for oneself, 403 GRANT_NOT_HELD. */
export type ResetCredentials = {
  /** Replaces the password by a one-time password, which is in this answer only, and ends all sessions. */
  password(userId: string, context: CommandContext): Promise<OneTimePassword>;
  /** Takes the second factor away and ends all sessions; 422 SECOND_FACTOR_NOT_SET. */
  secondFactor(userId: string, context: CommandContext): Promise<User>;
};

export const createResetCredentials = (
  deps: Changing & {
    readonly identityStore: Pick<IdentityStore, 'findUserWithSecret'>;
    readonly passwords: Passwords;
    readonly requireHeld: Pick<RequireHeld, 'groups'>;
  },
): ResetCredentials => ({
  async password(userId, context) {
    assertOther(userId, context);
    const oneTimePassword = newOneTimePassword();
    const passwordHash = await deps.passwords.hash(oneTimePassword, context.address);
    const decision = await deps.transact.alone(context, async (tx) => {
      const found = await deps.identityStore.findUserWithSecret({ id: userId }, tx.session);
      if (!found) throw notFound('User');
      // A reset hands over all permissions of the account.
      await deps.requireHeld.groups(tx, context, found.user.groups);
      const reset = resetPassword(found.user, deps.clock());
      return tx.record(USERS, found.user, reset, withPassword(found.secret, passwordHash));
    });
    return { oneTimePassword, expiresAt: decision.oneTimePasswordExpiresAt ?? '' };
  },
  async secondFactor(userId, context) {
    assertOther(userId, context);
    return deps.transact.alone(context, async (tx) => {
      const found = existing(await deps.identityStore.findUserWithSecret({ id: userId }, tx.session), 'User');
      // A reset hands over all permissions of the account.
      await deps.requireHeld.groups(tx, context, found.user.groups);
      const decision = removeSecondFactor(found.user, 'user.second_factor_reset', deps.clock());
      return tx.record(USERS, found.user, decision, { ...found.secret, secondFactor: null });
    });
  },
});

/** With a token alone nobody changes the credentials of the account that it belongs to. */
const assertOther = (userId: string, { actor }: CommandContext): void => {
  if (userId === actor.id) throw ownAccount();
};
