import { dateOfDay, dayOf } from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type {
  ChargeId,
  CheckoutSessionId,
  CustomerId,
  MerchantId,
  PaymentMethodId,
  PlanId,
  SubscriptionId,
} from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import { type MandateTerms, planningDay } from '../../providers/pix/mandate-terms.ts';
import { addDays, type Calendar, dueAt, instantAt, localDate, startOf } from './calendar.ts';
import type { CyclePage } from './cycle.ts';
import type { Price } from './plan.ts';

export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'paused',
  'cancelled',
  'expired',
] as const;
type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const COLLECTIONS = ['automatic', 'payer'] as const;
/** `checkout` opens a page of the gateway, on which the customer chooses. */
export const PAYER_METHODS = ['pix', 'voucher', 'checkout'] as const;
export const ON_EXHAUSTED = ['cancel', 'pause'] as const;
export const END_REASONS = [
  'never_activated',
  'completed',
  'payment_failed',
  'customer_erased',
  'requested',
] as const;

/** How the oldest unpaid cycle is being collected. */
export type Collecting = {
  readonly cycle: number;
  /** When the next attempt is made; null while one waits for its outcome, and if there will be no other. */
  readonly nextAt: Timestamp | null;
  /** The charge that waits for its outcome. */
  readonly chargeId: ChargeId | null;
  /** The checkout session that waits for the payer; null or absent for any other way to pay. */
  readonly pageId?: CheckoutSessionId | null;
  /** Until when the payer can pay that charge or use that page; null for a card. */
  readonly payBy: Timestamp | null;
  /** When the cycle is given up, if no further attempt is made because the card will never be accepted. */
  readonly giveUpAt: Timestamp | null;
  /**
   * Why the cycle waits although it is due, for example because no provider is configured; null if it does not wait.
   */
  readonly waitsFor: string | null;
  /** How often it has waited in this way since the last attempt that counts. */
  readonly waits: number;
  /**
   * Set if a cycle that was given up is tried once more, which does not change the status of the subscription.
   */
  readonly isExtra: boolean;
  /**
   * Set if another method was given while an attempt waits for its outcome. If that attempt fails, the new method is
   * tried at once.
   */
  readonly hasNewMethod: boolean;
  /**
   * ISO date on which the payer's bank is to pay the next attempt, which is a retry under a mandate; absent for any
   * other.
   */
  readonly plannedOn?: string | null;
  /** When the payer's bank has paid the charge that waits, or not; null or absent where no mandate pays it. */
  readonly settlesAt?: Timestamp | null;
};

/** The attempt that the latest event is about. */
type LatestAttempt = {
  readonly cycleNumber: number;
  readonly chargeId: ChargeId | null;
  readonly attempt: number;
  readonly nextAttemptAt: Timestamp | null;
  /** Page on which the payer can pay; absent where there is none. */
  readonly checkoutUrl?: string;
};

/** Money that arrived for a cycle after the subscription had ended. */
export type LatePayment = { readonly cycleNumber: number; readonly chargeId: ChargeId };

export type SubscriptionEvent =
  | 'subscription.activated'
  | 'subscription.attempted'
  | 'subscription.cancellation_planned'
  | 'subscription.cancellation_withdrawn'
  | 'subscription.cancelled'
  | 'subscription.clock_moved'
  | 'subscription.created'
  | 'subscription.cycle_begun'
  | 'subscription.expired'
  | 'subscription.paid_late'
  | 'subscription.paused'
  | 'subscription.payment_failed'
  | 'subscription.postponed'
  | 'subscription.released'
  | 'subscription.renewed'
  | 'subscription.retried'
  | 'subscription.updated'
  | 'subscription.waiting';

