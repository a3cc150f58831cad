import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
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
import type { MaskedCard } from '../../providers/card.ts';
import type {
  Initiator,
  Money,
  PaymentInstructions,
  PaymentOrder,
  PaymentProvider,
  PaymentState,
  PaymentType,
} from '../../providers/provider.ts';
import type { SuspenseReason } from '../../suspense/write/suspense.ts';
import { chargeNotCancellable, transitionNotAllowed } from './refusals.ts';
import type { SplitPart } from './split.ts';

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

/** Stored part of a payment instrument: of a card, neither number nor CVV nor a hash of them. */
export type PaymentMethod = CardPayment | { readonly type: 'pix' } | IdentifiedMethod;

export type CardPayment = MaskedCard & {
  readonly type: 'credit_card';
  readonly installments: number;
  /** The stored payment method that was charged, and who began it; with an id alone the one as which the card is kept. */
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

export type Charge = MerchantRecord & {
  readonly id: ChargeId;
  /** Master of the merchant when the charge was made. */
  readonly masterId: MerchantId | null;
  readonly status: ChargeStatus;
  readonly amount: Minor;
  readonly currency: string;
  readonly spread: Minor;
  readonly net: Minor;
  /** How the spread came about, so that it can be recomputed; `version` 0 where the merchant had no definitions. */
  readonly fee: { readonly version: number; readonly fixed: Minor; readonly percentage: number };
  readonly customer: Customer;
  readonly paymentMethod: PaymentMethod;
  readonly instructions: PaymentInstructions | null;
  readonly provider: string;
  /**
   * The merchant on whose own account at the provider the money arrives. Null: the gateway collects it, as it did for all
   * charges in which this is absent.
   */
  readonly collectedBy?: MerchantId | null;
  readonly pspRefId: string | null;
  readonly reference: string | null;
  readonly items: readonly Item[] | null;
  /** Free-form JSON as its text: no store can misread its field names. */
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
  | 'paidAt'
  | 'refundedAt'
  | 'createdAt'
  | 'updatedAt'
>;

/** The charge as its provider knows it. */
export const orderOf = ({ id, amount, currency }: Charge): PaymentOrder => ({
  reference: id,
  amount,
  currency,
});

/** The intent to take a payment, stored before the provider is called. */
export const openCharge = (charge: NewCharge, now: Date): Decision<Charge> =>
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

/** Another provider is to take the payment: the one before has none and can have none any more. */
export const changeProvider = (
  charge: Charge,
  { name, owner }: Pick<PaymentProvider, 'name' | 'owner'>,
  reconcileAt: Timestamp,
  now: Date,
): Decision<Charge> =>
  changed('charge.provider_changed', charge, now, {
    provider: name,
    collectedBy: owner ?? null,
    reconcileAt,
  });

/** Whether the money never reaches the gateway: what is paid becomes nobody's balance here, and the fee is owed. */
export const isCollectedByMerchant = ({ collectedBy }: Pick<Charge, 'collectedBy'>): boolean =>
  collectedBy !== undefined && collectedBy !== null;

export const EXPIRED = 'expired';
export const CANCELLED = 'cancelled';

/** How long a charge that somebody else has to decide on waits before the provider is asked about it. */
const ASK_AGAIN_MS = 3_600_000;

const inAnHour = (now: Date): Timestamp => timestamp(new Date(now.getTime() + ASK_AGAIN_MS));

/** Ages at which the institution is asked about an open Pix, whose news may be lost; in milliseconds. */
const PIX_ASKED_AT_AGES_MS = [15_000, 60_000, 300_000, 900_000];

/** When to ask about a charge that waits for its payer: at its expiry, and about a live Pix several times before. */
const nextAsk = ({ livemode, paymentMethod, createdAt, expiresAt }: Charge, now: Date): Timestamp | null => {
  if (!livemode || paymentMethod.type !== 'pix') return expiresAt;
  const next = PIX_ASKED_AT_AGES_MS.map((age) => timestamp(new Date(Date.parse(createdAt) + age))).find(
    (at) => at > timestamp(now),
  );
  return next !== undefined && (expiresAt === null || next < expiresAt) ? next : expiresAt;
};

/** The provider was asked about a charge that still waits: when to ask again, null where it is not time yet. */
const asked = (charge: Charge, now: Date): Decision<Charge> | null => {
  const waits = charge.status === 'pending' && charge.instructions !== null;
  const isDue = charge.reconcileAt !== null && charge.reconcileAt <= timestamp(now);
  const reconcileAt = nextAsk(charge, now);
  return waits && isDue && reconcileAt !== charge.reconcileAt
    ? changed('charge.asked', charge, now, { reconcileAt })
    : null;
};

/**
 * Applies the provider's answer to a charge; null where it changes nothing, because it is old news or no legal
 * move. `isFree` as in `strayReason`.
 */
export const applyPaymentState = (
  charge: Charge,
  state: PaymentState,
  now: Date,
  isFree: boolean | null = null,
): Decision<Charge> | null => {
  const updatedAt = timestamp(now);
  const known = { ...charge, pspRefId: state.pspRefId, updatedAt };
  if (state.status === 'pending') {
    // Nobody is sent to pay another amount.
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

/** Whether nobody is to pay any more because the time has passed or the merchant cancelled: such money goes back. */
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
 * Whether a payment of a charge that has ended pays it all the same. A thing that is sold in several attempts is paid once:
 * such a charge is paid while the thing is free, even after the charge was cancelled.
 */
const stillCounts = (charge: Charge, state: PaymentState, isFree: boolean | null): boolean => {
  if (isFree === null) return isPaidBeforeExpiry(charge, state);
  const isCancelled = charge.status === 'failed' && charge.failureReason === CANCELLED;
  return isFree && state.status === 'paid' && (isCancelled || isPaidBeforeExpiry(charge, state));
};

/**
 * Why a payment that the provider was given is none of this charge's; null where it is, or where there
 * is no payment. A charge is paid by one payment, in time and in full. `isFree` says whether what an ended charge was made
 * for may still be paid by it; null where it was made for nothing in particular.
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

/** Whether the provider has the charge's own amount and currency down for it. */
const isInFull = (charge: Charge, state: PaymentState): boolean => {
  const { amount, currency }: Money = state.echo ?? charge;
  return amount === charge.amount && currency === charge.currency;
};

/** A charge whose time to be paid has passed and that the provider holds open no longer. */
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

/** The merchant wants the payment no longer, and the provider has let it go. */
export const cancelCharge = (charge: Charge, now: Date): Decision<Charge> => {
  assertCancellable(charge);
  return changed('charge.failed', charge, now, {
    status: 'failed',
    failureReason: CANCELLED,
    reconcileAt: null,
  });
};

/** Marks the charge as being refunded, so that no second refund and no settlement can begin beside it. */
export const reserveForRefund = (charge: Charge, refundId: RefundId, now: Date): Decision<Charge> =>
  changed('charge.refund_opened', charge, now, { refundId, refundAttempts: refundAttemptsOf(charge) + 1 });

/** How often a merchant has tried to refund the charge. */
export const refundAttemptsOf = ({ refundAttempts = 0 }: Charge): number => refundAttempts;

/** The refund came to nothing: another may be tried. */
export const releaseFromRefund = (charge: Charge, now: Date): Decision<Charge> =>
  changed('charge.refund_closed', charge, now, { refundId: null });

export const markRefunded = (charge: Charge, now: Date): Decision<Charge> => ({
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
export const markPreChargeback = (charge: Charge, refundId: RefundId, now: Date): Decision<Charge> => ({
  type: 'charge.pre_chargeback',
  data: { ...moved(charge, 'pre_chargeback', now), refundId, due: neverDue(charge) },
});

/** Whether a refund that the merchant asked for is still to be decided on; it may have taken the money already. */
export const isBeingRefunded = (charge: Charge): boolean =>
  charge.status === 'paid' && charge.refundId !== null;

/** The acquirer's confirmation of a chargeback. 422 TRANSITION_NOT_ALLOWED from any status that this cannot follow. */
export const markChargeback = (charge: Charge, now: Date): Decision<Charge> => {
  if (!mayMove(charge.status, 'chargeback')) throw transitionNotAllowed(charge.status, 'chargeback');
  return changed('charge.chargeback', charge, now, { status: 'chargeback', due: neverDue(charge) });
};

/** Unsettled parts of a returned charge are never settled. */
const neverDue = ({ due }: Charge): SettlementDue | null => due && { ...due, nextAt: null };

/** Kinds of payment in which the payer pays later, and how long there is time for it, in seconds. */
export const EXPIRES_AFTER: Readonly<Partial<Record<PaymentType, number>>> = {
  pix: 3_600,
  voucher: 259_200,
  banktransfer: 86_400,
  qrcode: 3_600,
};
