import type { View } from '../../../platform/read-store/view.ts';
import { REFUNDS } from '../write/refund.store.ts';
import type { Refund } from '../write/refund.ts';

/** The index document of a refund: specification 2.7 and decisions 5, with what decides who may see it. */
export type RefundDocument = Pick<
  Refund,
  | 'id'
  | 'chargeId'
  | 'status'
  | 'reason'
  | 'pspRefundRefId'
  | 'createdAt'
  | 'merchantId'
  | 'masterId'
  | 'livemode'
>;

export const REFUNDS_VIEW: View<Refund, RefundDocument> = {
  name: 'refunds',
  version: 1,
  source: REFUNDS,
  properties: {
    id: { type: 'keyword' },
    chargeId: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    status: { type: 'keyword' },
    createdAt: { type: 'date' },
  },
  toDocument: ({
    id,
    chargeId,
    status,
    reason,
    pspRefundRefId,
    createdAt,
    merchantId,
    masterId,
    livemode,
  }) => ({
    id,
    chargeId,
    status,
    reason,
    pspRefundRefId,
    createdAt,
    merchantId,
    masterId,
    livemode,
  }),
};

export const presentRefund = ({
  id,
  chargeId,
  status,
  reason,
  pspRefundRefId,
  createdAt,
}: RefundDocument) => ({
  id,
  chargeId,
  status,
  reason,
  pspRefundRefId,
  createdAt,
});
export type PublicRefund = ReturnType<typeof presentRefund>;
