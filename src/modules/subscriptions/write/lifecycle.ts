import type { Timestamp } from '../../../kernel/clock.ts';
import { timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { PaymentMethodId } from '../../../kernel/ids.ts';
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
  type Subscription,
} from './subscription.ts';

/** Nothing is collected any more: open cycles are given up, and nobody is to pay a charge that waits. */
const stopped = ({ collecting, releasing }: Subscription): Partial<Subscription> => ({
  open: [],
  collecting: null,
  releasing: collecting?.chargeId ?? releasing,
});

type End = Pick<Subscription, 'endReason'> & { readonly status: 'cancelled' | 'expired' };

const end = (subscription: Subscription, { status, endReason }: End, now: Date): Decision<Subscription> =>
  decide(`subscription.${status}`, subscription, now, {
    ...stopped(subscription),
    status,
    endReason,
    endedAt: timestamp(now),
    resumeAt: null,
  });

/** It has never been paid. */
export const expire = (subscription: Subscription, now: Date): Decision<Subscription> =>
  end(subscription, { status: 'expired', endReason: 'never_activated' }, now);

/** Its last cycle is over, or its end came before there was another one. */
export const complete = (subscription: Subscription, now: Date): Decision<Subscription> =>
  end(subscription, { status: 'expired', endReason: 'completed' }, now);

/** The cancellation takes effect. */
export const cancelNow = (subscription: Subscription, now: Date): Decision<Subscription> =>
  end(subscription, { status: 'cancelled', endReason: 'requested' }, now);

/** Nothing is left of the customer who agreed to pay. */
export const cancelForErasure = (subscription: Subscription, now: Date): Decision<Subscription> =>
  end(subscription, { status: 'cancelled', endReason: 'customer_erased' }, now);

const suspend = (subscription: Subscription, resumeAt: Timestamp | null, now: Date): Decision<Subscription> =>
  decide('subscription.paused', subscription, now, {
    ...stopped(subscription),
    status: 'paused',
    pausedAt: timestamp(now),
    resumeAt,
  });

/** Every attempt that the merchant wanted has failed. After the last cycle there is nothing to cancel or pause. */
export const exhaust = (subscription: Subscription, now: Date): Decision<Subscription> => {
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
): Decision<Subscription> => {
  assertNotEnded(subscription);
  const { status } = subscription;
  if (status === 'incomplete' || status === 'paused')
    throw subscriptionTransitionNotAllowed(status, 'paused');
  return suspend(subscription, resumeAt, now);
};

/**
 * Goes on at the next date of the same calendar; cycles that would have begun in the pause are left out. 422
 * SUBSCRIPTION_ENDED, TRANSITION_NOT_ALLOWED where it is not paused.
 */
export const resume = (subscription: Subscription, now: Date): Decision<Subscription> => {
  assertNotEnded(subscription);
  const { status, calendar, cycle, voidCycles, trialEnd } = subscription;
  if (status !== 'paused') throw subscriptionTransitionNotAllowed(status, 'resumed');
  const next = firstDueAfter(calendar, cycle + 1, timestamp(now));
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

/** At once, or when the period that is paid for is over. 422 SUBSCRIPTION_ENDED. */
export const cancel = (
  subscription: Subscription,
  when: 'now' | 'period_end',
  reason: string | null,
  now: Date,
): Decision<Subscription> => {
  assertNotEnded(subscription);
  const { status, cycle, trialEnd, nextCycleAt, currentPeriodEnd } = subscription;
  if (when === 'now' || status === 'incomplete' || status === 'paused') {
    const { type, data } = cancelNow(subscription, now);
    return { type, data: { ...data, cancelReason: reason } };
  }
  const isTrial = cycle === 0 && trialEnd !== null && trialEnd > timestamp(now);
  const cancelAt = isTrial ? trialEnd : (currentPeriodEnd ?? nextCycleAt);
  return decide('subscription.cancellation_planned', subscription, now, { cancelAt, cancelReason: reason });
};

/** 422 SUBSCRIPTION_ENDED, TRANSITION_NOT_ALLOWED where no cancellation is planned. */
export const undoCancel = (subscription: Subscription, now: Date): Decision<Subscription> => {
  assertNotEnded(subscription);
  if (subscription.cancelAt === null)
    throw subscriptionTransitionNotAllowed(subscription.status, 'kept, as no cancellation is planned');
  return decide('subscription.cancellation_withdrawn', subscription, now, {
    cancelAt: null,
    cancelReason: null,
  });
};

/** Another method counts at once, and what is open is attempted with it once. Each card has attempts of its own. */
export const changeMethod = (
  subscription: Subscription,
  paymentMethodId: PaymentMethodId,
  now: Date,
): Partial<Subscription> => {
  const isSame = paymentMethodId === subscription.paymentMethodId;
  return {
    paymentMethodId,
    collecting: subscription.collecting && withMethod(subscription.collecting, !isSame, now),
    chargedAt: isSame ? subscription.chargedAt : [],
  };
};

const withMethod = (collecting: Collecting, hasNewMethod: boolean, now: Date): Collecting =>
  collecting.chargeId === null
    ? { ...collecting, nextAt: timestamp(now), giveUpAt: null, waitsFor: null }
    : { ...collecting, hasNewMethod: hasNewMethod || collecting.hasNewMethod };

/**
 * One attempt at once for a cycle that is open or was given up. A cycle that was given up is tried without consequences
 * for the subscription. 422 SUBSCRIPTION_ENDED, CYCLE_NOT_OPEN, ATTEMPT_IN_PROGRESS.
 */
export const retry = (subscription: Subscription, cycle: Cycle, now: Date): Decision<Subscription> => {
  assertNotEnded(subscription);
  if (cycle.status === 'paid') throw cycleNotOpen();
  const { collecting, open } = subscription;
  const waits = cycle.attempts.some(({ outcome }) => outcome === 'pending');
  if (waits || (collecting !== null && collecting.chargeId !== null)) throw attemptInProgress();
  const isExtra = !open.includes(cycle.number);
  return decide('subscription.retried', subscription, now, {
    open: [...new Set([...open, cycle.number])].sort((one, other) => one - other),
    collecting: { ...collectFrom(cycle.number, timestamp(now)), isExtra },
  });
};
