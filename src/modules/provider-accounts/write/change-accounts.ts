import { existing, notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import {
  type MerchantAccount,
  type MerchantAccountSecret,
  openAccount,
  PROVIDER_ACCOUNTS,
  type ProviderAccountId,
  removeAccount,
  replaceSettings,
} from '../../providers/merchant-accounts.ts';
import type { Given, SealSettings } from './check-settings.ts';

export type NewAccount = {
  readonly id: ProviderAccountId;
  readonly merchantId: string;
  readonly provider: string;
  readonly settings: Given;
};
type Which = { readonly merchantId: string; readonly accountId: string };

/**
 * Changes accounts; 404 for an account of another merchant. Settings are sealed before they are stored, and no answer
 * ever shows them.
 */
export type ChangeAccounts = {
  create(command: NewAccount, context: CommandContext): Promise<MerchantAccount>;
  replace(command: Which & { readonly settings: Given }, context: CommandContext): Promise<MerchantAccount>;
  remove(command: Which, context: CommandContext): Promise<void>;
};

export const createChangeAccounts = (
  deps: Changing & { readonly sealSettings: SealSettings },
): ChangeAccounts => {
  const { clock, sealSettings, transact } = deps;
  const find = async (tx: Transaction, { merchantId, accountId }: Which): Promise<MerchantAccount> => {
    if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
    const account = await tx.get(PROVIDER_ACCOUNTS, accountId);
    if (account?.merchantId !== merchantId) throw notFound('Provider account');
    return account;
  };
  return {
    create({ id, merchantId, provider, settings: given }, context) {
      const secret = sealSettings(provider, given);
      const settings = Object.keys(given).sort();
      return transact(context, async (tx) => {
        const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
        const decision = openAccount({ id, merchantId: merchant.id, provider, settings }, clock());
        return tx.record(PROVIDER_ACCOUNTS, null, decision, secret);
      });
    },

    replace({ settings: given, ...which }, context) {
      return transact(context, async (tx) => {
        const account = await find(tx, which);
        if (!account.active) throw notFound('Provider account');
        const secret = sealSettings(account.provider, given);
        const decision = replaceSettings(account, Object.keys(given).sort(), clock());
        return tx.record(PROVIDER_ACCOUNTS, account, decision, secret);
      });
    },

    remove: (which, context) =>
      transact(context, async (tx) => {
        const account = await find(tx, which);
        const decision = removeAccount(account, clock());
        const destroyed: MerchantAccountSecret = { sealedSettings: null };
        if (decision) await tx.record(PROVIDER_ACCOUNTS, account, decision, destroyed);
      }),
  };
};
