import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { HOUR_MS } from '../../../kernel/durations.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { AlertId, ChargeId, MerchantId, RefundId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Charge, grossOf, refundAttemptsOf } from '../../charges/write/charge.ts';
import { refundAlreadyExists } from '../../charges/write/refusals.ts';
import { nextLookAfter } from '../../providers/late-failures.ts';
import type { RefundRequest, RefundState } from '../../providers/provider.ts';
import { chargeNotRefundable, refundAttemptsExhausted, refundNotSupported } from './refusals.ts';

/** Statuses of a refund, as the API names them. */
export const REFUND_STATUSES = ['refunded', 'pending', 'refused', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export type RefundEvent =
  | 'refund.asked'
  | 'refund.chargeback_reported'
  | 'refund.opened'
  | `refund.${Refund['status']}`;

export type Refund = MerchantRecord & {
  readonly id: RefundId;
  readonly chargeId: ChargeId;
  /** The chargeback alert that caused the refund; null for a refund that the merchant asked for. */
  readonly alertId: AlertId | null;
  readonly masterId: MerchantId | null;
  readonly status: RefundStatus;
  readonly amount: Minor;
  readonly currency: string;
  /** The merchant's reason, kept for audit; for the refund of an alert only a fixed text. */
  readonly merchantReason: string;
  /** The provider's reason for a refusal or failure. */
  readonly reason: string | null;
  readonly pspRefundRefId: string | null;
  /** Whether another refund of the charge is impossible, which holds while this one is pending or done. */
  readonly blocking: boolean;
  /** Whether the money was taken back from the merchant, which happens when the provider accepts the refund. */
  readonly booked: boolean;
  /** A chargeback that the provider reported while this refund was pending; absent where there was none. */
  readonly waitingChargeback?: { readonly pspRefId: string; readonly reportedAt: Timestamp };
  /** When to ask the provider about this refund: for its outcome, or whether it still stands. */
  readonly reconcileAt: Timestamp | null;
};

/** Payment methods that can be refunded. */
const REFUNDABLE = ['credit_card', 'pix'];

/** Every attempt is kept for good, so their number is limited. */
const MAX_REFUND_ATTEMPTS = 20;

export const isRefundable = (charge: Charge): boolean => REFUNDABLE.includes(charge.paymentMethod.type);

/**
 * Checks method, status, other refunds and former attempts, in this order; each may be 422. After an alert the charge's
 * status already forbids another refund, whatever became of the alert's own. `standing` is the refund that the charge
 * names.
 */
export const assertRefundable = (charge: Charge, standing: Pick<Refund, 'status'> | null): void => {
  if (!isRefundable(charge)) throw refundNotSupported(charge.paymentMethod.type);
  const { status, refundId } = charge;
  if (status !== 'paid' && status !== 'refunded') throw chargeNotRefundable(status);
  if (refundId !== null && standing?.status !== 'failed') throw refundAlreadyExists();
  if (status !== 'paid') throw chargeNotRefundable(status);
  if (refundAttemptsOf(charge) >= MAX_REFUND_ATTEMPTS) throw refundAttemptsExhausted();
};

/** The request for this refund in the provider's terms. */
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
): Decision<Refund, RefundEvent> => {
  assertRefundable(charge, standing);
  return opened(charge, request, { alertId: null, booked: false }, now);
};

/** Shown to the merchant in place of the operator's words. */
export const ALERT_REASON = 'chargeback alert';

/** The refund for a chargeback alert. Its debit is booked with the alert and stays, whatever the outcome. */
export const openAlertRefund = (
  charge: Charge,
  { alertId, ...request }: Omit<NewRefund, 'reason'> & { readonly alertId: AlertId },
  now: Date,
): Decision<Refund, RefundEvent> =>
  opened(charge, { ...request, reason: ALERT_REASON }, { alertId, booked: true }, now);

