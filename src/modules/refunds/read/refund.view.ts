import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { REFUNDS } from '../write/refund.store.ts';
import type { Refund } from '../write/refund.ts';

/** What the API answers of a refund, and what decides who may see it; the amount is in minor units. */
export type RefundDocument = Pick<
  Refund,
  | 'id'
  | 'chargeId'
  | 'merchantId'
  | 'masterId'
  | 'livemode'
  | 'status'
  | 'amount'
  | 'currency'
  | 'merchantReason'
  | 'reason'
  | 'pspRefundRefId'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** With the same number of decimals for every currency, to sort by. */
  readonly comparable: { readonly amount: number };
};

export const REFUNDS_VIEW: View<Refund, RefundDocument> = {
  name: 'refunds',
  version: 2,
  source: REFUNDS,
  properties: {
    id: { type: 'keyword' },
    chargeId: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    status: { type: 'keyword' },
    amount: { type: 'long' },
    comparable: { properties: { amount: { type: 'long' } } },
    currency: { type: 'keyword' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: (refund) => ({
    id: refund.id,
    chargeId: refund.chargeId,
    merchantId: refund.merchantId,
    masterId: refund.masterId,
    livemode: refund.livemode,
    status: refund.status,
    amount: refund.amount,
    comparable: { amount: refund.amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(refund.currency)) },
    currency: refund.currency,
    merchantReason: refund.merchantReason,
    reason: refund.reason,
    pspRefundRefId: refund.pspRefundRefId,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  }),
};

export const presentRefund = (refund: Omit<RefundDocument, 'comparable'>) => ({
  id: refund.id,
  chargeId: refund.chargeId,
  merchantId: refund.merchantId,
  status: refund.status,
  amount: toDecimal(refund.amount, refund.currency),
  currency: refund.currency,
  merchantReason: refund.merchantReason,
  reason: refund.reason,
  pspRefundRefId: refund.pspRefundRefId,
  createdAt: refund.createdAt,
  updatedAt: refund.updatedAt,
});
export type PublicRefund = ReturnType<typeof presentRefund>;
