import type { Clock } from '../../kernel/clock.ts';
import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { type KeyRings, lookupHashes } from '../../platform/secrets.ts';
import { isAccepted, kindOfKey, permissionsOfKey } from '../merchants/write/api-key.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import type { CredentialsStore } from './credentials.store.ts';
import { permissionsOf, permissionsOfUser } from './write/group.ts';
import { assertLasting, notedUntil, pendingSetupOf } from './write/session.ts';
import type { SessionsStore } from './write/sessions.store.ts';
import { readToken } from './write/tokens.ts';

/**
 * Turns credentials into the caller that they stand for at this moment; 401 with its error code for credentials that
 * stand for none.
 */
export type Principals = {
  ofApiKey(key: string): Promise<Principal>;
  ofToken(token: string): Promise<Principal>;
};

export const createPrincipals = (deps: {
  readonly store: CredentialsStore;
  readonly sessions: Pick<SessionsStore, 'touch'>;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  readonly keyRings: KeyRings;
  readonly clock: Clock;
  readonly time: Pick<EnvironmentTime, 'now'>;
}): Principals => {
  const { store, keyRings, clock } = deps;

  return {
    async ofApiKey(value) {
      const credential = kindOfKey(value);
      if (credential === null) throw invalid();
      const found = await store.findApiKey(credential, lookupHashes(keyRings.pepper, value));
      if (!found || !isAccepted(found.key, await deps.time.now(found.key.livemode))) throw invalid();
      const { key, merchant } = found;
      if (!merchant || !existsIn(merchant, key.livemode)) throw invalid();
      const actor = { kind: 'key', id: key.id } as const;
      // The request does not fail with this write: where it fails, a later request notes the use.
      await store.noteUse(key.id, clock()).catch(() => undefined);
      return {
        kind: 'merchant',
        actor,
        credential,
        livemode: key.livemode,
        ...ofMerchant(merchant),
        permissions: permissionsOfKey(key, merchant),
        ...(key.permissions === null ? {} : { restrictedTo: permissionsOfKey(key, merchant) }),
        // Browsers use the public key, so it is accepted from every network.
        ...(credential === 'secret_key' ? { allowedNetworks: key.allowedNetworks } : {}),
      };
    },
    async ofToken(token) {
      const now = clock();
      const claims = await readToken(keyRings.jwt, token, now);
      const found = await store.findSession(claims.sessionId);
      if (!found || found.user.id !== claims.userId) throw invalid();
      const { user, groups, merchant } = found;
      assertLasting(found.session, user, now);
      const { livemode } = found.session;
      if (livemode !== claims.livemode) throw invalid();
      // Nobody waits for this write: where it fails, the next request makes it.
      if (found.session.lastSeenAt < notedUntil(now))
        deps.sessions.touch(found.session.id, now).catch(() => undefined);
      const pending = pendingSetupOf(user, deps.requireSecondFactor);
      const session = { id: found.session.id, userId: user.id, pending };
      if (user.merchantId === null) {
        const actor = { kind: 'operator', id: user.id } as const;
        const permissions = permissionsOf(groups);
        const { allowedNetworks } = user;
        return {
          kind: 'operator',
          actor,
          credential: 'user',
          userId: user.id,
          livemode,
          permissions,
          session,
          allowedNetworks,
        };
      }
      if (!merchant || !existsIn(merchant, livemode)) throw invalid();
      const actor = { kind: 'user', id: user.id } as const;
      const { allowedNetworks } = user;
      return {
        kind: 'merchant',
        actor,
        credential: 'user',
        livemode,
        session,
        allowedNetworks,
        ...ofMerchant(merchant),
        permissions: permissionsOfUser(merchant.permissions, groups),
      };
    },
  };
};

const invalid = (): Error => unauthorized('CREDENTIALS_INVALID');

/** A blocked or inactive merchant is authenticated all the same, because the commands decide what it may do. */
const ofMerchant = (merchant: Merchant) => ({
  merchantId: merchant.id,
  masterId: merchant.masterId,
});

const existsIn = (merchant: Merchant, livemode: boolean): boolean =>
  merchant.livemode === null || merchant.livemode === livemode;
