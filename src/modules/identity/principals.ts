import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type KeyRings, lookupHashes } from '../../platform/secrets.ts';
import { isAccepted, kindOfKey } from '../merchants/write/api-key.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import type { CredentialsStore } from './credentials.store.ts';
import { permissionsOf } from './write/group.ts';
import { readToken } from './write/tokens.ts';
import type { User } from './write/user.ts';

/** Turns credentials into whoever they stand for at this moment; null for nobody. */
export type Principals = {
  ofApiKey(key: string): Promise<Principal | null>;
  ofToken(token: string): Promise<Principal | null>;
};

export const createPrincipals = (deps: {
  readonly store: CredentialsStore;
  readonly keyRings: KeyRings;
  readonly clock: Clock;
}): Principals => {
  const { store, keyRings, clock } = deps;

  const ofUser = async (user: User, livemode: boolean): Promise<Principal | null> => {
    if (user.merchantId === null) {
      const actor = { kind: 'operator', id: user.id } as const;
      const permissions = permissionsOf(await store.findGroups(user.groups));
      return { kind: 'operator', actor, credential: 'user', userId: user.id, livemode, permissions };
    }
    const merchant = await store.findMerchant(user.merchantId);
    if (!merchant || !existsIn(merchant, livemode)) return null;
    const actor = { kind: 'user', id: user.id } as const;
    return { kind: 'merchant', actor, credential: 'user', livemode, ...ofMerchant(merchant) };
  };

  return {
    async ofApiKey(value) {
      const credential = kindOfKey(value);
      if (credential === null) return null;
      const key = await store.findApiKey(credential, lookupHashes(keyRings.pepper, value));
      if (!key || !isAccepted(key, clock())) return null;
      const merchant = await store.findMerchant(key.merchantId);
      if (!merchant || !existsIn(merchant, key.livemode)) return null;
      const actor = { kind: 'key', id: key.id } as const;
      return { kind: 'merchant', actor, credential, livemode: key.livemode, ...ofMerchant(merchant) };
    },
    async ofToken(token) {
      const claims = await readToken(keyRings.jwt, token, clock());
      const user = claims && (await store.findUser(claims.userId));
      if (!user || user.disabled || user.credentialsVersion !== claims.credentialsVersion) return null;
      return ofUser(user, claims.livemode);
    },
  };
};

/** A blocked or inactive merchant is known all the same: the commands decide what it may do (decisions 9). */
const ofMerchant = (merchant: Merchant) => ({
  merchantId: merchant.id,
  masterId: merchant.masterId,
  permissions: merchant.permissions,
});

const existsIn = (merchant: Merchant, livemode: boolean): boolean =>
  merchant.livemode === null || merchant.livemode === livemode;
