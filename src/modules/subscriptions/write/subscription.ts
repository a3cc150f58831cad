import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type {
  ChargeId,
  CustomerId,
  MerchantId,
  PaymentMethodId,
  PlanId,
  SubscriptionId,
} from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import { addDays, type Calendar, dueAt, instantAt, localDate, startOf } from './calendar.ts';
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
export const PAYER_METHODS = ['pix', 'voucher'] as const;
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
  /** When the next attempt is made; null while one waits for its outcome, and where no other is to come. */
  readonly nextAt: Timestamp | null;
  /** The charge that waits for its outcome. */
  readonly chargeId: ChargeId | null;
  /** Until when a payer can pay that charge; null for a card. */
  readonly payBy: Timestamp | null;
  /** When the cycle is given up although no further attempt is made, because the card will never be accepted. */
  readonly giveUpAt: Timestamp | null;
  /** Why it waits although it is due, such as a provider that is not configured; null where it does not. */
  readonly waitsFor: string | null;
  /** How often it has waited so without an attempt that counts. */
  readonly waits: number;
  /** Set where a cycle that was given up is tried once more, which has no consequence for the subscription. */
  readonly isExtra: boolean;
  /** Set where another method was given while an attempt waits for its outcome: should it fail, that one is tried at once. */
  readonly hasNewMethod: boolean;
};

/** The attempt that the latest event is about. */
type LatestAttempt = {
  readonly cycleNumber: number;
  readonly chargeId: ChargeId | null;
  readonly attempt: number;
  readonly nextAttemptAt: Timestamp | null;
};

/** Money that came for a cycle after the subscription had ended. */
export type LatePayment = { readonly cycleNumber: number; readonly chargeId: ChargeId };

/** A customer's agreement to pay a price again and again. */
export type Subscription = MerchantRecord & {
  readonly id: SubscriptionId;
  /** Master of the merchant when it was made. */
  readonly masterId: MerchantId | null;
  readonly status: SubscriptionStatus;
  readonly customerId: CustomerId;
  readonly planId: PlanId | null;
  readonly price: Price;
  /** Counts from the next cycle on; null where nothing is to change. */
  readonly nextPrice: { readonly planId: PlanId | null; readonly price: Price } | null;
  readonly collection: (typeof COLLECTIONS)[number];
  readonly paymentMethodId: PaymentMethodId | null;
  readonly payerMethod: (typeof PAYER_METHODS)[number] | null;
  readonly payerDays: number;
  readonly calendar: Calendar;
  /** Cycles that are to be paid; those that a pause leaves out do not count. */
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
  /** Cycles that have begun and are neither paid nor given up, oldest first. */
  readonly open: readonly number[];
  readonly collecting: Collecting | null;
  readonly currentPeriodStart: Timestamp | null;
  readonly currentPeriodEnd: Timestamp | null;
  /** When the next cycle begins. */
  readonly nextCycleAt: Timestamp;
  readonly nextChargeAt: Timestamp | null;
  readonly trialEnd: Timestamp | null;
  /** When it became more than a wish: its first charge was paid or planned. */
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
  /** A charge that nobody is to pay any more, and that the provider still has to let go. */
  readonly releasing: ChargeId | null;
  /** When the payment method was charged last, oldest first: card networks bound how often that may be. */
  readonly chargedAt: readonly Timestamp[];
  /** How far its clock is ahead, in milliseconds; above zero in the test environment only. */
  readonly offsetMs: number;
  /** When something is to be done, by the clock of the machine; null where nothing is to come. */
  readonly reconcileAt: Timestamp | null;
};