/** A customer's agreement to pay a price again and again. */
export type Subscription = MerchantRecord & {
  readonly id: SubscriptionId;
  /** Master of the merchant when it was made. */
  readonly masterId: MerchantId | null;
  readonly status: SubscriptionStatus;
  /** Why it is past due, in snake_case; null or absent where it is not. */
  readonly pastDueReason?: string | null;
  readonly customerId: CustomerId;
  readonly planId: PlanId | null;
  readonly price: Price;
  /** The price from the next cycle on; null if it does not change. */
  readonly nextPrice: { readonly planId: PlanId | null; readonly price: Price } | null;
  readonly collection: (typeof COLLECTIONS)[number];
  readonly paymentMethodId: PaymentMethodId | null;
  /** Set where the method is a mandate, whose charges are handed in ahead of their day. */
  readonly chargesAhead?: boolean;
  /** How often its latest mandate lets a charge be tried again; absent where it never had a mandate. */
  readonly mandateRetries?: MandateTerms['retries'];
  readonly payerMethod: (typeof PAYER_METHODS)[number] | null;
  readonly payerDays: number;
  readonly calendar: Calendar;
  /** The number of cycles to be paid. Cycles that a pause leaves out do not count. */
  readonly maxCycles: number | null;
  /** No cycle begins on this day or later. */
  readonly endDate: string | null;
  /** Days from one failed attempt to the next. */
  readonly retryDays: readonly number[];
  readonly onExhausted: (typeof ON_EXHAUSTED)[number];
  readonly split: readonly SplitEntry[] | null;
  readonly description: string | null;
  /** Free-form JSON as its text. */
  readonly metadata: string | null;
  readonly reference: string | null;
  readonly postbackUrl: string | null;
  /** Number of the latest cycle that has begun or was left out; 0 before the first. */
  readonly cycle: number;
  readonly voidCycles: number;
  /**
   * The latest cycle that was withdrawn, which has a record already where it begins anew; absent before there is one.
   */
  readonly withdrawnCycle?: number;
  /** Cycles that have begun and are neither paid nor given up, oldest first. */
  readonly open: readonly number[];
  readonly collecting: Collecting | null;
  readonly currentPeriodStart: Timestamp | null;
  readonly currentPeriodEnd: Timestamp | null;
  /** When the next cycle begins. */
  readonly nextCycleAt: Timestamp;
  readonly nextChargeAt: Timestamp | null;
  readonly trialEnd: Timestamp | null;
  /** When it was activated, because its first charge was paid or is planned. */
  readonly activatedAt: Timestamp | null;
  /** When a subscription ends that has never been paid. */
  readonly expiresAt: Timestamp | null;
  readonly cancelAt: Timestamp | null;
  readonly cancelReason: string | null;
  readonly resumeAt: Timestamp | null;
  readonly pausedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly endReason: (typeof END_REASONS)[number] | null;
  readonly latestChargeId: ChargeId | null;
  readonly latestAttempt: LatestAttempt | null;
  readonly latePayments: readonly LatePayment[];
  /** A charge that nobody is to pay any more, and that still has to be cancelled at the provider. */
  readonly releasing: ChargeId | null;
  /** A page on which nobody is to pay any more, and that is still to be closed; null or absent without one. */
  readonly releasingPage?: CheckoutSessionId | null;
  /** When the payment method was charged last, oldest first: card networks bound how often that may be. */
  readonly chargedAt: readonly Timestamp[];
  /** How far its clock is ahead, in milliseconds; above zero in the test environment only. */
  readonly offsetMs: number;
  /** When something is to be done, by the clock of the machine; null where nothing is to come. */
  readonly reconcileAt: Timestamp | null;
};

export const SUBSCRIPTIONS: Store<Subscription, SubscriptionEvent> = store('subscriptions', 'subscription', {
  keptOnce: ['metadata'],
});

/** Somebody has so long to pay the first cycle. */
const ACTIVATION_MS = 24 * HOUR_MS;
/** A cycle that cannot be charged by a fault of the gateway is tried again after twice the time of the last try. */
const FIRST_WAIT_MS = HOUR_MS;
const LONGEST_WAIT_MS = 24 * HOUR_MS;
/** A payment method whose holder still has to prove himself is looked at after this time, and then more rarely. */
const FIRST_LOOK_MS = MINUTE_MS / 4;
/** Card networks take at most so many attempts of a card in this time. */
const ATTEMPTS_AT_MOST = 15;
const ATTEMPTS_WITHIN_MS = 30 * 24 * HOUR_MS;

export const isEnded = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired';

const isRunning = ({ status }: Subscription): boolean =>
  status === 'trialing' || status === 'active' || status === 'past_due';

export const laterBy = (at: Date | Timestamp, ms: number): Timestamp =>
  timestamp(new Date(new Date(at).getTime() + ms));

/** The time by the subscription's own clock. */
export const timeOf = ({ offsetMs }: Pick<Subscription, 'offsetMs'>, clock: Date): Date =>
  new Date(clock.getTime() + offsetMs);

