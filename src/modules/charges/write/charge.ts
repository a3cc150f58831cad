import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type {
  ChargeId,
  CheckoutSessionId,
  MerchantId,
  PaymentMethodId,
  RefundId,
  SubscriptionId,
} from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { ChargeStage } from '../../ledger/write/journal.ts';
import { spreadBy } from '../../merchants/write/fees.ts';
import type { MaskedCard } from '../../providers/card.ts';
import { amountsPossible, type DueTerms, firstPayableDay } from '../../providers/pix/due-terms.ts';
import type {
  Initiator,
  Money,
  PaymentInstructions,
  PaymentOrder,
  PaymentProvider,
  PaymentState,
  PaymentType,
  PlannedPix,
} from '../../providers/provider.ts';
import type { SuspenseReason } from '../../suspense/write/suspense.ts';
import { chargeNotCancellable, transitionNotAllowed } from './refusals.ts';
import { divide, type SplitPart } from './split.ts';

/** Statuses of the API. */
export const CHARGE_STATUSES = [
  'paid',
  'pending',
  'refused',
  'failed',
  'refunded',
  'in_analysis',
  'authentication_required',
  'pre_chargeback',
  'chargeback',
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** Legal transitions. */
const MOVES: Readonly<Record<ChargeStatus, readonly ChargeStatus[]>> = {
  pending: ['paid', 'refused', 'failed', 'in_analysis', 'authentication_required'],
  in_analysis: ['paid', 'refused', 'failed'],
  authentication_required: ['paid', 'refused', 'failed'],
  paid: ['refunded', 'pre_chargeback', 'chargeback'],
  pre_chargeback: ['chargeback'],
  refused: [],
  failed: [],
  refunded: [],
  chargeback: [],
};

export const mayMove = (from: ChargeStatus, to: ChargeStatus): boolean => MOVES[from].includes(to);

/**
 * The part of a payment instrument that is stored. Neither the number of a card nor its CVV is stored, nor a hash of
 * them.
 */
export type PaymentMethod = CardPayment | PixPayment | IdentifiedMethod;

/** `due` is absent for a Pix that is to be paid at once. */
export type PixPayment = {
  readonly type: 'pix';
  readonly due?: DueTerms;
  /** The mandate by which the payer's bank pays, and when; both are absent for any other Pix. */
  readonly id?: PaymentMethodId;
  readonly planned?: PlannedPix & {
    /** ISO date on which the cycle is due. */
    readonly dueDate: string;
  };
};

export type CardPayment = MaskedCard & {
  readonly type: 'credit_card';
  readonly installments: number;
  /**
   * The stored payment method that was charged, and who began the payment. With an id alone: the method under which the
   * card of this charge is stored.
   */
  readonly id?: PaymentMethodId;
  readonly initiator?: Initiator;
};

/** Methods that know the payer by a document: `identifyType` is its kind. */
export type IdentifiedMethod = { readonly identifyType: string; readonly identifyNumber: string } & (
  | { readonly type: 'voucher' | 'qrcode' }
  | { readonly type: 'banktransfer'; readonly bankName: string }
);

export type Customer = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly document: { readonly type: string; readonly id: string } | null;
  readonly address: { readonly country: string } | null;
};

export type Item = {
  readonly title: string | null;
  readonly type: string | null;
  readonly description: string | null;
  readonly unit_price: number | null;
  readonly quantity: number | null;
};

export type SettlementDue = {
  /** Days from the payment to the first part; the others follow 30 days apart. */
  readonly delayDays: number;
  readonly firstAt: Timestamp;
  /** Null once no further part will be settled. */
  readonly nextAt: Timestamp | null;
};

export type ChargeEvent =
  | 'charge.anticipated'
  | 'charge.asked'
  | 'charge.authentication_required'
  | 'charge.chargeback'
  | 'charge.created'
  | 'charge.customer_erased'
  | 'charge.failed'
  | 'charge.in_analysis'
  | 'charge.paid'
  | 'charge.pending'
  | 'charge.pre_chargeback'
  | 'charge.provider_changed'
  | 'charge.refund_closed'
  | 'charge.refund_opened'
  | 'charge.refund_reversed'
  | 'charge.refunded'
  | 'charge.refused'
  | 'charge.settled';

