import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { changeMerchant, isChanged, MERCHANTS, type Merchant, type MerchantChanges } from './merchant.ts';

export type UpdateMerchantCommand = { readonly merchantId: string; readonly changes: MerchantChanges };
export type UpdateMerchant = (command: UpdateMerchantCommand, context: CommandContext) => Promise<Merchant>;

export const updateMerchant = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
}): UpdateMerchant => {
  return ({ merchantId, changes }, context) =>
    deps.transact(context, async (tx) => {
      const merchant = await tx.get(MERCHANTS, merchantId);
      if (!merchant) throw notFound('Merchant');
      const decision = changeMerchant(merchant, changes, deps.clock());
      return isChanged(merchant, decision.data) ? tx.record(MERCHANTS, merchant, decision) : merchant;
    });
};
