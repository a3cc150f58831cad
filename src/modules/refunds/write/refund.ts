import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { unprocessable } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId, RefundId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { RefundState } from '../../providers/provider.ts';

/** Specification 3.2. */
export const REFUND_STATUSES = ['refunded', 'pending', 'refused', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export type Refund = Resource & {
  readonly id: RefundId;
  readonly chargeId: ChargeId;
  readonly livemode: boolean;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly status: RefundStatus;
  readonly amount: Minor;
  readonly currency: string;
  /** The merchant's reason, kept for audit (specification 4.4). */
  readonly merchantReason: string;
  /** The provider's reason for a refusal or failure (specification 2.7). */
  readonly reason: string | null;
  readonly pspRefundRefId: string | null;
  /** Whether another refund of the charge is impossible: true while pending and once refunded. */
  readonly blocking: boolean;
  /** Whether the money was taken back from the merchant: from the provider's acceptance on (decisions 5). */
  readonly booked: boolean;
  /** When to ask the provider about this refund unless something happens before. */
  readonly reconcileAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** Methods that can be refunded (specification 1.2). */
const REFUNDABLE = ['credit_card', 'pix'];

/** Specification 4.4 in the order of decisions 5. */
export const assertRefundable = (charge: Charge): void => {
  if (!REFUNDABLE.includes(charge.paymentMethod.type))
    throw unprocessable('REFUND_NOT_SUPPORTED', `A ${charge.paymentMethod.type} charge cannot be refunded`);
  if (charge.refundId !== null)
    throw unprocessable('REFUND_ALREADY_EXISTS', 'A refund of this charge is pending or done');
  if (charge.status !== 'paid')
    throw unprocessable('CHARGE_NOT_REFUNDABLE', `A charge that is ${charge.status} cannot be refunded`);
};

/** The intent to refund a charge, stored before the provider hears of it. */
export const openRefund = (
  charge: Charge,
  request: { readonly id: RefundId; readonly reason: string; readonly reconcileAt: Timestamp },
  now: Date,
): Decision<Refund> => {
  assertRefundable(charge);
  return {
    type: 'refund.opened',
    data: {
      id: request.id,
      version: 0,
      chargeId: charge.id,
      livemode: charge.livemode,
      merchantId: charge.merchantId,
      masterId: charge.masterId,
      status: 'pending',
      amount: charge.amount,
      currency: charge.currency,
      merchantReason: request.reason,
      reason: null,
      pspRefundRefId: null,
      blocking: true,
      booked: false,
      reconcileAt: request.reconcileAt,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
    },
  };
};

/** What the provider's word makes of a refund; null where it changes nothing. Only a pending one can change. */
export const applyRefundState = (refund: Refund, state: RefundState, now: Date): Decision<Refund> | null => {
  if (refund.status !== 'pending' || (state.status === 'pending' && refund.booked)) return null;
  const isAccepted = state.status === 'pending' || state.status === 'refunded';
  return {
    type: `refund.${state.status}`,
    data: {
      ...refund,
      status: state.status,
      reason: state.reason,
      pspRefundRefId: state.pspRefundRefId,
      blocking: isAccepted,
      booked: isAccepted,
      reconcileAt: state.status === 'pending' ? inAnHour(now) : null,
      updatedAt: timestamp(now),
    },
  };
};

const inAnHour = (now: Date): Timestamp => timestamp(new Date(now.getTime() + 3_600_000));
