import { unauthorized } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { type KeyRing, seal, unseal } from '../../../platform/secrets.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { CheckCode } from './check-code.ts';
import type { IdentityStore, UserWithSecret } from './identity.store.ts';
import type { LimitLogin } from './login-limit.ts';
import { secondFactorNotStarted, wrongCode } from './refusals.ts';
import { newRecoveryCodes, newTotpSecret, otpauthUrl, recoveryHash, stepOf } from './second-factor.ts';
import { confirmSecondFactor, removeSecondFactor, startSecondFactor, USERS } from './user.ts';

type WithCode = { readonly userId: UserId; readonly code: string; readonly address: string };

/** Commands on a user's own second factor. Wrong codes count as failed logins: 422 WRONG_CODE, then 429. */
export type SetUpSecondFactor = {
  /** Returns a secret, which counts once it is confirmed; 422 SECOND_FACTOR_ALREADY_SET. */
  start(
    userId: UserId,
    context: CommandContext,
  ): Promise<{ readonly secret: string; readonly otpauthUrl: string }>;
  /** Returns recovery codes, which only this answer shows, and ends all sessions. 422 SECOND_FACTOR_NOT_STARTED. */
  confirm(command: WithCode, context: CommandContext): Promise<readonly string[]>;
  /** Ends all sessions. 422 SECOND_FACTOR_NOT_SET. */
  remove(command: WithCode, context: CommandContext): Promise<void>;
};

export const createSetUpSecondFactor = (
  deps: Changing & {
    readonly identityStore: Pick<IdentityStore, 'findUserWithSecret'>;
    readonly limitLogin: LimitLogin;
    readonly checkCode: CheckCode;
    readonly sealing: KeyRing;
  },
): SetUpSecondFactor => {
  const find = async (...by: Parameters<IdentityStore['findUserWithSecret']>): Promise<UserWithSecret> => {
    const found = await deps.identityStore.findUserWithSecret(...by);
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    return found;
  };
  /** Runs the check of a code within the login limit; 422 where it returns null for a wrong code. */
  const limited = async <T>(email: string, address: string, check: () => Promise<T | null>): Promise<T> => {
    const result = await deps.limitLogin({ account: email, address }, check);
    if (result === null) throw wrongCode();
    return result;
  };

  return {
    async start(userId, context) {
      const secret = newTotpSecret();
      const user = await deps.transact.alone(context, async (tx) => {
        const found = await find({ id: userId }, tx.session);
        const decision = startSecondFactor(found.user, deps.clock());
        const secondFactor = { sealedSecret: seal(deps.sealing, secret), lastStep: 0, recoveryHashes: [] };
        return tx.record(USERS, found.user, decision, { ...found.secret, secondFactor });
      });
      return { secret, otpauthUrl: otpauthUrl(secret, user.email) };
    },

    async confirm({ userId, code, address }, context) {
      const { user, secret } = await find({ id: userId });
      const started = secret.secondFactor;
      if (user.secondFactor || started === null) throw secondFactorNotStarted();
      const totpSecret = unseal(deps.sealing, started.sealedSecret);
      const lastStep = await limited(user.email, address, async () => stepOf(totpSecret, code, deps.clock()));
      const codes = newRecoveryCodes();
      const recoveryHashes = codes.map((one) => recoveryHash(userId, one));
      await deps.transact.alone(context, async (tx) => {
        const found = await find({ id: userId }, tx.session);
        // The secret may have been replaced or confirmed since the code was checked.
        const present = found.secret.secondFactor?.sealedSecret.nonce;
        if (found.user.secondFactor || present !== started.sealedSecret.nonce) throw secondFactorNotStarted();
        const secondFactor = { ...started, lastStep, recoveryHashes };
        const decision = confirmSecondFactor(found.user, deps.clock());
        await tx.record(USERS, found.user, decision, { ...found.secret, secondFactor });
      });
      return codes;
    },

    async remove({ userId, code, address }, context) {
      const found = await find({ id: userId });
      removeSecondFactor(found.user, 'user.second_factor_removed', deps.clock());
      await limited(found.user.email, address, async () =>
        (await deps.checkCode(found, code)) ? true : null,
      );
      await deps.transact.alone(context, async (tx) => {
        const { user, secret } = await find({ id: userId }, tx.session);
        const decision = removeSecondFactor(user, 'user.second_factor_removed', deps.clock());
        await tx.record(USERS, user, decision, { ...secret, secondFactor: null });
      });
    },
  };
};
