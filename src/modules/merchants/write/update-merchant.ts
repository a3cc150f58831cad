import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { changeMerchant, isChanged, MERCHANTS, type Merchant, type MerchantChanges } from './merchant.ts';

type UpdateMerchantCommand = { readonly merchantId: string; readonly changes: MerchantChanges };
export type UpdateMerchant = Command<UpdateMerchantCommand, Merchant>;

export const createUpdateMerchant = (deps: Changing): UpdateMerchant => {
  return ({ merchantId, changes }, context) =>
    deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
      const decision = changeMerchant(merchant, changes, deps.clock());
      return isChanged(merchant, decision.data) ? tx.record(MERCHANTS, merchant, decision) : merchant;
    });
};