/** Work that a subscription needs, in the order in which it is done where several are due at once. */
export const STEPS = [
  'release',
  'expire',
  'cancel',
  'end',
  'complete',
  'resume',
  'settle',
  'overdue',
  'give_up',
  'activate',
  'begin',
  'attempt',
] as const;
export type Step = (typeof STEPS)[number];
type Due = { readonly step: Step; readonly at: Timestamp };

/** Everything that is to come for a subscription as it stands. */
const agenda = (subscription: Subscription): readonly Due[] => {
  const { collecting, cancelAt, resumeAt, nextCycleAt, open, status } = subscription;
  const due = (step: Step, at: Timestamp | null | undefined): readonly Due[] => (at ? [{ step, at }] : []);
  const isReleasing = subscription.releasing !== null || Boolean(subscription.releasingPage);
  // Before all else: a cycle may have only one charge at a time.
  const released = isReleasing ? due('release', subscription.createdAt) : [];
  if (isEnded(subscription)) return released;
  const isQuiet = (status === 'trialing' || status === 'paused') && open.length === 0;
  const runs = isRunning(subscription) && cancelAt === null;
  return [
    ...released,
    ...due('cancel', cancelAt),
    ...(status === 'incomplete' ? due('expire', subscription.expiresAt) : []),
    ...(isQuiet ? due('end', endAtOf(subscription)) : []),
    ...(status === 'paused' ? due('resume', resumeAt) : []),
    ...(subscription.livemode ? [] : due('settle', collecting?.settlesAt)),
    ...due('overdue', collecting?.payBy),
    ...due('give_up', collecting?.giveUpAt),
    ...due('attempt', collecting?.nextAt),
    ...(status === 'incomplete' && subscription.cycle === 0 ? due('activate', nextLookOf(subscription)) : []),
    ...(runs && !isComplete(subscription) ? due('begin', beginsAt(subscription)) : []),
    ...(runs && isComplete(subscription) && open.length === 0 ? due('complete', nextCycleAt) : []),
  ];
};

/** A cycle whose charge is handed in ahead begins some days before its period. */
const beginsAt = ({ chargesAhead, nextCycleAt, calendar }: Subscription): Timestamp => {
  if (!chargesAhead) return nextCycleAt;
  const { timeZone, hour } = calendar;
  return instantAt(dateOfDay(planningDay(dayOf(localDate(new Date(nextCycleAt), timeZone)))), hour, timeZone);
};

/** The older it is, the more rarely it is looked at. */
const nextLookOf = ({ createdAt, updatedAt }: Subscription): Timestamp => {
  const age = Date.parse(updatedAt) - Date.parse(createdAt);
  return laterBy(updatedAt, Math.max(FIRST_LOOK_MS, age / 2));
};

const endAtOf = ({ endDate, calendar }: Subscription): Timestamp | null =>
  endDate && instantAt(endDate, calendar.hour, calendar.timeZone);

/** Whether the last cycle has begun. */
export const isComplete = ({ cycle, voidCycles, maxCycles, endDate, calendar }: Subscription): boolean => {
  const isLastByNumber = maxCycles !== null && cycle - voidCycles >= maxCycles;
  const begins = startOf(calendar, cycle + 1);
  return isLastByNumber || (cycle > 0 && endDate !== null && begins >= endDate);
};

/** The next thing to do by then, null where there is none. */
export const nextStep = (subscription: Subscription, now: Date): Step | null => {
  const by = timestamp(now);
  const due = agenda(subscription).filter(({ at }) => at <= by);
  const [first] = due.sort(
    (one, other) => one.at.localeCompare(other.at) || STEPS.indexOf(one.step) - STEPS.indexOf(other.step),
  );
  return first?.step ?? null;
};

/** When something is to be done next, by the subscription's own clock; null where nothing is to come. */
export const nextAtOf = (subscription: Subscription): Timestamp | null =>
  agenda(subscription)
    .map(({ at }) => at)
    .sort()[0] ?? null;

const nextChargeAtOf = (subscription: Subscription): Timestamp | null => {
  if (isEnded(subscription)) return null;
  const charging: readonly Step[] = ['attempt', 'begin'];
  const waits = subscription.status === 'incomplete' && subscription.cycle === 0;
  if (waits) return subscription.nextCycleAt;
  return (
    agenda(subscription)
      .filter(({ step }) => charging.includes(step))
      .map(({ at }) => at)
      .sort()[0] ?? null
  );
};

/** The subscription with the times that follow from it. */
export const scheduled = (subscription: Subscription): Subscription => {
  const nextAt = nextAtOf(subscription);
  return {
    ...subscription,
    nextChargeAt: nextChargeAtOf(subscription),
    reconcileAt: nextAt && laterBy(nextAt, -subscription.offsetMs),
  };
};

