import type { Clock } from '../../../kernel/clock.ts';
import { unauthorized, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import type { IdentityStore } from './identity.store.ts';
import type { LimitLogin } from './login-limit.ts';
import type { Passwords } from './passwords.ts';
import { changeOwnPassword, USERS } from './user.ts';

export type ChangePasswordCommand = {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly address: string;
};
/** 422 WRONG_PASSWORD, 429 after repeated failures: they count as failed logins. */
export type ChangePassword = (command: ChangePasswordCommand, context: CommandContext) => Promise<void>;

export const changePassword = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly identityStore: Pick<IdentityStore, 'findUserWithHash'>;
  readonly passwords: Passwords;
  readonly limitLogin: LimitLogin;
}): ChangePassword => {
  return async ({ userId, currentPassword, newPassword, address }, context) => {
    const found = await deps.identityStore.findUserWithHash({ id: userId });
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    const isRight = await deps.limitLogin({ email: found.user.email, address }, async () =>
      (await deps.passwords.verify(found.passwordHash, currentPassword)) ? true : null,
    );
    if (!isRight) throw unprocessable('WRONG_PASSWORD', 'The current password is wrong');
    const passwordHash = await deps.passwords.hash(newPassword);
    await deps.transact(context, async (tx) => {
      const user = await tx.get(USERS, userId);
      // The password that was checked may have been changed meanwhile.
      if (!user || user.credentialsVersion !== found.user.credentialsVersion)
        throw unauthorized('CREDENTIALS_INVALID');
      await tx.record(USERS, user, changeOwnPassword(user, deps.clock()), { passwordHash });
    });
  };
};
