import { dateOfDay } from '../../../kernel/business-days.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { MINUTE_MS } from '../../../kernel/durations.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { ChargeId, CheckoutSessionId } from '../../../kernel/ids.ts';
import { isUntried, nextRetry, retryAskedAt, takeBack, WINDOW_MISSED, WITHDRAWN } from './ahead.ts';
import { type Attempt, type Cycle, failuresOf, withAttempt, withOutcome, withoutPage } from './cycle.ts';
import { exhaust, expire } from './lifecycle.ts';
import {
  type Collecting,
  collectFrom,
  daysLater,
  decide,
  isEnded,
  postpone,
  type Subscription,
  type SubscriptionEvent,
} from './subscription.ts';

/**
 * The consequences of an outcome: decisions on the subscription, each based on the result of the one before, and the
 * changed cycle.
 */
export type Followed = {
  readonly decisions: readonly Decision<Subscription, SubscriptionEvent>[];
  readonly cycle: Cycle;
};

type Outcome = Pick<Attempt, 'outcome' | 'reason'> & {
  /** Set where the provider has refused the charge, so that it never existed there. */
  readonly isRefused?: true;
};

/**
 * Reasons for which no bank accepts the same card later; in the words of the card networks and of the connectors
 * (Stripe: decline codes).
 */
const HOPELESS: ReadonlySet<string> = new Set([
  'account_closed',
  'card_unknown',
  'do_not_try_again',
  'expired_card',
  'incorrect_number',
  'invalid_account',
  'invalid_number',
  'lost_card',
  'mandate_cancelled',
  'mandate_expired',
  'payment_method_missing',
  'payment_method_not_active',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
]);

/** The reason of an attempt whose charge never reached the provider. */
const NEVER_ASKED = 'never_asked';

/** The outcome of an attempt that follows from its charge; null while the charge has none. */
export const outcomeOf = ({
  status,
  failureReason,
  instructions,
}: {
  readonly status: string;
  readonly failureReason: string | null;
  readonly instructions: unknown;
}): Outcome | null => {
  switch (status) {
    case 'paid':
      return { outcome: 'paid', reason: null };
    case 'refused':
      return { outcome: 'failed', reason: failureReason ?? 'refused', isRefused: true };
    case 'failed':
      // The charge was cancelled before the payer was told how to pay, because the process ended before it asked the
      // provider.
      if (failureReason === 'cancelled' && instructions === null)
        return { outcome: 'not_counted', reason: NEVER_ASKED };
      return failureReason === 'processing_error'
        ? { outcome: 'not_counted', reason: failureReason }
        : { outcome: 'failed', reason: failureReason ?? 'failed' };
    default:
      return null;
  }
};

/**
 * If the provider was never asked, nothing was refused, so the cycle waits for a minute and not for an hour.
 */
const postponed = (
  subscription: Subscription,
  reason: string,
  now: Date,
): Decision<Subscription, SubscriptionEvent> =>
  reason === NEVER_ASKED
    ? postpone(subscription, reason, now, MINUTE_MS)
    : postpone(subscription, reason, now);

/**
 * Whether an institution did not take the first charge of a cycle under a mandate. Nobody asks the payer's bank for it
 * then, so that it is handed in again while there is time, unless the mandate itself has ended.
 */
const isNotTaken = (subscription: Subscription, { plan }: Attempt, { isRefused, reason }: Outcome): boolean =>
  isRefused === true && plan?.retryOf === null && !HOPELESS.has(reason ?? '') && goesOn(subscription);

