import type { Db } from 'mongodb';
import type { Renewal } from '../../platform/renewal.ts';
import { type KeyRing, seal, unseal } from '../../platform/secrets.ts';
import { ensureCollections, type Migration } from '../../platform/write-store/migrate.ts';
import {
  type MerchantAccount,
  type MerchantAccountSecret,
  PROVIDER_ACCOUNTS,
  type ProviderAccountId,
} from './merchant-accounts.ts';

export const merchantAccountMigrations: readonly Migration[] = [
  {
    id: '221-provider-accounts',
    up: (db) => ensureCollections(db, [PROVIDER_ACCOUNTS.collection]),
  },
];

type Stored = MerchantAccount & { readonly secret: MerchantAccountSecret };

/** An account that was not removed, with its sealed settings. */
export type FindMerchantAccount = (id: ProviderAccountId) => Promise<Stored | null>;

export const createFindMerchantAccount =
  ({ db }: { readonly db: Db }): FindMerchantAccount =>
  (id) =>
    db
      .collection<{ _id: string }>(PROVIDER_ACCOUNTS.collection)
      .findOne<Stored>({ _id: id, active: true }, { projection: { _id: 0 } });

/** Seals the settings of accounts anew. */
export const createMerchantAccountRenewal = (db: Db, sealing: KeyRing): Renewal => ({
  what: 'accounts at providers',
  async run() {
    const accounts = db.collection<{ _id: string; secret: MerchantAccountSecret }>(
      PROVIDER_ACCOUNTS.collection,
    );
    let renewed = 0;
    for await (const { _id, secret } of accounts.find({}, { projection: { secret: 1 } })) {
      const sealed = secret.sealedSettings;
      if (sealed === null || sealed.keyId === sealing.current.id) continue;
      const sealedSettings = seal(sealing, unseal(sealing, sealed));
      // Settings that were replaced or destroyed in between stay so.
      const { modifiedCount } = await accounts.updateOne(
        { _id, 'secret.sealedSettings.nonce': sealed.nonce },
        { $set: { 'secret.sealedSettings': sealedSettings } },
      );
      renewed += modifiedCount;
    }
    return { renewed, left: [] };
  },
});