/** Decides on a change; the times that follow from it are set anew. */
export const decide = (
  type: SubscriptionEvent,
  subscription: Subscription,
  now: Date,
  changes: Partial<Subscription>,
): Decision<Subscription, SubscriptionEvent> => {
  const { data } = changed(type, subscription, now, changes);
  const { pastDueReason, ...others } = data;
  const reason = pastDueReason && data.status === 'past_due' ? { pastDueReason } : {};
  return { type, data: scheduled({ ...others, ...reason }) };
};

type NewSubscription = Omit<
  Subscription,
  keyof typeof NOTHING_YET | 'expiresAt' | 'version' | 'createdAt' | 'updatedAt'
>;

const NOTHING_YET = {
  status: 'incomplete',
  nextPrice: null,
  cycle: 0,
  voidCycles: 0,
  open: [],
  collecting: null,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  nextChargeAt: null,
  activatedAt: null,
  cancelAt: null,
  cancelReason: null,
  resumeAt: null,
  pausedAt: null,
  endedAt: null,
  endReason: null,
  latestChargeId: null,
  latestAttempt: null,
  latePayments: [],
  releasing: null,
  chargedAt: [],
  offsetMs: 0,
  reconcileAt: null,
} as const satisfies Partial<Subscription>;

/** A new subscription: nothing has been charged yet. */
export const openSubscription = (
  facts: NewSubscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { type, data } = created<Subscription, SubscriptionEvent>('subscription.created', now, {
    ...NOTHING_YET,
    ...facts,
    // A payer's charge says itself when it expires, and so does a mandate.
    expiresAt: facts.collection === 'automatic' && !facts.chargesAhead ? laterBy(now, ACTIVATION_MS) : null,
  });
  return { type, data: scheduled(data) };
};

/** The method can be charged, or none is needed, and the first charge lies ahead. */
export const activate = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  decide('subscription.activated', subscription, now, {
    status: 'trialing',
    activatedAt: timestamp(now),
    expiresAt: null,
  });

/** The method is not active yet; it is looked at again. */
export const lookAgain = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  decide('subscription.waiting', subscription, now, {});

export const collectFrom = (cycle: number, nextAt: Timestamp): Collecting => ({
  cycle,
  nextAt,
  chargeId: null,
  payBy: null,
  giveUpAt: null,
  waitsFor: null,
  waits: 0,
  isExtra: false,
  hasNewMethod: false,
});

/** The first hour of collection on a local day so many days later. */
export const daysLater = ({ calendar }: Subscription, now: Date, days: number): Timestamp =>
  instantAt(addDays(localDate(now, calendar.timeZone), days), calendar.hour, calendar.timeZone);

/** The calendar from a cycle on at which the price changes; only another interval changes its days. */
const calendarFrom = (calendar: Calendar, number: number, { interval, intervalCount }: Price): Calendar => {
  if (calendar.interval === interval && calendar.intervalCount === intervalCount) return calendar;
  const date = startOf(calendar, number);
  const day = calendar.interval === 'week' ? Number(date.slice(8)) : calendar.day;
  return { ...calendar, interval, intervalCount, cycle: number, date, day };
};

/** A cycle falls due. It waits where an older one is open. */
export const begin = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> => {
  const { nextPrice, nextCycleAt, open, collecting } = subscription;
  const cycle = subscription.cycle + 1;
  const { planId, price } = nextPrice ?? subscription;
  const calendar = calendarFrom(subscription.calendar, cycle, price);
  const periodEnd = dueAt(calendar, cycle + 1);
  const beginning = subscription.chargesAhead ? timestamp(now) : nextCycleAt;
  return decide('subscription.cycle_begun', subscription, now, {
    planId,
    price,
    nextPrice: null,
    calendar,
    cycle,
    open: [...open, cycle],
    collecting: collecting ?? collectFrom(cycle, beginning),
    currentPeriodStart: nextCycleAt,
    currentPeriodEnd: periodEnd,
    nextCycleAt: periodEnd,
  });
};

/** Until when another attempt would be more than card networks take; null where one may be made. */
const restsUntil = ({ chargedAt }: Subscription, now: Date): Timestamp | null => {
  const oldest = recentOf(chargedAt, now).at(-ATTEMPTS_AT_MOST);
  return oldest ? laterBy(oldest, ATTEMPTS_WITHIN_MS) : null;
};

