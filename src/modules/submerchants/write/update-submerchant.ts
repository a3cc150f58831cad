import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { isChanged, MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import type { Marketplace } from './marketplace.ts';
import { changeSubmerchant, isMasterOf, type SubmerchantFields } from './submerchant.ts';

/**
 * Changes a sub-merchant for its master; 404 for a sub-merchant of somebody else. Where nothing changes there is no
 * event.
 */
export type UpdateSubmerchant = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    readonly changes: Partial<SubmerchantFields>;
  },
  Merchant
>;

export const createUpdateSubmerchant =
  (deps: Changing & { readonly marketplace: Marketplace }): UpdateSubmerchant =>
  async ({ principal, id, changes }, context) => {
    await deps.marketplace.requireActiveMaster(principal);
    return deps.transact(context, async (tx) => {
      const submerchant = await tx.get(MERCHANTS, id);
      if (!submerchant || !isMasterOf(principal, submerchant)) throw notFound('Sub-merchant');
      const decision = changeSubmerchant(submerchant, changes, deps.clock());
      return isChanged(submerchant, decision.data)
        ? tx.record(MERCHANTS, submerchant, decision)
        : submerchant;
    });
  };
