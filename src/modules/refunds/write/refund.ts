import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { AlertId, ChargeId, MerchantId, RefundId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Charge, refundAttemptsOf } from '../../charges/write/charge.ts';
import { refundAlreadyExists } from '../../charges/write/refusals.ts';
import type { RefundRequest, RefundState } from '../../providers/provider.ts';
import { chargeNotRefundable, refundAttemptsExhausted, refundNotSupported } from './refusals.ts';

/** Statuses of the API. */
export const REFUND_STATUSES = ['refunded', 'pending', 'refused', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export type Refund = MerchantRecord & {
  readonly id: RefundId;
  readonly chargeId: ChargeId;
  /** The chargeback alert that it belongs to; null for one that the merchant asked for. */
  readonly alertId: AlertId | null;
  readonly masterId: MerchantId | null;
  readonly status: RefundStatus;
  readonly amount: Minor;
  readonly currency: string;
  /** The merchant's reason, kept for audit; the fact alone for the refund of an alert. */
  readonly merchantReason: string;
  /** The provider's reason for a refusal or failure. */
  readonly reason: string | null;
  readonly pspRefundRefId: string | null;
  /** Whether another refund of the charge is impossible: true while pending and once refunded. */
  readonly blocking: boolean;
  /** Whether the money was taken back from the merchant: from the provider's acceptance on. */
  readonly booked: boolean;
  /** A chargeback that the provider reported while this refund was pending; absent where it reported none. */
  readonly waitingChargeback?: { readonly pspRefId: string; readonly reportedAt: Timestamp };
  /** When to ask the provider about this refund unless something happens before. */
  readonly reconcileAt: Timestamp | null;
};

/** Methods that can be refunded. */
const REFUNDABLE = ['credit_card', 'pix'];

/** Each attempt is kept for good, so there is an end to them. */
const MAX_REFUND_ATTEMPTS = 20;

export const isRefundable = (charge: Charge): boolean => REFUNDABLE.includes(charge.paymentMethod.type);

/**
 * Checks method, status, other refunds and former attempts, in this order: 422 each. After an alert it is the status that forbids another
 * refund, whatever became of the alert's own. `standing` is the refund that the charge names.
 */
export const assertRefundable = (charge: Charge, standing: Pick<Refund, 'status'> | null): void => {
  if (!isRefundable(charge)) throw refundNotSupported(charge.paymentMethod.type);
  const { status, refundId } = charge;
  if (status !== 'paid' && status !== 'refunded') throw chargeNotRefundable(status);
  if (refundId !== null && standing?.status !== 'failed') throw refundAlreadyExists();
  if (status !== 'paid') throw chargeNotRefundable(status);
  if (refundAttemptsOf(charge) >= MAX_REFUND_ATTEMPTS) throw refundAttemptsExhausted();
};

/** The refund as the charge's provider knows it. */
export const requestOf = (refund: Refund, charge: Pick<Charge, 'pspRefId'>): RefundRequest => ({
  reference: refund.id,
  paymentReference: refund.chargeId,
  paymentPspRefId: charge.pspRefId,
  openedAt: refund.createdAt,
  amount: refund.amount,
  currency: refund.currency,
});

type NewRefund = { readonly id: RefundId; readonly reason: string; readonly reconcileAt: Timestamp };

/** The intent to refund a charge, stored before the provider is called. */
export const openRefund = (
  charge: Charge,
  standing: Pick<Refund, 'status'> | null,
  request: NewRefund,
  now: Date,
): Decision<Refund> => {
  assertRefundable(charge, standing);
  return opened(charge, request, { alertId: null, booked: false }, now);
};

/** The merchant sees the fact of the alert, never the words of the operator. */
export const ALERT_REASON = 'chargeback alert';

/** The refund that a chargeback alert asks for: its debit is booked with the alert and stands. */
export const openAlertRefund = (
  charge: Charge,
  { alertId, ...request }: Omit<NewRefund, 'reason'> & { readonly alertId: AlertId },
  now: Date,
): Decision<Refund> => opened(charge, { ...request, reason: ALERT_REASON }, { alertId, booked: true }, now);

const opened = (
  charge: Charge,
  request: NewRefund,
  origin: Pick<Refund, 'alertId' | 'booked'>,
  now: Date,
): Decision<Refund> =>
  created('refund.opened', now, {
    id: request.id,
    chargeId: charge.id,
    ...origin,
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
    reconcileAt: request.reconcileAt,
  });

/**
 * Applies the provider's answer to a refund; null where it changes nothing. Only a pending one can change, and one that
 * fails after its success. A refund of an alert stays booked and blocks others. It counts as failed where the provider
 * refused it.
 */
export const applyRefundState = (refund: Refund, state: RefundState, now: Date): Decision<Refund> | null => {
  if (refund.status === 'pending' && isOldNews(refund, state)) return asked(refund, now);
  if (refund.status !== 'pending' && !isLateFailure(refund, state)) return null;
  const isAccepted = state.status === 'pending' || state.status === 'refunded';
  const isOfAlert = refund.alertId !== null;
  const status = isOfAlert && !isAccepted ? 'failed' : state.status;
  return {
    type: `refund.${status}`,
    data: {
      ...refund,
      status,
      reason: state.reason,
      pspRefundRefId: state.pspRefundRefId,
      blocking: isOfAlert || isAccepted,
      booked: isOfAlert || isAccepted,
      reconcileAt: status === 'pending' ? nextAsk(refund, now) : null,
      updatedAt: timestamp(now),
    },
  };
};

/** Whether the provider repeats that it accepted the refund. A refund of an alert is booked before the acceptance. */
const isOldNews = (refund: Refund, state: RefundState): boolean =>
  state.status === 'pending' &&
  refund.booked &&
  (refund.alertId === null || refund.pspRefundRefId === state.pspRefundRefId);

/** Whether the payer's bank has sent back what counted as given back. */
export const isLateFailure = (
  refund: Pick<Refund, 'status'>,
  { status }: Pick<RefundState, 'status'>,
): boolean => refund.status === 'refunded' && status === 'failed';

/** Ages at which the provider is asked about a live refund that it accepted; later ones double. In milliseconds. */
const ASKED_AT_AGES_MS = [2_000, 5_000, 15_000, 60_000];
const ASKED_WITHIN_MS = 3_600_000;

const nextAsk = ({ livemode, createdAt }: Refund, now: Date): Timestamp => {
  const age = now.getTime() - Date.parse(createdAt);
  const nextAge = ASKED_AT_AGES_MS.find((one) => one > age) ?? age * 2;
  return timestamp(
    new Date(now.getTime() + (livemode ? Math.min(nextAge - age, ASKED_WITHIN_MS) : ASKED_WITHIN_MS)),
  );
};

/** The provider was asked about a refund that it still processes: when to ask again, null where it is not time yet. */
const asked = (refund: Refund, now: Date): Decision<Refund> | null =>
  refund.reconcileAt !== null && refund.reconcileAt <= timestamp(now)
    ? changed('refund.asked', refund, now, { reconcileAt: nextAsk(refund, now) })
    : null;

/** The provider reported a chargeback of the charge: it waits until this refund is decided on. */
export const awaitChargeback = (refund: Refund, pspRefId: string, now: Date): Decision<Refund> => {
  if (refund.status !== 'pending')
    throw new Error(`refund ${refund.id} is ${refund.status}: nothing waits for it`);
  const waitingChargeback = { pspRefId, reportedAt: timestamp(now) };
  return changed('refund.chargeback_reported', refund, now, { waitingChargeback });
};