export type Charge = MerchantRecord & {
  readonly id: ChargeId;
  /** Master of the merchant when the charge was made. */
  readonly masterId: MerchantId | null;
  readonly status: ChargeStatus;
  readonly amount: Minor;
  /** The amount that the institution has taken of a Pix with a due date; absent before, and for any other charge. */
  readonly paidAmount?: Minor;
  readonly currency: string;
  readonly spread: Minor;
  readonly net: Minor;
  /**
   * The fee from which the spread was computed, so that it can be recomputed. `version` is 0 if the merchant had no fee
   * definitions.
   */
  readonly fee: { readonly version: number; readonly fixed: Minor; readonly percentage: number };
  readonly customer: Customer;
  readonly paymentMethod: PaymentMethod;
  readonly instructions: PaymentInstructions | null;
  /**
   * The page for the payer of a Pix. It is absent for other charges, for those under a mandate and for those of earlier
   * versions without a due date. Nobody can guess it.
   */
  readonly payUrl?: string;
  readonly provider: string;
  /**
   * The merchant on whose own account at the provider the money arrives. Null: the gateway collects it, as it did for
   * all charges in which this is absent.
   */
  readonly collectedBy?: MerchantId | null;
  readonly pspRefId: string | null;
  readonly reference: string | null;
  readonly items: readonly Item[] | null;
  /** Free-form JSON, stored as text so that no store can misread its field names. */
  readonly metadata: string | null;
  readonly postbackUrl: string | null;
  /** Shares of participants in `net`, without the originator's remainder. Null without a split. */
  readonly split: readonly SplitPart[] | null;
  /** Parts in which `net` is settled, one per installment, and how many of them have been or were anticipated. */
  readonly settlement: ChargeStage;
  /** When the parts become available: fixed at payment, null before. */
  readonly due: SettlementDue | null;
  /** The refund that is pending or done; no other may begin. */
  readonly refundId: RefundId | null;
  /** How often a merchant has tried to refund it; absent before the first time, and in charges of former versions. */
  readonly refundAttempts?: number;
  readonly failureReason: string | null;
  /** The subscription that it was made for, and the number of its cycle; absent for any other charge. */
  readonly cycle?: { readonly subscriptionId: SubscriptionId; readonly number: number };
  /** The checkout session that it was made in; absent for any other charge. */
  readonly checkoutSessionId?: CheckoutSessionId;
  /** Equal for charges that look like the same payment. */
  readonly duplicateKey: string;
  /** When to ask the provider about this charge unless something happens before. */
  readonly reconcileAt: Timestamp | null;
  readonly expiresAt: Timestamp | null;
  readonly paidAt: Timestamp | null;
  readonly refundedAt: Timestamp | null;
};

/** Input for a new charge; the rest follows from it. */
type NewCharge = Omit<
  Charge,
  | 'version'
  | 'status'
  | 'net'
  | 'instructions'
  | 'pspRefId'
  | 'settlement'
  | 'due'
  | 'refundId'
  | 'refundAttempts'
  | 'failureReason'
  | 'paidAmount'
  | 'paidAt'
  | 'refundedAt'
  | 'createdAt'
  | 'updatedAt'
>;

/** The charge as its provider knows it. */
export const paymentOrderOf = (charge: Charge): PaymentOrder => ({
  reference: charge.id,
  amount: charge.amount,
  currency: charge.currency,
  ...(dueTermsOfCharge(charge) && { hasDueDate: true as const }),
  ...plannedPart(charge),
});

const plannedPart = (charge: Charge): Pick<PaymentOrder, 'planned'> => {
  const planned = plannedOf(charge);
  return planned ? { planned: { on: planned.on, retryOf: planned.retryOf } } : {};
};

/** The plan of a charge under a mandate; null for any other. */
export const plannedOf = ({ paymentMethod }: Pick<Charge, 'paymentMethod'>): PixPayment['planned'] | null =>
  (paymentMethod.type === 'pix' && paymentMethod.planned) || null;

/** The terms of a Pix with a due date; null for any other charge. */
export const dueTermsOfCharge = ({ paymentMethod }: Pick<Charge, 'paymentMethod'>): DueTerms | null =>
  (paymentMethod.type === 'pix' && paymentMethod.due) || null;

