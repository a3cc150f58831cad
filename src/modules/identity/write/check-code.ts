import type { Clock } from '../../../kernel/clock.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
import type { IdentityStore, UserWithSecret } from './identity.store.ts';
import { isTotp, recoveryHash, stepOf } from './second-factor.ts';

/**
 * Whether the code is a valid one of the user's second factor. A code counts once, however many requests use it at the
 * same time.
 */
export type CheckCode = (found: UserWithSecret, code: string) => Promise<boolean>;

export const createCheckCode = (deps: {
  readonly identityStore: Pick<IdentityStore, 'takeStep' | 'takeRecoveryCode'>;
  readonly sealing: KeyRing;
  readonly clock: Clock;
}): CheckCode => {
  return async ({ user, secret }, code) => {
    if (secret.secondFactor === null) return false;
    if (!isTotp(code)) return deps.identityStore.takeRecoveryCode(user.id, recoveryHash(user.id, code));
    const step = stepOf(unseal(deps.sealing, secret.secondFactor.sealedSecret), code, deps.clock());
    return step !== null && deps.identityStore.takeStep(user.id, step);
  };
};
