import { unauthorized } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { IdentityStore } from './identity.store.ts';
import type { LimitLogin } from './login-limit.ts';
import { assertNotGuessable } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { passwordUsedBefore, wrongPassword } from './refusals.ts';
import { changeOwnPassword, USERS, type UserSecret, withPassword } from './user.ts';

type ChangePasswordCommand = {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly address: string;
};
/**
 * Changes one's own password. 422 WRONG_PASSWORD, and 429 after repeated ones, which count as failed logins. 422
 * PASSWORD_TOO_COMMON, PASSWORD_NAMES_USER or PASSWORD_USED_BEFORE for the new one.
 */
export type ChangePassword = Command<ChangePasswordCommand, void>;

export const createChangePassword = (
  deps: Changing & {
    readonly identityStore: Pick<IdentityStore, 'findUserWithSecret'>;
    readonly passwords: Passwords;
    readonly limitLogin: LimitLogin;
  },
): ChangePassword => {
  const assertNew = async (
    { passwordHash, formerHashes }: UserSecret,
    password: string,
    address: string,
  ): Promise<void> => {
    for (const hash of [passwordHash, ...formerHashes])
      if (await deps.passwords.verify(hash, password, address)) throw passwordUsedBefore();
  };

  return async ({ userId, currentPassword, newPassword, address }, context) => {
    const found = await deps.identityStore.findUserWithSecret({ id: userId });
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    const isRight = await deps.limitLogin({ account: found.user.email, address }, async () =>
      (await deps.passwords.verify(found.secret.passwordHash, currentPassword, address)) ? true : null,
    );
    if (!isRight) throw wrongPassword();
    assertNotGuessable(newPassword, found.user);
    await assertNew(found.secret, newPassword, address);
    const passwordHash = await deps.passwords.hash(newPassword, address);
    await deps.transact.alone(context, async (tx) => {
      const present = await deps.identityStore.findUserWithSecret({ id: userId }, tx.session);
      // The password may have been changed since it was checked.
      if (present?.user.credentialsVersion !== found.user.credentialsVersion)
        throw unauthorized('CREDENTIALS_INVALID');
      const decision = changeOwnPassword(present.user, deps.clock());
      await tx.record(USERS, present.user, decision, withPassword(present.secret, passwordHash));
    });
  };
};