/** The amount that was paid, or is to be: what is booked, settled and given back. */
export const grossOf = ({ amount, paidAmount }: Pick<Charge, 'amount' | 'paidAmount'>): Minor =>
  paidAmount ?? amount;

/** The intent to take a payment, stored before the provider is called. */
export const openCharge = (charge: NewCharge, now: Date): Decision<Charge, ChargeEvent> =>
  created('charge.created', now, {
    ...charge,
    status: 'pending',
    net: charge.amount - charge.spread,
    instructions: null,
    pspRefId: null,
    settlement: {
      parts: charge.paymentMethod.type === 'credit_card' ? charge.paymentMethod.installments : 1,
      settled: 0,
    },
    due: null,
    refundId: null,
    failureReason: null,
    paidAt: null,
    refundedAt: null,
  });

/** Another provider is to take the payment. The one before has no payment and can have none any more. */
export const changeProvider = (
  charge: Charge,
  { name, owner }: Pick<PaymentProvider, 'name' | 'owner'>,
  reconcileAt: Timestamp,
  now: Date,
): Decision<Charge, ChargeEvent> =>
  changed('charge.provider_changed', charge, now, {
    provider: name,
    collectedBy: owner ?? null,
    reconcileAt,
  });

/**
 * Whether the money goes to the merchant directly. Such a payment adds to no balance here, and the merchant owes the
 * fee.
 */
export const isCollectedByMerchant = ({ collectedBy }: Pick<Charge, 'collectedBy'>): boolean =>
  collectedBy !== undefined && collectedBy !== null;

export const EXPIRED = 'expired';
export const CANCELLED = 'cancelled';

/** How long a charge that somebody else has to decide on waits before the provider is asked about it. */
const ASK_AGAIN_MS = 3_600_000;

const inAnHour = (now: Date): Timestamp => timestamp(new Date(now.getTime() + ASK_AGAIN_MS));

/** Ages at which the institution is asked about an open Pix, whose news may be lost; in milliseconds. */
const PIX_ASKED_AT_AGES_MS = [15_000, 60_000, 300_000, 900_000];

/**
 * When to ask the provider about a charge that waits for its payer: at its expiry, for a live Pix also several times
 * before that, and for one with a due date or under a mandate also each day.
 */
const nextAsk = (charge: Charge, now: Date): Timestamp | null => {
  const { livemode, paymentMethod, createdAt, expiresAt } = charge;
  if (!livemode || paymentMethod.type !== 'pix') return expiresAt;
  const isLong = dueTermsOfCharge(charge) !== null || plannedOf(charge) !== null;
  const daily = isLong ? timestamp(new Date(now.getTime() + DAY_MS)) : undefined;
  const next =
    PIX_ASKED_AT_AGES_MS.map((age) => timestamp(new Date(Date.parse(createdAt) + age))).find(
      (at) => at > timestamp(now),
    ) ?? daily;
  return next !== undefined && (expiresAt === null || next < expiresAt) ? next : expiresAt;
};

/** When to ask the provider again about a charge that still waits; null if it is not yet time to ask. */
const asked = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> | null => {
  const waits = charge.status === 'pending' && charge.instructions !== null;
  const isDue = charge.reconcileAt !== null && charge.reconcileAt <= timestamp(now);
  const reconcileAt = nextAsk(charge, now);
  return waits && isDue && reconcileAt !== charge.reconcileAt
    ? changed('charge.asked', charge, now, { reconcileAt })
    : null;
};

/**
 * Applies the provider's answer to a charge. Null if the answer changes nothing, because it is outdated or the
 * transition is not allowed. `isFree` as in `strayReason`.
 */
