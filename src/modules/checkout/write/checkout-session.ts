import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type {
  ChargeId,
  CheckoutSessionId,
  CustomerId,
  MerchantId,
  PaymentLinkId,
  PaymentMethodId,
  PlanId,
  SubscriptionId,
} from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { store } from '../../../kernel/store.ts';
import type { Charge, Item } from '../../charges/write/charge.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import type { PaymentType } from '../../providers/provider.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import { checkoutExpired, checkoutNotOpen, paymentInProgress } from './refusals.ts';

export const SESSION_STATUSES = ['open', 'processing', 'completed', 'expired', 'cancelled'] as const;
type SessionStatus = (typeof SESSION_STATUSES)[number];

export const CANCEL_REASONS = [
  'cancelled_by_merchant',
  'customer_erased',
  'too_many_refusals',
  'too_many_charges',
  'not_awaited',
] as const;
type CancelReason = (typeof CANCEL_REASONS)[number];

/**
 * The purpose of the page: the payer pays (`payment`), stores a card without paying (`setup`), or stores a card and
 * subscribes to a plan with it (`subscription`).
 */
export const SESSION_MODES = ['payment', 'setup', 'subscription'] as const;

export const SAVE_METHODS = ['never', 'ask', 'always'] as const;
export const LOCALES = ['pt', 'es', 'en'] as const;

/** Facts about the payer that the merchant knows; the page asks for those that a payment needs and that are null. */
export type SessionCustomer = {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly document: { readonly type: string; readonly id: string } | null;
  readonly address: { readonly country: string } | null;
};

/** The text to which the payer agreed when the card was stored, and the time. */
export type Consent = { readonly text: string; readonly at: Timestamp };

export type CheckoutSessionEvent =
  | 'checkout.cancelled'
  | 'checkout.completed'
  | 'checkout.customer_erased'
  | 'checkout.customer_named'
  | 'checkout.expired'
  | 'checkout.opened'
  | 'checkout.processing'
  | 'checkout.reopened';

/** A page on which one payer pays once or stores one card. */
export type CheckoutSession = MerchantRecord & {
  readonly id: CheckoutSessionId;
  /** Master of the merchant when it was opened. */
  readonly masterId: MerchantId | null;
  readonly status: SessionStatus;
  /** Address of the page; anybody who knows it can open the page. */
  readonly url: string;
  /** The secret part of that address: 128 random bits. */
  readonly token: string;
  /** The payment link that it was opened by; null for one that the merchant opened itself. */
  readonly paymentLinkId: PaymentLinkId | null;
  /** Absent in older sessions, which are all for payments. */
  readonly mode?: (typeof SESSION_MODES)[number];
  /** The price of each cycle for a subscription; null where nothing is paid. */
  readonly amount: Minor | null;
  /** The plan that is subscribed to; null or absent in other modes. */
  readonly planId?: PlanId | null;
  readonly currency: string;
  readonly description: string | null;
  readonly items: readonly Item[] | null;
  readonly customerId: CustomerId | null;
  /** Null where the page asks for everything, and where the customer is one of the merchant's. */
  readonly customer: SessionCustomer | null;
  /** Null for all methods that the merchant can use. */
  readonly methods: readonly PaymentType[] | null;
  readonly maxInstallments: number;
  readonly saveMethod: (typeof SAVE_METHODS)[number];
  /**
   * Whether the page offers the stored cards of the customer, whom the merchant has signed in; absent in older
   * sessions.
   */
  readonly showSaved?: boolean;
  /** Language of the page; null for that of the browser. */
  readonly locale: (typeof LOCALES)[number] | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly postbackUrl: string | null;
  readonly split: readonly SplitEntry[] | null;
  readonly reference: string | null;
  /** Free-form JSON as its text. */
  readonly metadata: string | null;
  /** The charge that is under way or has paid; null while another may begin. */
  readonly chargeId: ChargeId | null;
  /** Every charge that was made, oldest first. */
  readonly chargeIds: readonly ChargeId[];
  /** The card that is being stored or was stored on a page for that; null or absent otherwise. */
  readonly paymentMethodId?: PaymentMethodId | null;
  /** The cycle of a subscription that is paid on the page; absent otherwise. */
  readonly cycle?: NonNullable<Charge['cycle']>;
  /** The subscription that has begun, or is about to; null or absent otherwise. */
  readonly subscriptionId?: SubscriptionId | null;
  /** Null or absent if no card was to be stored. */
  readonly consent?: Consent | null;
  /** Cards that were refused. */
  readonly refusals: number;
  /** The subscription whose first charge was the refusal that was counted last; null or absent before. */
  readonly refusedSubscriptionId?: SubscriptionId | null;
  readonly cancelReason: CancelReason | null;
  readonly completedAt: Timestamp | null;
  readonly expiresAt: Timestamp;
  /** When a worker has to look at it next; null if nothing becomes due. */
  readonly reconcileAt: Timestamp | null;
};

