import type { Clock } from '../../kernel/clock.ts';
import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type KeyRings, lookupHashes } from '../../platform/secrets.ts';
import { isAccepted, kindOfKey } from '../merchants/write/api-key.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import type { CredentialsStore } from './credentials.store.ts';
import { permissionsOf } from './write/group.ts';
import { readToken } from './write/tokens.ts';

/** Turns credentials into the caller that they stand for at this moment; 401 with its code for any others. */
export type Principals = {
  ofApiKey(key: string): Promise<Principal>;
  ofToken(token: string): Promise<Principal>;
};

export const createPrincipals = (deps: {
  readonly store: CredentialsStore;
  readonly keyRings: KeyRings;
  readonly clock: Clock;
}): Principals => {
  const { store, keyRings, clock } = deps;

  return {
    async ofApiKey(value) {
      const credential = kindOfKey(value);
      if (credential === null) throw invalid();
      const found = await store.findApiKey(credential, lookupHashes(keyRings.pepper, value));
      if (!found || !isAccepted(found.key, clock())) throw invalid();
      const { key, merchant } = found;
      if (!merchant || !existsIn(merchant, key.livemode)) throw invalid();
      const actor = { kind: 'key', id: key.id } as const;
      return { kind: 'merchant', actor, credential, livemode: key.livemode, ...ofMerchant(merchant) };
    },
    async ofToken(token) {
      const claims = await readToken(keyRings.jwt, token, clock());
      const found = await store.findUser(claims.userId);
      if (!found) throw invalid();
      const { user, groups, merchant } = found;
      if (user.disabled || user.credentialsVersion !== claims.credentialsVersion) throw invalid();
      const { livemode } = claims;
      if (user.merchantId === null) {
        const actor = { kind: 'operator', id: user.id } as const;
        const permissions = permissionsOf(groups);
        return { kind: 'operator', actor, credential: 'user', userId: user.id, livemode, permissions };
      }
      if (!merchant || !existsIn(merchant, livemode)) throw invalid();
      const actor = { kind: 'user', id: user.id } as const;
      return { kind: 'merchant', actor, credential: 'user', livemode, ...ofMerchant(merchant) };
    },
  };
};

const invalid = (): Error => unauthorized('CREDENTIALS_INVALID');

/** A blocked or inactive merchant is known all the same: the commands decide what it may do. */
const ofMerchant = (merchant: Merchant) => ({
  merchantId: merchant.id,
  masterId: merchant.masterId,
  permissions: merchant.permissions,
});

const existsIn = (merchant: Merchant, livemode: boolean): boolean =>
  merchant.livemode === null || merchant.livemode === livemode;
