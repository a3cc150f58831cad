import { date, each, flag, hidden, keyword, money, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { MANUAL_REFUND_REQUESTS } from '../write/chargebacks.store.ts';

export const MANUAL_REFUND_REQUESTS_VIEW = defineView({
  name: 'manual_refund_requests',
  version: 3,
  source: MANUAL_REFUND_REQUESTS,
  tenants: 'routed',
  fields: {
    ...each(keyword(), 'id', 'chargeId', 'chargebackAlertId'),
    merchantId: hidden(keyword()),
    livemode: hidden(flag()),
    amount: money(),
    currency: keyword(),
    pspRefId: stored(),
    status: keyword(),
    createdAt: date(),
    resolved_by_user_id: stored(),
    resolved_at: date(),
    notes: stored(),
  },
});

/** A manual refund request as the API answers it, with the present data of its merchant. */
export const presentManualRefund = (
  request: Parameters<typeof MANUAL_REFUND_REQUESTS_VIEW.present>[0],
  merchant: Pick<Merchant, 'legalName' | 'email'> | null,
) => ({
  ...MANUAL_REFUND_REQUESTS_VIEW.present(request),
  merchant: {
    id: request.merchantId,
    name: merchant?.legalName ?? null,
    email: merchant?.email ?? null,
  },
});