export const isAttemptedTooOften = (subscription: Subscription, now: Date): boolean =>
  restsUntil(subscription, now) !== null;

/** The card was charged as often as card networks take: the cycle waits, and nobody loses anything. */
export const letCardRest = (
  subscription: Subscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { collecting } = subscription;
  const waitsFor = 'CARD_ATTEMPTED_TOO_OFTEN';
  return decide('subscription.postponed', subscription, now, {
    collecting: collecting && { ...collecting, nextAt: restsUntil(subscription, now), waitsFor },
  });
};

const recentOf = (chargedAt: readonly Timestamp[], now: Date): readonly Timestamp[] => {
  const since = laterBy(now, -ATTEMPTS_WITHIN_MS);
  return chargedAt.filter((at) => at > since);
};

/**
 * Whether the attempt that was due when the subscription was seen is still to be made. The time is not looked at again:
 * a clock that is set back a little in between takes nothing back.
 */
export const isAttemptStillDue = (subscription: Subscription, seen: Subscription): boolean => {
  const { collecting } = subscription;
  if (isEnded(subscription) || collecting === null || collecting.nextAt === null) return false;
  return collecting.cycle === seen.collecting?.cycle && collecting.nextAt === seen.collecting.nextAt;
};

/** An attempt has begun: its charge, or the page on which the payer pays, exists from the same moment on. */
export const attempted = (
  subscription: Subscription,
  {
    chargeId,
    page,
    attempt,
    payBy,
    settlesAt,
  }: {
    readonly chargeId: ChargeId | null;
    readonly page: CyclePage | null;
    readonly attempt: number;
    readonly payBy: Timestamp | null;
    readonly settlesAt: Timestamp | null;
  },
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { collecting, collection, chargedAt, chargesAhead } = subscription;
  if (collecting === null) throw new Error(`${subscription.id} has nothing to collect`);
  const latestAttempt = {
    cycleNumber: collecting.cycle,
    chargeId,
    attempt,
    nextAttemptAt: null,
    ...(page && { checkoutUrl: page.url }),
  };
  return decide('subscription.attempted', subscription, now, {
    collecting: {
      ...collecting,
      nextAt: null,
      giveUpAt: null,
      chargeId,
      ...(page && { pageId: page.id }),
      payBy,
      ...(settlesAt && { settlesAt, plannedOn: null }),
      waitsFor: null,
      hasNewMethod: false,
    },
    latestChargeId: chargeId ?? subscription.latestChargeId,
    latestAttempt,
    chargedAt:
      collection === 'automatic' && !chargesAhead ? [...recentOf(chargedAt, now), timestamp(now)] : [],
  });
};

/** A fault of the gateway or its provider keeps a cycle from being charged: it waits, and nobody loses anything. */
export const postpone = (
  subscription: Subscription,
  waitsFor: string,
  now: Date,
  firstWaitMs = FIRST_WAIT_MS,
): Decision<Subscription, SubscriptionEvent> => {
  const { collecting } = subscription;
  if (collecting === null) throw new Error(`${subscription.id} has nothing to collect`);
  const waitMs = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** collecting.waits);
  const nextAt = laterBy(now, waitMs);
  return decide('subscription.postponed', subscription, now, {
    collecting: {
      ...collecting,
      nextAt,
      chargeId: null,
      payBy: null,
      ...(collecting.settlesAt && { settlesAt: null }),
      waitsFor,
      waits: collecting.waits + 1,
    },
  });
};

/**
 * The provider has let go of a charge that nobody is to pay any more, or it came to an outcome of its own; a page is
 * closed.
 */
export const released = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  decide('subscription.released', subscription, now, {
    releasing: null,
    ...(subscription.releasingPage && { releasingPage: null }),
  });

/** The day on which the payer's bank was to pay is over, and nobody says what became of it: it is looked at again. */
export const settleLater = (
  subscription: Subscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { collecting } = subscription;
  return decide('subscription.waiting', subscription, now, {
    collecting: collecting && { ...collecting, settlesAt: laterBy(now, DAY_MS) },
  });
};

/** The time to pay has passed and the provider does not say what became of the charge: it is asked again later. */
export const waitForPayer = (
  subscription: Subscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { collecting } = subscription;
  return decide('subscription.waiting', subscription, now, {
    collecting: collecting && { ...collecting, payBy: laterBy(now, FIRST_WAIT_MS) },
  });
};