/** Applies the outcome of an attempt's charge; null if it is known already. */
export const followAttempt = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId,
  told: Outcome,
  now: Date,
): Followed | null => {
  const attempt = cycle.attempts.find((one) => one.chargeId === chargeId);
  const { isRefused: _, ...said } = told;
  const outcome: Outcome =
    attempt && isNotTaken(subscription, attempt, told) ? { ...said, outcome: 'not_counted' } : said;
  if (!attempt || attempt.outcome === 'paid' || attempt.outcome === outcome.outcome) return null;
  const isAwaited = !isEnded(subscription) && subscription.collecting?.chargeId === chargeId;
  // A charge that was withdrawn says nothing about the payer.
  const isWithdrawn = attempt.plan !== undefined && !isAwaited && outcome.reason === WITHDRAWN;
  if (isWithdrawn && attempt.outcome === 'failed') return null;
  const after = withOutcome(cycle, chargeId, isWithdrawn ? { ...outcome, outcome: 'not_counted' } : outcome);
  if (outcome.outcome === 'paid')
    return { decisions: [paid(subscription, cycle, attempt, now)], cycle: after };
  if (!isAwaited) return { decisions: [], cycle: after };
  if (outcome.outcome === 'not_counted')
    return { decisions: [postponed(subscription, outcome.reason ?? 'processing_error', now)], cycle: after };
  // A merchant who cancels a charge that is handed in wants no money for its cycle, and no end of the subscription.
  return attempt.plan !== undefined && outcome.reason === WITHDRAWN && goesOn(subscription)
    ? leaveOut(subscription, after, chargeId, WITHDRAWN, now)
    : failed(subscription, after, chargeId, outcome.reason, now);
};

/** Whether a cycle can be left out, with no other method that is to be tried for it. */
const goesOn = ({ status, collecting }: Subscription): boolean =>
  status !== 'incomplete' && !collecting?.isExtra && !collecting?.hasNewMethod;

/** Applies that nobody can pay on a page any more; null if no attempt waits for it. */
export const followPageEnd = (
  subscription: Subscription,
  cycle: Cycle,
  pageId: CheckoutSessionId,
  reason: string,
  now: Date,
): Followed | null => {
  const after = withoutPage(cycle, pageId, reason);
  if (after === null) return null;
  return isPageAwaited(subscription, pageId)
    ? failed(subscription, after, null, reason, now)
    : { decisions: [], cycle: after };
};

/** Whether a payment on the page would still count for the cycle that is being collected. */
export const isPageAwaited = (subscription: Subscription, pageId: CheckoutSessionId): boolean =>
  !isEnded(subscription) && subscription.collecting?.pageId === pageId;

/** An attempt that fails before a charge exists, for example because there is no payment method. */
export const failWithoutCharge = (
  subscription: Subscription,
  cycle: Cycle,
  reason: string,
  now: Date,
): Followed => {
  const attempt = { chargeId: null, at: timestamp(now), outcome: 'failed', reason, leftOut: [] } as const;
  return failed(subscription, withAttempt(cycle, attempt), null, reason, now);
};

/**
 * Nobody could hand the charge in in time. A cycle without any charge is given up, and its subscription goes on: that
 * is no fault of the payer's.
 */
export const missWindow = (subscription: Subscription, cycle: Cycle, now: Date): Followed => {
  const hasCharge = !isUntried(cycle) && cycle.attempts.some(({ chargeId }) => chargeId !== null);
  const followed = failWithoutCharge(subscription, cycle, WINDOW_MISSED, now);
  if (hasCharge || subscription.collecting?.isExtra) return followed;
  return leaveOut(subscription, followed.cycle, null, WINDOW_MISSED, now);
};

/** Gives a cycle up, and the subscription goes on with the next. */
const leaveOut = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId | null,
  reason: string,
  now: Date,
): Followed => {
  const open = subscription.open.filter((number) => number !== cycle.number);
  const latestAttempt = {
    cycleNumber: cycle.number,
    chargeId,
    attempt: numberOf(cycle, chargeId),
    nextAttemptAt: null,
  };
  const changes = {
    ...({ status: 'past_due', pastDueReason: reason, open, latestAttempt } as const),
    collecting: nextOf(subscription, open, now),
  };
  return { decisions: [decide('subscription.payment_failed', subscription, now, changes)], cycle };
};

const numberOf = ({ attempts }: Cycle, chargeId: ChargeId | null): number =>
  chargeId === null ? attempts.length : attempts.findIndex((one) => one.chargeId === chargeId) + 1;

