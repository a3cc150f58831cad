import type { Timestamp } from '../../../kernel/clock.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import type { Decision } from '../../../kernel/event.ts';
import { allowsRetryDays, LEAST_DAYS_AHEAD, usualRetryDays } from '../../providers/pix/mandate-terms.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { withdrawCycle } from './ahead.ts';
import { dueAt, firstDueAfter } from './calendar.ts';
import type { Cycle } from './cycle.ts';
import {
  attemptInProgress,
  cycleNotOpen,
  subscriptionEnded,
  subscriptionTransitionNotAllowed,
} from './refusals.ts';
import {
  type Collecting,
  collectFrom,
  decide,
  isComplete,
  isEnded,
  laterBy,
  type Subscription,
  type SubscriptionEvent,
} from './subscription.ts';

/** Ends all collecting: open cycles are given up, and a charge that waits is to be cancelled. */
const stopped = ({ collecting, releasing }: Subscription): Partial<Subscription> => ({
  open: [],
  collecting: null,
  releasing: collecting?.chargeId ?? releasing,
  ...(collecting?.pageId && { releasingPage: collecting.pageId }),
});

type End = Pick<Subscription, 'endReason'> & { readonly status: 'cancelled' | 'expired' };

const end = (
  subscription: Subscription,
  { status, endReason }: End,
  now: Date,
): Decision<Subscription, SubscriptionEvent> =>
  decide(`subscription.${status}`, subscription, now, {
    ...stopped(subscription),
    status,
    endReason,
    endedAt: timestamp(now),
    resumeAt: null,
  });

/** Ends a subscription that was never paid. */
export const expire = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  end(subscription, { status: 'expired', endReason: 'never_activated' }, now);

/** The last cycle is over, or the end date came before another cycle. */
export const complete = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  end(subscription, { status: 'expired', endReason: 'completed' }, now);

/** A planned cancellation takes effect. */
export const cancelNow = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> =>
  end(subscription, { status: 'cancelled', endReason: 'requested' }, now);

