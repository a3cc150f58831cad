import type { Sealed } from '../../platform/secrets.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { collections, type Migration } from '../../platform/write-store/migrate.ts';
import { type MerchantAccount, PROVIDER_ACCOUNTS, type ProviderAccountId } from './merchant-accounts.ts';

export const merchantAccountMigrations: readonly Migration[] = [
  collections('221-provider-accounts', { [PROVIDER_ACCOUNTS.collection]: [] }),
];

/** An account that was not removed, with its sealed settings. */
export type StoredMerchantAccount = MerchantAccount & {
  readonly secret: { readonly sealedSettings: Sealed };
};

export type FindMerchantAccount = (id: ProviderAccountId) => Promise<StoredMerchantAccount | null>;

export const createFindMerchantAccount =
  ({ db }: { readonly db: Database }): FindMerchantAccount =>
  (id) =>
    db
      .collection<{ _id: string }>(PROVIDER_ACCOUNTS.collection)
      .findOne<StoredMerchantAccount>({ _id: id, active: true }, { projection: { _id: 0 } });

/** Accounts of a connector that were not removed. `nonce` is another one once the settings are replaced. */
export type ListMerchantAccounts = (
  provider: string,
) => Promise<readonly (Pick<MerchantAccount, 'id' | 'name'> & { readonly nonce: string })[]>;

export const createListMerchantAccounts =
  ({ db }: { readonly db: Database }): ListMerchantAccounts =>
  async (provider) => {
    const accounts = await db
      .collection<StoredMerchantAccount>(PROVIDER_ACCOUNTS.collection)
      .find({ provider, active: true }, { projection: { id: 1, name: 1, 'secret.sealedSettings.nonce': 1 } })
      .toArray();
    return accounts.map(({ id, name, secret }) => ({ id, name, nonce: secret.sealedSettings.nonce }));
  };