export const CHECKOUT_SESSIONS = store<CheckoutSession, CheckoutSessionEvent>(
  'checkout_sessions',
  'checkout_session',
  {
    keptOnce: ['items', 'metadata'],
  },
);

/** Limits how many cards an attacker can try on one session. */
const REFUSALS_AT_MOST = 5;
/** A payer may change between methods, but each attempt leaves a charge, so their number is limited. */
const CHARGES_AT_MOST = 20;
/** How long a payer may take for the authentication by the card's bank. */
export const AUTHENTICATION_MS = 30 * 60_000;

type Facts = Omit<
  CheckoutSession,
  | 'version'
  | 'status'
  | 'chargeId'
  | 'chargeIds'
  | 'refusals'
  | 'cancelReason'
  | 'completedAt'
  | 'reconcileAt'
  | 'createdAt'
  | 'updatedAt'
>;

export const openSession = (facts: Facts, now: Date): Decision<CheckoutSession, CheckoutSessionEvent> =>
  created('checkout.opened', now, {
    ...facts,
    status: 'open',
    chargeId: null,
    chargeIds: [],
    refusals: 0,
    cancelReason: null,
    completedAt: null,
    reconcileAt: facts.expiresAt,
  });

export const isPast = ({ expiresAt }: Pick<CheckoutSession, 'expiresAt'>, now: Date): boolean =>
  expiresAt <= timestamp(now);

/** 410 CHECKOUT_EXPIRED, 409 PAYMENT_IN_PROGRESS or 422 CHECKOUT_NOT_OPEN unless a charge may begin. */
const assertOpen = (session: CheckoutSession, now: Date): void => {
  const { status } = session;
  if (status === 'processing') throw paymentInProgress();
  if (status === 'expired' || (status === 'open' && isPast(session, now))) throw checkoutExpired();
  if (status !== 'open') throw checkoutNotOpen(status);
};

/** A charge begins. Until it has ended no other one can. */
export const beginCharge = (
  session: CheckoutSession,
  { id, paymentMethod }: Pick<Charge, 'id' | 'paymentMethod'>,
  consent: Consent | null,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  assertOpen(session, now);
  return changed('checkout.processing', session, now, {
    status: 'processing',
    ...(consent && { consent }),
    chargeId: id,
    chargeIds: [...session.chargeIds, id],
    // Every other method has its own time to pay.
    reconcileAt: paymentMethod.type === 'credit_card' ? later(now, AUTHENTICATION_MS) : null,
  });
};

/**
 * When to look again at a session whose outcome is open. In the test environment no news gets lost, so the older it is,
 * the more rarely it is looked at: a test clock that passes months stops for each look.
 */
export const nextLookAt = (
  { livemode, updatedAt }: Pick<CheckoutSession, 'livemode' | 'updatedAt'>,
  waitMs: number,
  now: Date,
): Timestamp => {
  const age = now.getTime() - Date.parse(updatedAt);
  return later(now, livemode ? waitMs : Math.max(waitMs, age / 2));
};

