import { type MerchantPermission, PEOPLE_PERMISSIONS } from '../../../kernel/principal.ts';
import { collections, ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { API_KEYS } from './api-key.ts';
import { API_KEY_USES } from './api-key-uses.store.ts';
import { FEE_DEFINITIONS } from './fees.ts';
import { grantToMerchants } from './grant-to-merchants.store.ts';
import { MERCHANTS, type Merchant } from './merchant.ts';

export const merchantsMigrations: readonly Migration[] = [
  collections('010-merchants', {
    [MERCHANTS.collection]: [],
    [API_KEYS.collection]: [{ key: { merchantId: 1 } }],
    [FEE_DEFINITIONS.collection]: [],
  }),
  {
    id: '170-api-keys-by-any-pepper',
    async up(db) {
      const keys = db.collection<{ _id: string; secret: object }>(API_KEYS.collection);
      // The indexes may be gone: this is a new installation, or another process was faster.
      for (const index of ['secret.secretKeyHash_1', 'secret.publicKeyHash_1'])
        await keys.dropIndex(index).catch(() => undefined);
      for await (const { _id, secret } of keys.find({ 'secret.secretKeyHash': { $exists: true } })) {
        const { secretKeyHash, publicKeyHash, ...rest } = secret as OneHashEach;
        const hashes = { secretKeyHashes: [secretKeyHash], publicKeyHashes: [publicKeyHash] };
        await keys.updateOne({ _id }, { $set: { secret: { ...rest, ...hashes } } });
      }
      await keys.createIndex({ 'secret.secretKeyHashes': 1 }, { unique: true });
      await keys.createIndex({ 'secret.publicKeyHashes': 1 }, { unique: true });
    },
  },
  {
    id: '171-payouts-and-fees-read',
    async up(db) {
      // Until this version every merchant could read payouts and fees without a permission.
      const permissions: readonly MerchantPermission[] = ['payouts.read', 'fees.read'];
      await db
        .collection<Pick<Merchant, 'permissions'>>(MERCHANTS.collection)
        .updateMany({}, { $addToSet: { permissions: { $each: [...permissions] } } });
    },
  },
  {
    id: '210-api-key-restrictions',
    async up(db) {
      await ensureCollections(db, [API_KEY_USES]);
      const keys = db.collection<{ _id: string }>(API_KEYS.collection);
      const defaults = { description: null, permissions: null, allowedNetworks: [] };
      for await (const { _id } of keys.find(
        { allowedNetworks: { $exists: false } },
        { projection: { _id: 1 } },
      ))
        await keys.updateOne({ _id }, { $set: defaults });
    },
  },
  {
    id: '250-people-permissions',
    async up(db) {
      // Nobody gets these permissions by this alone: an operator has to put people into groups that give them.
      await grantToMerchants(db, {}, PEOPLE_PERMISSIONS);
    },
  },
];

/** Secrets of a pair as they were stored before there could be several peppers. */
type OneHashEach = { readonly secretKeyHash: string; readonly publicKeyHash: string };
