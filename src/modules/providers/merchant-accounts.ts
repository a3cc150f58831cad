import { changed, created, type DatedResource, type Decision } from '../../kernel/event.ts';
import type { Id, MerchantId } from '../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../kernel/store.ts';
import type { Sealed } from '../../platform/secrets.ts';

export type ProviderAccountId = Id<'pac'>;

type MerchantAccountEvent =
  | 'provider_account.created'
  | 'provider_account.removed'
  | 'provider_account.settings_replaced';

/** A merchant's own account at a provider, without the values of its settings. Live keys use it. */
export type MerchantAccount = DatedResource & {
  readonly id: ProviderAccountId;
  readonly merchantId: MerchantId;
  /** Name of the connector. */
  readonly provider: string;
  /** Name in routes, in addresses and in every charge. */
  readonly name: string;
  /** Names of the settings that it has. */
  readonly settings: readonly string[];
  /** False once it was removed; its settings are destroyed then. */
  readonly active: boolean;
};

/** Settings of an account as JSON, stored beside it; no event and no answer has them. */
export type MerchantAccountSecret = { readonly sealedSettings: Sealed | null };

export const PROVIDER_ACCOUNTS: SecretStore<MerchantAccount, MerchantAccountEvent> = secretStore(
  'provider_accounts',
  'provider_account',
  {
    auditsEverybody: true,
  },
);

/** `stripe.pac_…`; null for a name of another form. */
export const accountIdIn = (name: string): ProviderAccountId | null => {
  const [, id] = /^[a-z-]+\.(pac_[0-9a-f]{32})$/.exec(name) ?? [];
  return (id as ProviderAccountId | undefined) ?? null;
};

export const openAccount = (
  command: Pick<MerchantAccount, 'id' | 'merchantId' | 'provider' | 'settings'>,
  now: Date,
): Decision<MerchantAccount, MerchantAccountEvent> =>
  created('provider_account.created', now, {
    ...command,
    name: `${command.provider}.${command.id}`,
    active: true,
  });

/** Other credentials of the same account, such as after a rotation at the provider. */
export const replaceSettings = (
  account: MerchantAccount,
  settings: readonly string[],
  now: Date,
): Decision<MerchantAccount, MerchantAccountEvent> =>
  changed('provider_account.settings_replaced', account, now, { settings });

/** Null where it is removed already: removing it again changes nothing. */
export const removeAccount = (
  account: MerchantAccount,
  now: Date,
): Decision<MerchantAccount, MerchantAccountEvent> | null =>
  account.active ? changed('provider_account.removed', account, now, { active: false, settings: [] }) : null;

/** Whether payments of this merchant may go over the account: its own, or its master's. */
export const mayUse = (
  { merchantId }: Pick<MerchantAccount, 'merchantId'>,
  merchant: { readonly id: string; readonly masterId: string | null },
): boolean => merchantId === merchant.id || merchantId === merchant.masterId;