export const SUBSCRIPTIONS: Store<Subscription> = store('subscriptions', 'subscription', {
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
  const released = subscription.releasing === null ? [] : due('release', subscription.updatedAt);
  if (isEnded(subscription)) return released;
  const isQuiet = (status === 'trialing' || status === 'paused') && open.length === 0;
  const runs = isRunning(subscription) && cancelAt === null;
  return [
    ...released,
    ...due('cancel', cancelAt),
    ...(status === 'incomplete' ? due('expire', subscription.expiresAt) : []),
    ...(isQuiet ? due('end', endAtOf(subscription)) : []),
    ...(status === 'paused' ? due('resume', resumeAt) : []),
    ...due('overdue', collecting?.payBy),
    ...due('give_up', collecting?.giveUpAt),
    ...due('attempt', collecting?.nextAt),
    ...(status === 'incomplete' && subscription.cycle === 0 ? due('activate', nextLookOf(subscription)) : []),
    ...(runs && !isComplete(subscription) ? due('begin', nextCycleAt) : []),
    ...(runs && isComplete(subscription) && open.length === 0 ? due('complete', nextCycleAt) : []),
  ];
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
  type: string,
  subscription: Subscription,
  now: Date,
  changes: Partial<Subscription>,
): Decision<Subscription> => {
  const { data } = changed(type, subscription, now, changes);
  return { type, data: scheduled(data) };
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
export const openSubscription = (facts: NewSubscription, now: Date): Decision<Subscription> => {
  const { type, data } = created<Subscription>('subscription.created', now, {
    ...NOTHING_YET,
    ...facts,
    // A payer's charge says itself when it expires.
    expiresAt: facts.collection === 'automatic' ? laterBy(now, ACTIVATION_MS) : null,
  });
  return { type, data: scheduled(data) };
};

/** The method can be charged, or none is needed, and the first charge lies ahead. */
export const activate = (subscription: Subscription, now: Date): Decision<Subscription> =>
  decide('subscription.activated', subscription, now, {
    status: 'trialing',
    activatedAt: timestamp(now),
    expiresAt: null,
  });

/** The method is not active yet; it is looked at again. */
export const lookAgain = (subscription: Subscription, now: Date): Decision<Subscription> =>
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
export const begin = (subscription: Subscription, now: Date): Decision<Subscription> => {
  const { nextPrice, nextCycleAt, open, collecting } = subscription;
  const cycle = subscription.cycle + 1;
  const { planId, price } = nextPrice ?? subscription;
  const calendar = calendarFrom(subscription.calendar, cycle, price);
  const periodEnd = dueAt(calendar, cycle + 1);
  return decide('subscription.cycle_begun', subscription, now, {
    planId,
    price,
    nextPrice: null,
    calendar,
    cycle,
    open: [...open, cycle],
    collecting: collecting ?? collectFrom(cycle, nextCycleAt),
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
export const letCardRest = (subscription: Subscription, now: Date): Decision<Subscription> => {
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
 * Whether the attempt that was due when the subscription was seen is still to be made. The time is not looked at again: a
 * clock that is set back a little in between takes nothing back.
 */
export const isAttemptStillDue = (subscription: Subscription, seen: Subscription): boolean => {
  const { collecting } = subscription;
  if (isEnded(subscription) || collecting === null || collecting.nextAt === null) return false;
  return collecting.cycle === seen.collecting?.cycle && collecting.nextAt === seen.collecting.nextAt;
};

/** An attempt has begun: its charge exists from the same moment on. */
export const attempted = (
  subscription: Subscription,
  {
    chargeId,
    attempt,
    payBy,
  }: { readonly chargeId: ChargeId; readonly attempt: number; readonly payBy: Timestamp | null },
  now: Date,
): Decision<Subscription> => {
  const { collecting, collection, chargedAt } = subscription;
  if (collecting === null) throw new Error(`${subscription.id} has nothing to collect`);
  const latestAttempt = { cycleNumber: collecting.cycle, chargeId, attempt, nextAttemptAt: null };
  return decide('subscription.attempted', subscription, now, {
    collecting: {
      ...collecting,
      nextAt: null,
      giveUpAt: null,
      chargeId,
      payBy,
      waitsFor: null,
      hasNewMethod: false,
    },
    latestChargeId: chargeId,
    latestAttempt,
    chargedAt: collection === 'automatic' ? [...recentOf(chargedAt, now), timestamp(now)] : [],
  });
};

/** A fault of the gateway or its provider keeps a cycle from being charged: it waits, and nobody loses anything. */
export const postpone = (
  subscription: Subscription,
  waitsFor: string,
  now: Date,
  firstWaitMs = FIRST_WAIT_MS,
): Decision<Subscription> => {
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
      waitsFor,
      waits: collecting.waits + 1,
    },
  });
};

/** The provider has let go of a charge that nobody is to pay any more, or it came to an outcome of its own. */
export const released = (subscription: Subscription, now: Date): Decision<Subscription> =>
  decide('subscription.released', subscription, now, { releasing: null });

/** The time to pay has passed and the provider does not say what became of the charge: it is asked again later. */
export const waitForPayer = (subscription: Subscription, now: Date): Decision<Subscription> => {
  const { collecting } = subscription;
  return decide('subscription.waiting', subscription, now, {
    collecting: collecting && { ...collecting, payBy: laterBy(now, FIRST_WAIT_MS) },
  });
};
