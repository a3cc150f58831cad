import type { Clock } from '../../../kernel/clock.ts';
import { unauthorized, unprocessable } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import type { IdentityStore } from './identity.store.ts';
import type { LimitLogin } from './login-limit.ts';
import type { Passwords } from './passwords.ts';
import { signToken } from './tokens.ts';
import { normalizeEmail, type User } from './user.ts';

export type LoginCommand = {
  readonly email: string;
  readonly password: string;
  readonly livemode: boolean;
  readonly address: string;
};
/** A token; 401 for wrong credentials and disabled users alike, 429 after repeated failures. */
export type Login = (command: LoginCommand) => Promise<string>;

export const login = (deps: {
  readonly identityStore: Pick<IdentityStore, 'findUserWithHash'>;
  readonly findMerchant: (id: MerchantId) => Promise<Merchant | null>;
  readonly passwords: Passwords;
  readonly limitLogin: LimitLogin;
  readonly jwtKeys: KeyRing;
  readonly clock: Clock;
}): Login => {
  const check = async (email: string, password: string): Promise<User | null> => {
    const found = await deps.identityStore.findUserWithHash({ email });
    const isRight = await deps.passwords.verify(found?.passwordHash ?? null, password);
    return isRight && found && !found.user.disabled ? found.user : null;
  };

  return async ({ password, livemode, address, ...command }) => {
    const email = normalizeEmail(command.email);
    const user = await deps.limitLogin({ email, address }, () => check(email, password));
    if (!user) throw unauthorized('CREDENTIALS_INVALID');
    const merchant = user.merchantId === null ? null : await deps.findMerchant(user.merchantId);
    if (merchant && merchant.livemode !== null && merchant.livemode !== livemode)
      throw unprocessable('ENVIRONMENT_NOT_AVAILABLE', 'The sub-merchant belongs to the other environment');
    const claims = { userId: user.id, livemode, credentialsVersion: user.credentialsVersion };
    return signToken(deps.jwtKeys, claims, deps.clock());
  };
};
