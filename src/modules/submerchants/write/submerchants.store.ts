import type { MerchantId } from '../../../kernel/ids.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { fieldsAdded, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { API_KEYS, type ApiKey, type ApiKeySecret } from '../../merchants/write/api-key.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { SETTINGS, type Setting } from '../../merchants/write/setting.ts';

export const submerchantsMigrations: readonly Migration[] = [
  // Merchants from before this module lack these fields.
  fieldsAdded('030-submerchants', MERCHANTS, {
    statusReason: null,
    phone: null,
    address: null,
    postbackUrl: null,
  }),
];

/** All settings of a merchant, without the gateway-wide defaults, as the transaction sees them. */
export type FindSettingsOf = (merchantId: MerchantId) => Promise<readonly Setting[]>;

export const createFindSettingsOf =
  (db: Database): FindSettingsOf =>
  (merchantId) =>
    db
      .collection(SETTINGS.collection)
      .find<Setting>({ merchantId, removed: { $ne: true } }, { projection: RESOURCE_ONLY })
      .toArray();

/** A pair of keys with its sealed secret key. */
type ReadableKey = { readonly key: ApiKey; readonly sealed: Sealed };

/** Pairs of a sub-merchant that have not been rolled, the oldest first. */
export type FindReadableKeys = (merchantId: MerchantId) => Promise<readonly ReadableKey[]>;

export const createFindReadableKeys =
  (db: Database): FindReadableKeys =>
  async (merchantId) => {
    const found = await db
      .collection(API_KEYS.collection)
      .find<ApiKey & { readonly secret: ApiKeySecret }>({ merchantId, rolledTo: null })
      .toArray();
    return found
      .flatMap(({ secret, ...key }) =>
        secret.sealedSecretKey === null ? [] : [{ key, sealed: secret.sealedSecretKey }],
      )
      .sort((a, b) => (a.key.id < b.key.id ? -1 : 1));
  };
