import { timestamp } from '../../../kernel/clock.ts';
import { MINUTE_MS } from '../../../kernel/durations.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import { type Attempt, type Cycle, failuresOf, withAttempt, withOutcome } from './cycle.ts';
import { exhaust, expire } from './lifecycle.ts';
import {
  type Collecting,
  collectFrom,
  daysLater,
  decide,
  isEnded,
  postpone,
  type Subscription,
} from './subscription.ts';

/** Consequences of an outcome: decisions on the subscription, each on the result of the one before, and its cycle. */
export type Followed = { readonly decisions: readonly Decision<Subscription>[]; readonly cycle: Cycle };

type Outcome = Pick<Attempt, 'outcome' | 'reason'>;

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

/** The outcome of a charge as that of its attempt; null while it has none. */
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
      return { outcome: 'failed', reason: failureReason ?? 'refused' };
    case 'failed':
      // Cancelled before anybody was told how to pay: the process ended before it had asked the provider.
      if (failureReason === 'cancelled' && instructions === null)
        return { outcome: 'not_counted', reason: NEVER_ASKED };
      return failureReason === 'processing_error'
        ? { outcome: 'not_counted', reason: failureReason }
        : { outcome: 'failed', reason: failureReason ?? 'failed' };
    default:
      return null;
  }
};

/** A provider that was never asked refuses nothing, so that the cycle waits for a minute and not for an hour. */
const postponed = (subscription: Subscription, reason: string, now: Date): Decision<Subscription> =>
  reason === NEVER_ASKED
    ? postpone(subscription, reason, now, MINUTE_MS)
    : postpone(subscription, reason, now);

/** Takes over the outcome of an attempt's charge; null where it is known already. */
export const followAttempt = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId,
  outcome: Outcome,
  now: Date,
): Followed | null => {
  const attempt = cycle.attempts.find((one) => one.chargeId === chargeId);
  if (!attempt || attempt.outcome === 'paid' || attempt.outcome === outcome.outcome) return null;
  const after = withOutcome(cycle, chargeId, outcome);
  if (outcome.outcome === 'paid')
    return { decisions: [paid(subscription, cycle, chargeId, now)], cycle: after };
  const isAwaited = !isEnded(subscription) && subscription.collecting?.chargeId === chargeId;
  if (!isAwaited) return { decisions: [], cycle: after };
  if (outcome.outcome === 'not_counted')
    return { decisions: [postponed(subscription, outcome.reason ?? 'processing_error', now)], cycle: after };
  return failed(subscription, after, chargeId, outcome.reason, now);
};

/** An attempt that fails before there is a charge, such as without a payment method. */
export const failWithoutCharge = (
  subscription: Subscription,
  cycle: Cycle,
  reason: string,
  now: Date,
): Followed => {
  const attempt = { chargeId: null, at: timestamp(now), outcome: 'failed', reason, leftOut: [] } as const;
  return failed(subscription, withAttempt(cycle, attempt), null, reason, now);
};

const numberOf = ({ attempts }: Cycle, chargeId: ChargeId | null): number =>
  chargeId === null ? attempts.length : attempts.findIndex((one) => one.chargeId === chargeId) + 1;

const paid = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId,
  now: Date,
): Decision<Subscription> => {
  const { status, collecting, latePayments } = subscription;
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
  return decide(name, subscription, now, {
    status: status === 'paused' ? 'paused' : isBehind ? 'past_due' : 'active',
    open,
    collecting: isOthers ? collecting : nextOf(subscription, open, now),
    activatedAt: subscription.activatedAt ?? timestamp(now),
    expiresAt: null,
    latestAttempt,
  });
};

/** The next open cycle is charged a day later. */
const nextOf = (subscription: Subscription, open: readonly number[], now: Date): Collecting | null => {
  const [oldest] = open;
  return oldest === undefined ? null : collectFrom(oldest, daysLater(subscription, now, 1));
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
  const tell = (changes: Partial<Subscription>): Decision<Subscription> => {
    const nextAttemptAt = changes.collecting?.nextAt ?? null;
    const latestAttempt = {
      cycleNumber: cycle.number,
      chargeId,
      attempt: numberOf(cycle, chargeId),
      nextAttemptAt,
    };
    return decide('subscription.payment_failed', subscription, now, { ...changes, latestAttempt });
  };
  if (collecting.isExtra) {
    const open = subscription.open.filter((number) => number !== cycle.number);
    return { decisions: [tell({ open, collecting: nextOf(subscription, open, now) })], cycle };
  }
  const idle = {
    ...collecting,
    nextAt: null,
    chargeId: null,
    payBy: null,
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
  if (days === undefined) {
    const told = tell({ status: 'past_due', collecting: idle });
    return { decisions: [told, exhaust(told.data, now)], cycle };
  }
  const isHopeless = reason !== null && HOPELESS.has(reason) && collection === 'automatic';
  const inAll = remaining.reduce((total, each) => total + each, 0);
  const planned = isHopeless
    ? { giveUpAt: daysLater(subscription, now, inAll) }
    : { nextAt: daysLater(subscription, now, days) };
  return { decisions: [tell({ status: 'past_due', collecting: { ...idle, ...planned } })], cycle };
};