export const applyPaymentState = (
  charge: Charge,
  state: PaymentState,
  now: Date,
  isFree: boolean | null = null,
): Decision<Charge, ChargeEvent> | null => {
  const updatedAt = timestamp(now);
  const known = { ...charge, pspRefId: state.pspRefId, updatedAt };
  if (state.status === 'pending') {
    // A payer is never sent to a page that asks for another amount.
    const isNews =
      charge.status === 'pending' &&
      charge.instructions === null &&
      state.instructions !== null &&
      isInFull(charge, state);
    return isNews
      ? {
          type: 'charge.pending',
          data: { ...known, instructions: state.instructions, reconcileAt: nextAsk(charge, now) },
        }
      : asked(charge, now);
  }
  if (!mayMove(charge.status, state.status) && !stillCounts(charge, state, isFree)) return null;
  switch (state.status) {
    case 'paid':
      return {
        type: 'charge.paid',
        data: {
          ...known,
          status: 'paid',
          instructions: state.instructions ?? charge.instructions,
          paidAt: state.paidAt ?? updatedAt,
          failureReason: null,
          reconcileAt: null,
          ...figuresOfPaid(charge, state),
        },
      };
    case 'refused':
    case 'failed':
      return {
        type: `charge.${state.status}`,
        data: { ...known, status: state.status, failureReason: state.failureReason, reconcileAt: null },
      };
    case 'in_analysis':
    case 'authentication_required':
      return {
        type: `charge.${state.status}`,
        data: {
          ...known,
          status: state.status,
          instructions: state.instructions ?? charge.instructions,
          reconcileAt: inAnHour(now),
        },
      };
  }
};

/**
 * The figures of a Pix with a due date follow from what was paid, by the fee that was in force when it was made; those
 * of any other charge stand already.
 */
const figuresOfPaid = (
  charge: Charge,
  { echo }: PaymentState,
): Pick<Charge, 'paidAmount' | 'spread' | 'net' | 'split'> => {
  const { fee, split, spread, net } = charge;
  if (!dueTermsOfCharge(charge)) return { spread, net, split };
  const paidAmount = echo?.amount ?? charge.amount;
  const kept = spreadBy(fee, paidAmount);
  const rest = paidAmount - kept;
  return { paidAmount, spread: kept, net: rest, split: split && divide(rest, split) };
};

/**
 * Whether the charge has ended because its time has passed or the merchant cancelled it. Money that arrives for it
 * later is given back.
 */
export const isOver = ({ failureReason }: Charge): boolean =>
  failureReason === EXPIRED || failureReason === CANCELLED;

/** A payment confirmed late but made in time still counts. */
const isPaidBeforeExpiry = (charge: Charge, state: PaymentState): boolean =>
  state.status === 'paid' &&
  charge.status === 'failed' &&
  charge.failureReason === EXPIRED &&
  charge.expiresAt !== null &&
  state.paidAt !== null &&
  state.paidAt < charge.expiresAt;

/**
 * Whether a payment still counts for a charge that has ended. A checkout session or a cycle can have several charges
 * and is paid once. While no other charge has paid it, a payment counts even if its charge was cancelled.
 */
const stillCounts = (charge: Charge, state: PaymentState, isFree: boolean | null): boolean => {
  if (isFree === null) return isPaidBeforeExpiry(charge, state);
  const isCancelled = charge.status === 'failed' && charge.failureReason === CANCELLED;
  return isFree && state.status === 'paid' && (isCancelled || isPaidBeforeExpiry(charge, state));
};

/**
 * Why a payment that the provider received does not count for this charge; null if it does, or if there is no payment.
 * A charge is paid by one payment, in time and in full. `isFree` says whether the checkout session or cycle of an ended
 * charge can still be paid; null if the charge belongs to neither.
 */
export const strayReason = (
  charge: Charge,
  state: PaymentState,
  isFree: boolean | null = null,
): SuspenseReason | null => {
  if (state.status !== 'paid') return null;
  if (charge.paidAt !== null) return state.pspRefId === charge.pspRefId ? null : 'second_payment';
  if (!isInFull(charge, state)) return 'payment_of_other_amount';
  if (mayMove(charge.status, 'paid') || stillCounts(charge, state, isFree)) return null;
  return isOver(charge) ? 'late_payment' : 'payment_of_closed_charge';
};

/**
 * Whether the provider reports the charge's own amount and currency. A Pix with a due date can be paid with any amount
 * that is due between the day on which the charge was made and the last payable day.
 */