const opened = (
  charge: Charge,
  request: NewRefund,
  origin: Pick<Refund, 'alertId' | 'booked'>,
  now: Date,
): Decision<Refund, RefundEvent> =>
  created('refund.opened', now, {
    id: request.id,
    chargeId: charge.id,
    ...origin,
    livemode: charge.livemode,
    merchantId: charge.merchantId,
    masterId: charge.masterId,
    status: 'pending',
    amount: grossOf(charge),
    currency: charge.currency,
    merchantReason: request.reason,
    reason: null,
    pspRefundRefId: null,
    blocking: true,
    reconcileAt: request.reconcileAt,
  });

/**
 * Applies the provider's answer to a refund; null where it changes nothing. Only a pending refund can change, or a
 * successful one that fails later. A refund of an alert stays booked and blocks others, and counts as failed where the
 * provider refused it.
 */
export const applyRefundState = (
  refund: Refund,
  state: RefundState,
  now: Date,
): Decision<Refund, RefundEvent> | null => {
  if (isOldNews(refund, state)) return asked(refund, now);
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
      reconcileAt: nextAsk({ ...refund, status }, now),
      updatedAt: timestamp(now),
    },
  };
};

/**
 * Whether the provider repeats that it accepted the refund, or that it is done. A refund of an alert is booked before it
 * is accepted.
 */
const isOldNews = (refund: Refund, state: RefundState): boolean =>
  (refund.status === 'refunded' && state.status === 'refunded') ||
  (refund.status === 'pending' && isAcceptedAgain(refund, state));

const isAcceptedAgain = (refund: Refund, state: RefundState): boolean =>
  state.status === 'pending' &&
  refund.booked &&
  (refund.alertId === null || refund.pspRefundRefId === state.pspRefundRefId);

/** Whether the payer's bank has returned money that counted as refunded. */
export const isLateFailure = (
  refund: Pick<Refund, 'status'>,
  { status }: Pick<RefundState, 'status'>,
): boolean => refund.status === 'refunded' && status === 'failed';

/** Ages in milliseconds at which the provider is asked about a live refund that it accepted; later ones double. */
const ASKED_AT_AGES_MS = [2_000, 5_000, 15_000, 60_000];
const ASKED_WITHIN_MS = HOUR_MS;

/**
 * Null where the provider need not be asked any more. In the test environment no news gets lost, so an old refund is
 * asked about more rarely: a test clock that passes months stops for each question.
 */
const nextAsk = (refund: Refund, now: Date): Timestamp | null => {
  const { livemode, createdAt } = refund;
  if (refund.status === 'refunded') return livemode ? nextLookAfter(createdAt, now) : null;
  if (refund.status !== 'pending') return null;
  const age = now.getTime() - Date.parse(createdAt);
  const nextAge = ASKED_AT_AGES_MS.find((one) => one > age) ?? age * 2;
  const wait = livemode ? Math.min(nextAge - age, ASKED_WITHIN_MS) : Math.max(age, ASKED_WITHIN_MS);
  return timestamp(new Date(now.getTime() + wait));
};

/**
 * Notes that the provider says nothing new of the refund, and when to ask again; null where it is too early to have
 * asked.
 */
const asked = (refund: Refund, now: Date): Decision<Refund, RefundEvent> | null =>
  refund.reconcileAt !== null && refund.reconcileAt <= timestamp(now)
    ? changed('refund.asked', refund, now, { reconcileAt: nextAsk(refund, now) })
    : null;

/** Notes that the provider reported a chargeback of the charge, which waits for the outcome of this refund. */
export const awaitChargeback = (
  refund: Refund,
  pspRefId: string,
  now: Date,
): Decision<Refund, RefundEvent> => {
  if (refund.status !== 'pending')
    throw new Error(`refund ${refund.id} is ${refund.status}: nothing waits for it`);
  const waitingChargeback = { pspRefId, reportedAt: timestamp(now) };
  return changed('refund.chargeback_reported', refund, now, { waitingChargeback });
};