/** The customer was erased, so nobody is left who agreed to pay. */
export const cancelForErasure = (
  subscription: Subscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> =>
  end(subscription, { status: 'cancelled', endReason: 'customer_erased' }, now);

const suspend = (
  subscription: Subscription,
  resumeAt: Timestamp | null,
  now: Date,
): Decision<Subscription, SubscriptionEvent> =>
  decide('subscription.paused', subscription, now, {
    ...stopped(subscription),
    status: 'paused',
    pausedAt: timestamp(now),
    resumeAt,
  });

/** Every attempt that the merchant wanted has failed. After the last cycle there is nothing to cancel or pause. */
export const exhaust = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> => {
  if (isComplete(subscription) && subscription.nextCycleAt <= timestamp(now))
    return complete(subscription, now);
  return subscription.onExhausted === 'pause'
    ? suspend(subscription, null, now)
    : end(subscription, { status: 'cancelled', endReason: 'payment_failed' }, now);
};

/** 422 SUBSCRIPTION_ENDED. */
export const assertNotEnded = (subscription: Subscription): void => {
  if (isEnded(subscription)) throw subscriptionEnded();
};

/** 422 SUBSCRIPTION_ENDED, and TRANSITION_NOT_ALLOWED before it was activated and while it is paused already. */
export const pause = (
  subscription: Subscription,
  resumeAt: Timestamp | null,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  assertNotEnded(subscription);
  const { status } = subscription;
  if (status === 'incomplete' || status === 'paused')
    throw subscriptionTransitionNotAllowed(status, 'paused');
  return suspend({ ...subscription, ...withdrawCycle(subscription, now) }, resumeAt, now);
};

/**
 * Resumes at the next date of the same calendar; cycles that would have begun during the pause are left out. 422
 * SUBSCRIPTION_ENDED, TRANSITION_NOT_ALLOWED if it is not paused.
 */
export const resume = (subscription: Subscription, now: Date): Decision<Subscription, SubscriptionEvent> => {
  assertNotEnded(subscription);
  const { status, calendar, cycle, voidCycles, trialEnd } = subscription;
  if (status !== 'paused') throw subscriptionTransitionNotAllowed(status, 'resumed');
  const daysAhead = subscription.chargesAhead ? LEAST_DAYS_AHEAD : 0;
  const next = firstDueAfter(calendar, cycle + 1, laterBy(now, daysAhead * DAY_MS));
  const leftOut = next - 1 - cycle;
  const nextCycleAt = dueAt(calendar, next);
  const period =
    leftOut > 0 ? { currentPeriodStart: dueAt(calendar, next - 1), currentPeriodEnd: nextCycleAt } : {};
  const isTrial = cycle === 0 && trialEnd !== null && trialEnd > timestamp(now);
  return decide('subscription.activated', subscription, now, {
    ...period,
    status: isTrial ? 'trialing' : 'active',
    cycle: next - 1,
    voidCycles: voidCycles + leftOut,
    nextCycleAt,
    pausedAt: null,
    resumeAt: null,
  });
};

/** Cancels at once, or plans to when the paid period is over. 422 SUBSCRIPTION_ENDED. */
export const cancel = (
  subscription: Subscription,
  when: 'now' | 'period_end',
  reason: string | null,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  assertNotEnded(subscription);
  const { status } = subscription;
  if (when === 'now' || status === 'incomplete' || status === 'paused') {
    const { type, data } = cancelNow(subscription, now);
    return { type, data: { ...data, cancelReason: reason } };
  }
  const withdrawn = withdrawCycle(subscription, now);
  const { cycle, trialEnd, nextCycleAt, currentPeriodEnd } = { ...subscription, ...withdrawn };
  const isTrial = cycle === 0 && trialEnd !== null && trialEnd > timestamp(now);
  const cancelAt = isTrial ? trialEnd : (currentPeriodEnd ?? nextCycleAt);
  return decide('subscription.cancellation_planned', subscription, now, {
    ...withdrawn,
    cancelAt,
    cancelReason: reason,
  });
};

/** Takes a planned cancellation back. 422 SUBSCRIPTION_ENDED, TRANSITION_NOT_ALLOWED if none is planned. */
export const undoCancel = (
  subscription: Subscription,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  assertNotEnded(subscription);
  if (subscription.cancelAt === null)
    throw subscriptionTransitionNotAllowed(subscription.status, 'kept, as no cancellation is planned');
  return decide('subscription.cancellation_withdrawn', subscription, now, {
    cancelAt: null,
    cancelReason: null,
  });
};

/**
 * Sets another payment method, which counts at once. An open cycle is attempted with it once, and each card has its own
 * count of attempts.
 */
export const changeMethod = (
  subscription: Subscription,
  { id: paymentMethodId, mandate }: Pick<StoredMethod, 'id' | 'mandate'>,
  now: Date,
): Partial<Subscription> => {
  const { status, open, retryDays } = subscription;
  const isSame = paymentMethodId === subscription.paymentMethodId;
  return {
    paymentMethodId,
    collecting: subscription.collecting && withMethod(subscription.collecting, !isSame, now),
    chargedAt: isSame ? subscription.chargedAt : [],
    // Nothing is owed where the mandate before has ended between two cycles.
    status: status === 'past_due' && open.length === 0 ? 'active' : status,
    chargesAhead: mandate !== undefined,
    ...(mandate && { mandateRetries: mandate.retries }),
    ...(mandate && !allowsRetryDays(mandate, retryDays) && { retryDays: usualRetryDays(mandate) }),
  };
};

const withMethod = (collecting: Collecting, hasNewMethod: boolean, now: Date): Collecting =>
  collecting.chargeId === null
    ? { ...collecting, nextAt: timestamp(now), giveUpAt: null, waitsFor: null, plannedOn: null }
    : { ...collecting, hasNewMethod: hasNewMethod || collecting.hasNewMethod };

/**
 * Makes one attempt at once for a cycle that is open or was given up. If it was given up, the outcome does not change
 * the status of the subscription. 422 SUBSCRIPTION_ENDED, CYCLE_NOT_OPEN, ATTEMPT_IN_PROGRESS.
 */
export const retry = (
  subscription: Subscription,
  cycle: Cycle,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  assertNotEnded(subscription);
  if (cycle.status === 'paid') throw cycleNotOpen();
  const { collecting, open } = subscription;
  const waits = cycle.attempts.some(({ outcome }) => outcome === 'pending');
  if (waits || collecting?.chargeId || collecting?.pageId) throw attemptInProgress();
  const isExtra = !open.includes(cycle.number);
  return decide('subscription.retried', subscription, now, {
    open: [...new Set([...open, cycle.number])].sort((one, other) => one - other),
    collecting: { ...collectFrom(cycle.number, timestamp(now)), isExtra },
  });
};