const isInFull = (charge: Charge, state: PaymentState): boolean => {
  const { amount, currency }: Money = state.echo ?? charge;
  const due = state.status === 'paid' ? dueTermsOfCharge(charge) : null;
  const { least, most } = due
    ? amountsPossible(charge.amount, due, firstPayableDay(charge))
    : { least: charge.amount, most: charge.amount };
  return amount >= least && amount <= most && currency === charge.currency;
};

/** The time to pay has passed, and the provider no longer holds the payment open. */
export const expired = (state: PaymentState): PaymentState => ({
  ...state,
  status: 'failed',
  failureReason: EXPIRED,
});

/**
 * 422 CHARGE_NOT_CANCELLABLE unless the charge waits for its payer. A `pending` charge without instructions is still
 * with its provider, as a card is until that answers.
 */
export const assertCancellable = ({ status, instructions }: Charge): void => {
  const waits = status === 'authentication_required' || (status === 'pending' && instructions !== null);
  if (!waits) throw chargeNotCancellable(status);
};

/** The merchant has cancelled the charge, and the provider has confirmed that nobody can pay it any more. */
export const cancelCharge = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> => {
  assertCancellable(charge);
  return changed('charge.failed', charge, now, {
    status: 'failed',
    failureReason: CANCELLED,
    reconcileAt: null,
  });
};

/** Marks the charge as being refunded, so that no second refund and no settlement can begin beside it. */
export const reserveForRefund = (
  charge: Charge,
  refundId: RefundId,
  now: Date,
): Decision<Charge, ChargeEvent> =>
  changed('charge.refund_opened', charge, now, { refundId, refundAttempts: refundAttemptsOf(charge) + 1 });

/** How often a merchant has tried to refund the charge. */
export const refundAttemptsOf = ({ refundAttempts = 0 }: Charge): number => refundAttempts;

/** The refund was refused or has failed, so another one may be tried. */
export const releaseFromRefund = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> =>
  changed('charge.refund_closed', charge, now, { refundId: null });

export const markRefunded = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> => ({
  type: 'charge.refunded',
  data: {
    ...moved(charge, 'refunded', now),
    due: neverDue(charge),
    refundedAt: timestamp(now),
  },
});

/** The charge in another status. Throws for a transition that is not allowed, which is a bug of the caller. */
const moved = (charge: Charge, status: ChargeStatus, now: Date): Charge => {
  if (!mayMove(charge.status, status))
    throw new Error(`charge ${charge.id} is ${charge.status} and cannot become ${status}`);
  return { ...charge, status, updatedAt: timestamp(now) };
};

/** An alert was registered: the money is taken back, and no refund may begin any more. */
export const markPreChargeback = (
  charge: Charge,
  refundId: RefundId,
  now: Date,
): Decision<Charge, ChargeEvent> => ({
  type: 'charge.pre_chargeback',
  data: { ...moved(charge, 'pre_chargeback', now), refundId, due: neverDue(charge) },
});

/** Whether a refund that the merchant asked for is still to be decided on; it may have taken the money already. */
export const isBeingRefunded = (charge: Charge): boolean =>
  charge.status === 'paid' && charge.refundId !== null;

/**
 * The acquirer has confirmed a chargeback. 422 TRANSITION_NOT_ALLOWED from a status that a chargeback cannot follow.
 */
export const markChargeback = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> => {
  if (!mayMove(charge.status, 'chargeback')) throw transitionNotAllowed(charge.status, 'chargeback');
  return changed('charge.chargeback', charge, now, { status: 'chargeback', due: neverDue(charge) });
};

/** Unsettled parts of a returned charge are never settled. */
const neverDue = ({ due }: Charge): SettlementDue | null => due && { ...due, nextAt: null };

/**
 * Whether the provider has not answered yet how the payer can pay. Such a charge cannot be cancelled now, and it has to
 * be tried again, because the payer can pay as soon as the provider has answered.
 */
export const isStillAsked = ({ status, instructions, paymentMethod }: Charge): boolean =>
  status === 'pending' && instructions === null && EXPIRES_AFTER[paymentMethod.type] !== undefined;

/** Kinds of payment in which the payer pays later, and how long there is time for it, in seconds. */
export const EXPIRES_AFTER: Readonly<Partial<Record<PaymentType, number>>> = {
  pix: 3_600,
  voucher: 259_200,
  banktransfer: 86_400,
  qrcode: 3_600,
};
