import type { Db } from 'mongodb';
import type { Renewal } from '../../platform/renewal.ts';
import { type KeyRing, type Sealed, seal, unseal } from '../../platform/secrets.ts';
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

/** An account that was not removed, with its sealed settings. */
export type StoredMerchantAccount = MerchantAccount & {
  readonly secret: { readonly sealedSettings: Sealed };
};

export type FindMerchantAccount = (id: ProviderAccountId) => Promise<StoredMerchantAccount | null>;

export const createFindMerchantAccount =
  ({ db }: { readonly db: Db }): FindMerchantAccount =>
  (id) =>
    db
      .collection<{ _id: string }>(PROVIDER_ACCOUNTS.collection)
      .findOne<StoredMerchantAccount>({ _id: id, active: true }, { projection: { _id: 0 } });

/** Accounts of a connector that were not removed. `nonce` is another one once the settings are replaced. */
export type ListMerchantAccounts = (
  provider: string,
) => Promise<readonly (Pick<MerchantAccount, 'id' | 'name'> & { readonly nonce: string })[]>;

export const createListMerchantAccounts =
  ({ db }: { readonly db: Db }): ListMerchantAccounts =>
  async (provider) => {
    const accounts = await db
      .collection<StoredMerchantAccount>(PROVIDER_ACCOUNTS.collection)
      .find({ provider, active: true }, { projection: { id: 1, name: 1, 'secret.sealedSettings.nonce': 1 } })
      .toArray();
    return accounts.map(({ id, name, secret }) => ({ id, name, nonce: secret.sealedSettings.nonce }));
  };

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
