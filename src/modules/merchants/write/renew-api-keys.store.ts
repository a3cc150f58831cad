import type { Clock } from '../../../kernel/clock.ts';
import type { Renewal } from '../../../platform/renewal.ts';
import { isHashedByCurrent, type KeyRings, lookupHashes, seal, unseal } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { API_KEYS, type ApiKey, type ApiKeySecret, isAccepted } from './api-key.ts';

/**
 * Seals the secrets of sub-merchants' keys anew, and hashes keys with the present pepper where it knows them. A secret
 * key that is not stored is hashed anew at its next use (credentials.store.ts), so one that was not used since then is
 * reported as left over.
 */
export const createApiKeyRenewal = (deps: {
  readonly db: Database;
  readonly keyRings: Pick<KeyRings, 'pepper' | 'sealing'>;
  readonly clock: Clock;
}): Renewal => ({
  what: 'API keys',
  async run() {
    const { pepper, sealing } = deps.keyRings;
    const keys = deps.db.collection<ApiKey & { _id: string; secret: ApiKeySecret }>(API_KEYS.collection);
    const left: string[] = [];
    let renewed = 0;
    for await (const { _id, secret, ...key } of keys.find()) {
      const sealed = secret.sealedSecretKey;
      const secretKey = sealed && unseal(sealing, sealed);
      const changes: Record<string, unknown> = {};
      if (secretKey && sealed.keyId !== sealing.current.id)
        changes['secret.sealedSecretKey'] = seal(sealing, secretKey);
      if (!isHashedByCurrent(pepper, secret.publicKeyHashes))
        changes['secret.publicKeyHashes'] = lookupHashes(pepper, key.publicKey);
      if (!isHashedByCurrent(pepper, secret.secretKeyHashes)) {
        if (secretKey) changes['secret.secretKeyHashes'] = lookupHashes(pepper, secretKey);
        else if (isAccepted(key, deps.clock()))
          left.push(`API key ${key.id} of ${key.merchantId} was not used since KEY_PEPPER was changed`);
      }
      if (Object.keys(changes).length === 0) continue;
      await keys.updateOne({ _id }, { $set: changes });
      renewed += 1;
    }
    return { renewed, left };
  },
});
