import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { FEE_DEFINITIONS } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import { connectNotEnabled } from '../../merchants/write/refusals.ts';
import { ENABLE_CONNECT, isOn } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { assertMayAsk, openPayoutRequest, PAYOUT_REQUESTS, type PayoutRequest } from './payout-request.ts';

/**
 * Requests a payout for a sub-merchant or, with null, for the caller itself. 404 for a merchant that is not linked to
 * the caller; 403 CONNECT_NOT_ENABLED where the sub-merchant's master has the module off; the 422 errors of
 * `openPayoutRequest`.
 */
export type RequestPayout = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly submerchantId: string | null;
    /** Amount in cents. */
    readonly amount: Minor;
  },
  PayoutRequest
>;

export const createRequestPayout =
  (deps: Creating & { readonly findSetting: FindSetting }): RequestPayout =>
  async ({ principal, submerchantId, amount }, context) => {
    const id = deps.newId('po');
    return deps.transact(context, async (tx) => {
      const merchant = await tx.get(MERCHANTS, submerchantId ?? principal.merchantId);
      if (!merchant || (submerchantId !== null && !isLinked(merchant, principal)))
        throw notFound('Sub-merchant');
      if (merchant.masterId !== null) {
        const enabled = await deps.findSetting(merchant.masterId, ENABLE_CONNECT);
        if (!isOn(enabled)) throw connectNotEnabled();
      }
      const caller =
        merchant.id === principal.merchantId ? merchant : await tx.get(MERCHANTS, principal.merchantId);
      assertMayAsk(caller);
      const fees = await tx.get(FEE_DEFINITIONS, merchant.id);
      const command = { id, livemode: principal.livemode, amount };
      return tx.record(PAYOUT_REQUESTS, null, openPayoutRequest(command, merchant, fees, deps.clock()));
    });
  };

/**
 * Whether the merchant is a sub-merchant in the caller's environment, and either the caller's own or the caller itself.
 */
const isLinked = (merchant: Merchant, { merchantId, livemode }: MerchantPrincipal): boolean =>
  merchant.masterId !== null &&
  merchant.livemode === livemode &&
  [merchant.id, merchant.masterId].includes(merchantId);