/** Whether the payer stores a card on the page, with or without a payment after that. */
export const keepsCard = ({ mode }: Pick<CheckoutSession, 'mode'>): boolean =>
  mode === 'setup' || mode === 'subscription';

/** The amount of a session on which somebody pays. */
export const priceOf = ({ id, amount }: Pick<CheckoutSession, 'id' | 'amount'>): Minor => {
  if (amount === null) throw new Error(`nothing is paid on ${id}`);
  return amount;
};

/** Names the payer of a session that has none as a customer of the merchant. 409, 410 or 422 as for a charge. */
export const nameCustomer = (
  session: CheckoutSession,
  customerId: CustomerId,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  assertOpen(session, now);
  return changed('checkout.customer_named', session, now, { customerId, customer: null });
};

/** A card is about to be kept. Until that has ended no other one can. 409, 410 or 422 as for a charge. */
export const beginSetup = (
  session: CheckoutSession,
  paymentMethodId: PaymentMethodId,
  consent: Consent,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  assertOpen(session, now);
  return changed('checkout.processing', session, now, {
    status: 'processing',
    paymentMethodId,
    consent,
    reconcileAt: later(now, AUTHENTICATION_MS),
  });
};

/** The change that follows for a session from the outcome of storing its card; null if nothing changes. */
export const followMethod = (
  session: CheckoutSession,
  { id, status }: Pick<StoredMethod, 'id' | 'status'>,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null => {
  if (session.status !== 'processing' || session.paymentMethodId !== id || status === 'pending') return null;
  const isSubscribing = session.mode === 'subscription';
  if (status === 'active')
    return isSubscribing
      ? changed('checkout.processing', session, now, { reconcileAt: timestamp(now) })
      : completed(session, now);
  // A revoked card was either replaced by its payer or counted before.
  const refusals = session.refusals + (status === 'failed' ? 1 : 0);
  return reopened({ ...session, ...NOTHING_KEPT, refusals }, now);
};

const NOTHING_KEPT = {
  paymentMethodId: null,
  subscriptionId: null,
} as const satisfies Partial<CheckoutSession>;

const completed = (
  session: CheckoutSession,
  now: Date,
  changes: Partial<CheckoutSession> = {},
): Decision<CheckoutSession, CheckoutSessionEvent> =>
  changed('checkout.completed', session, now, {
    ...changes,
    status: 'completed',
    completedAt: timestamp(now),
    reconcileAt: null,
  });

/** A subscription is stored whose first charge is to be made. 409 PAYMENT_IN_PROGRESS where there is one already. */
export const beginSubscription = (
  session: CheckoutSession,
  subscriptionId: SubscriptionId,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  if (session.status !== 'processing' || session.subscriptionId) throw paymentInProgress();
  return changed('checkout.processing', session, now, { subscriptionId });
};

/**
 * The subscription has begun: its first charge is paid or is not due yet. Null if the session belongs to another
 * subscription.
 */
export const completeSubscription = (
  session: CheckoutSession,
  { id, latestChargeId }: Pick<Subscription, 'id' | 'latestChargeId'>,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null =>
  session.status === 'processing' && session.subscriptionId === id
    ? completed(session, now, {
        chargeId: latestChargeId,
        chargeIds: latestChargeId === null ? [] : [latestChargeId],
      })
    : null;

/**
 * Counts a card that was refused, either at once or by the first charge of a subscription. A refusal counts once,
 * however many processes see it.
 */
export const countRefusal = (
  session: CheckoutSession,
  refusedSubscriptionId: SubscriptionId | null,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null => {
  if (refusedSubscriptionId !== null && refusedSubscriptionId === session.refusedSubscriptionId) return null;
  const counted = { refusals: session.refusals + 1, refusedSubscriptionId };
  if (session.status === 'open') return reopened({ ...session, ...counted }, now);
  return session.status === 'processing' ? changed('checkout.processing', session, now, counted) : null;
};

/** The change that follows for a session from the outcome of a charge; null if nothing changes. */
export const followCharge = (
  session: CheckoutSession,
  charge: Pick<Charge, 'id' | 'status' | 'paidAt' | 'paymentMethod'>,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null => {
  if (charge.status === 'paid')
    return session.status === 'completed'
      ? null
      : changed('checkout.completed', session, now, {
          status: 'completed',
          chargeId: charge.id,
          cancelReason: null,
          completedAt: charge.paidAt,
          reconcileAt: null,
        });
  const hasEnded = charge.status === 'refused' || charge.status === 'failed';
  if (!hasEnded || session.chargeId !== charge.id) return null;
  const isRefusedCard = charge.status === 'refused' && charge.paymentMethod.type === 'credit_card';
  return reopened({ ...session, chargeId: null, refusals: session.refusals + (isRefusedCard ? 1 : 0) }, now);
};

/** Lets another payment begin, unless there were too many attempts or the time has passed. */
const reopened = (free: CheckoutSession, now: Date): Decision<CheckoutSession, CheckoutSessionEvent> => {
  if (free.refusals >= REFUSALS_AT_MOST) return cancelled(free, 'too_many_refusals', now);
  if (isPast(free, now)) return expired(free, now);
  if (free.chargeIds.length >= CHARGES_AT_MOST) return cancelled(free, 'too_many_charges', now);
  return changed('checkout.reopened', free, now, { status: 'open', reconcileAt: free.expiresAt });
};

/**
 * Whether money for an ended charge of the session still counts, because no other charge of the session is unfinished
 * or paid.
 */
export const isFreeFor = (
  { status, chargeId }: CheckoutSession,
  { failureReason }: Pick<Charge, 'failureReason'>,
): boolean => chargeId === null && (status === 'open' || failureReason === 'expired');

/** 409, 410 or 422 as `assertOpen`. */
export const cancelSession = (
  session: CheckoutSession,
  reason: CancelReason,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  assertOpen(session, now);
  return cancelled(session, reason, now);
};

/** Ends a session whose customer is deleted; null if it has ended already, or if its charge goes on. */
export const endForDeletion = (
  session: CheckoutSession,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null => {
  const isOpen = session.status === 'open' && !isPast(session, now);
  const isKeeping = session.status === 'processing' && keepsCard(session);
  return isOpen || isKeeping ? cancelled(session, 'customer_erased', now) : null;
};

/**
 * The session without personal data of its payer, who asked for erasure. No charge can begin in it any more.
 */
export const forgetCustomer = (
  session: CheckoutSession,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> => {
  const forgotten = withoutCustomer(session);
  return session.status === 'open'
    ? cancelled(forgotten, 'customer_erased', now)
    : changed('checkout.customer_erased', forgotten, now, {});
};

export const withoutCustomer = (session: CheckoutSession): CheckoutSession => ({
  ...session,
  customer: null,
});

/** Null unless the session is open and its time has passed. */
export const expireSession = (
  session: CheckoutSession,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null =>
  session.status === 'open' && isPast(session, now) ? expired(session, now) : null;

/**
 * Closes a page before its time has passed, because nobody is to pay on it any more; null if it is not open.
 */
export const closeSession = (
  session: CheckoutSession,
  as: 'expired' | 'not_awaited',
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> | null => {
  if (session.status !== 'open') return null;
  return as === 'expired' ? expired(session, now) : cancelled(session, as, now);
};

const cancelled = (
  session: CheckoutSession,
  reason: CancelReason,
  now: Date,
): Decision<CheckoutSession, CheckoutSessionEvent> =>
  changed('checkout.cancelled', session, now, {
    status: 'cancelled',
    cancelReason: reason,
    reconcileAt: null,
  });

const expired = (session: CheckoutSession, now: Date): Decision<CheckoutSession, CheckoutSessionEvent> =>
  changed('checkout.expired', session, now, { status: 'expired', reconcileAt: null });

export const later = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));
