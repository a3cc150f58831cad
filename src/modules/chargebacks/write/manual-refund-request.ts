import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { AlertId, ChargeId, MerchantId, UserId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Charge, grossOf } from '../../charges/write/charge.ts';
import type { ManualRefundRequestId } from './alert.ts';

export const MANUAL_REFUND_STATUSES = ['pending', 'resolved'] as const;

export type ManualRefundRequestEvent = 'manual_refund_request.created' | 'manual_refund_request.resolved';

/** A refund that finance has to make by hand. The merchant is debited already. */
export type ManualRefundRequest = Resource & {
  readonly id: ManualRefundRequestId;
  readonly chargeId: ChargeId;
  readonly chargebackAlertId: AlertId;
  readonly livemode: boolean;
  readonly merchantId: MerchantId;
  readonly amount: Minor;
  readonly currency: string;
  readonly pspRefId: string | null;
  readonly status: (typeof MANUAL_REFUND_STATUSES)[number];
  readonly createdAt: Timestamp;
  /** These fields have the names that the API uses. */
  readonly resolved_by_user_id: UserId | null;
  readonly resolved_at: Timestamp | null;
  readonly notes: string | null;
};

export const openManualRefund = (
  charge: Charge,
  request: { readonly id: ManualRefundRequestId; readonly alertId: AlertId },
  now: Date,
): Decision<ManualRefundRequest, ManualRefundRequestEvent> => ({
  type: 'manual_refund_request.created',
  data: {
    id: request.id,
    version: 0,
    chargeId: charge.id,
    chargebackAlertId: request.alertId,
    livemode: charge.livemode,
    merchantId: charge.merchantId,
    amount: grossOf(charge),
    currency: charge.currency,
    pspRefId: charge.pspRefId,
    status: 'pending',
    createdAt: timestamp(now),
    resolved_by_user_id: null,
    resolved_at: null,
    notes: null,
  },
});

/** Marks the request as handled; no money moves. */
export const resolveManualRefund = (
  request: ManualRefundRequest,
  by: { readonly userId: UserId | null; readonly notes: string | null },
  now: Date,
): Decision<ManualRefundRequest, ManualRefundRequestEvent> => ({
  type: 'manual_refund_request.resolved',
  data: {
    ...request,
    status: 'resolved',
    resolved_by_user_id: by.userId,
    resolved_at: timestamp(now),
    notes: by.notes,
  },
});

/**
 * Closes the request because the acquirer confirmed the chargeback and so pays the payer itself. Without a user, the
 * provider reported the chargeback, or a test helper confirmed it.
 */
export const closeManualRefund = (
  request: ManualRefundRequest,
  { userId, pspRefId }: { readonly userId: UserId | null; readonly pspRefId: string | null },
  provider: string,
  now: Date,
): Decision<ManualRefundRequest, ManualRefundRequestEvent> => {
  const reported = pspRefId === null ? '' : `, as the provider ${provider} reported (${pspRefId})`;
  const notes = `Nothing is to be paid by hand: the chargeback was confirmed${reported}.`;
  return resolveManualRefund(request, { userId, notes }, now);
};
