import type { Timestamp } from '../../../kernel/clock.ts';
import { existing } from '../../../kernel/errors.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { RequireHeld } from './grants.ts';
import type { IdentityStore } from './identity.store.ts';
import { newOneTimePassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { ownAccount } from './refusals.ts';
import { removeSecondFactor, resetPassword, USERS, type User, userWithin, withPassword } from './user.ts';

export type OneTimePassword = { readonly oneTimePassword: string; readonly expiresAt: Timestamp };

type CredentialsOf = {
  readonly userId: string;
  /** With a merchant, only its users are found; neither operators nor users of other merchants. */
  readonly ofMerchant?: MerchantId;
};

/** Resets somebody else's credentials: 404 for an unknown user, 422 OWN_ACCOUNT for oneself, 403 GRANT_NOT_HELD. */
export type ResetCredentials = {
  /** Replaces the password by a one-time password, which only this answer shows, and ends all sessions. */
  readonly password: Command<CredentialsOf, OneTimePassword>;
  /** Takes the second factor away and ends all sessions; 422 SECOND_FACTOR_NOT_SET. */
  readonly secondFactor: Command<CredentialsOf, User>;
};

export const createResetCredentials = (
  deps: Changing & {
    readonly identityStore: Pick<IdentityStore, 'findUserWithSecret'>;
    readonly passwords: Passwords;
    readonly requireHeld: Pick<RequireHeld, 'groups'>;
  },
): ResetCredentials => ({
  async password({ userId, ofMerchant }, context) {
    assertOther(userId, context);
    const oneTimePassword = newOneTimePassword();
    const passwordHash = await deps.passwords.hash(oneTimePassword, context.address);
    const decision = await deps.transact.alone(context, async (tx) => {
      const found = existing(await deps.identityStore.findUserWithSecret({ id: userId }, tx.session), 'User');
      userWithin(ofMerchant, found.user);
      // The new credentials give all permissions of the account.
      await deps.requireHeld.groups(tx, context, found.user.groups);
      const reset = resetPassword(found.user, deps.clock());
      return tx.record(USERS, found.user, reset, withPassword(found.secret, passwordHash));
    });
    return { oneTimePassword, expiresAt: decision.oneTimePasswordExpiresAt ?? '' };
  },
  async secondFactor({ userId, ofMerchant }, context) {
    assertOther(userId, context);
    return deps.transact.alone(context, async (tx) => {
      const found = existing(await deps.identityStore.findUserWithSecret({ id: userId }, tx.session), 'User');
      userWithin(ofMerchant, found.user);
      // The new credentials give all permissions of the account.
      await deps.requireHeld.groups(tx, context, found.user.groups);
      const decision = removeSecondFactor(found.user, 'user.second_factor_reset', deps.clock());
      return tx.record(USERS, found.user, decision, { ...found.secret, secondFactor: null });
    });
  },
});

/** 422 OWN_ACCOUNT for oneself, so that a stolen token is not enough to take over the account that it belongs to. */
const assertOther = (userId: string, { actor }: CommandContext): void => {
  if (userId === actor.id) throw ownAccount();
};
