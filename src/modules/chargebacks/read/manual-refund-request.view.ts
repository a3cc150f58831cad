import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { MANUAL_REFUND_REQUESTS } from '../write/chargebacks.store.ts';
import type { ManualRefundRequest } from '../write/manual-refund-request.ts';

export type ManualRefundDocument = Omit<ManualRefundRequest, 'version'> & {
  /** The amount with the same number of decimals for every currency, to sort by. */
  readonly comparableAmount: number;
};

export const MANUAL_REFUND_REQUESTS_VIEW: View<ManualRefundRequest, ManualRefundDocument> = {
  name: 'manual_refund_requests',
  version: 1,
  source: MANUAL_REFUND_REQUESTS,
  properties: {
    id: { type: 'keyword' },
    chargeId: { type: 'keyword' },
    chargebackAlertId: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    status: { type: 'keyword' },
    currency: { type: 'keyword' },
    comparableAmount: { type: 'long' },
    createdAt: { type: 'date' },
    resolved_at: { type: 'date' },
  },
  toDocument: ({ version: _, ...request }) => ({
    ...request,
    comparableAmount: request.amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(request.currency)),
  }),
};

/** A manual refund request as the API answers it (specification 4.5, decisions 6), with the merchant as it is now. */
export const presentManualRefund = (
  request: Omit<ManualRefundRequest, 'version'>,
  merchant: Pick<Merchant, 'legalName' | 'email'> | null,
) => ({
  id: request.id,
  chargeId: request.chargeId,
  chargebackAlertId: request.chargebackAlertId,
  merchant: {
    id: request.merchantId,
    name: merchant?.legalName ?? null,
    email: merchant?.email ?? null,
  },
  amount: toDecimal(request.amount, request.currency),
  currency: request.currency,
  pspRefId: request.pspRefId,
  status: request.status,
  createdAt: request.createdAt,
  resolved_by_user_id: request.resolved_by_user_id,
  resolved_at: request.resolved_at,
  notes: request.notes,
});
export type PublicManualRefund = ReturnType<typeof presentManualRefund>;