const paid = (
  subscription: Subscription,
  cycle: Cycle,
  { chargeId, page }: Attempt,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const { status, collecting, latePayments } = subscription;
  if (chargeId === null) throw new Error(`nothing has paid ${cycle.id}`);
  const latestAttempt = {
    cycleNumber: cycle.number,
    chargeId,
    attempt: numberOf(cycle, chargeId),
    nextAttemptAt: null,
  };
  if (isEnded(subscription) || cycle.status === 'paid')
    return decide('subscription.paid_late', subscription, now, {
      latestAttempt,
      latePayments: [...latePayments, { cycleNumber: cycle.number, chargeId }],
    });
  const open = subscription.open.filter((number) => number !== cycle.number);
  const isOthers = collecting !== null && collecting.cycle !== cycle.number;
  const name = status === 'incomplete' ? 'subscription.activated' : 'subscription.renewed';
  const isBehind = status === 'past_due' && open.length > 0;
  const others = isOthers ? null : collecting;
  return decide(name, subscription, now, {
    ...takeBack(subscription, cycle),
    status: status === 'paused' ? 'paused' : isBehind ? 'past_due' : 'active',
    open,
    // The charge of a later attempt at the same cycle must no longer be paid.
    ...(others?.chargeId && others.chargeId !== chargeId && { releasing: others.chargeId }),
    ...(others?.pageId && others.pageId !== page?.id && { releasingPage: others.pageId }),
    ...(page && { latestChargeId: chargeId }),
    collecting: isOthers ? collecting : nextOf(subscription, open, now),
    activatedAt: subscription.activatedAt ?? timestamp(now),
    expiresAt: null,
    latestAttempt,
  });
};

/** The next open cycle is charged a day later, or at once under a mandate. */
const nextOf = (subscription: Subscription, open: readonly number[], now: Date): Collecting | null => {
  const [oldest] = open;
  // A charge that is handed in ahead of its day has no day to lose.
  const at = subscription.chargesAhead ? timestamp(now) : daysLater(subscription, now, 1);
  return oldest === undefined ? null : collectFrom(oldest, at);
};

const failed = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId | null,
  reason: string | null,
  now: Date,
): Followed => {
  const { collecting, status, collection } = subscription;
  if (collecting === null) throw new Error(`${subscription.id} has nothing to collect`);
  const tell = (changes: Partial<Subscription>): Decision<Subscription, SubscriptionEvent> => {
    const nextAttemptAt = changes.collecting?.nextAt ?? null;
    const latestAttempt = {
      cycleNumber: cycle.number,
      chargeId,
      attempt: numberOf(cycle, chargeId),
      nextAttemptAt,
    };
    return decide('subscription.payment_failed', subscription, now, {
      ...changes,
      pastDueReason: reason,
      latestAttempt,
    });
  };
  if (collecting.isExtra) {
    const open = subscription.open.filter((number) => number !== cycle.number);
    return { decisions: [tell({ open, collecting: nextOf(subscription, open, now) })], cycle };
  }
  const idle = {
    ...collecting,
    nextAt: null,
    chargeId: null,
    ...(collecting.pageId && { pageId: null }),
    payBy: null,
    ...(collecting.settlesAt && { settlesAt: null }),
    giveUpAt: null,
    waitsFor: null,
    waits: 0,
    hasNewMethod: false,
  };
  const atOnce = { ...idle, nextAt: timestamp(now) };
  if (status === 'incomplete') {
    const told = tell({ collecting: collecting.hasNewMethod ? atOnce : idle });
    return { decisions: collection === 'payer' ? [told, expire(told.data, now)] : [told], cycle };
  }
  if (collecting.hasNewMethod)
    return { decisions: [tell({ status: 'past_due', collecting: atOnce })], cycle };
  const remaining = subscription.retryDays.slice(failuresOf(cycle) - 1);
  const [days] = remaining;
  const isHopeless = reason !== null && HOPELESS.has(reason) && collection === 'automatic';
  const isAhead = subscription.chargesAhead === true && !isHopeless;
  const retry = days !== undefined && isAhead ? nextRetry(subscription, cycle, days, now) : null;
  if (days === undefined || (isAhead && retry === null)) {
    const told = tell({ status: 'past_due', collecting: idle });
    return { decisions: [told, exhaust(told.data, now)], cycle };
  }
  const inAll = remaining.reduce((total, each) => total + each, 0);
  const planned = isHopeless
    ? { giveUpAt: daysLater(subscription, now, inAll) }
    : retry !== null
      ? { nextAt: retryAskedAt(retry, subscription, now), plannedOn: dateOfDay(retry) }
      : { nextAt: daysLater(subscription, now, days) };
  return { decisions: [tell({ status: 'past_due', collecting: { ...idle, ...planned } })], cycle };
};
