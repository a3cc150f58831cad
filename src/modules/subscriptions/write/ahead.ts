import { type Day, dateOfDay, dayOf } from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { ChargeId, PaymentMethodId } from '../../../kernel/ids.ts';
import { pixDayOf } from '../../providers/pix/due-terms.ts';
import {
  allowsAmount,
  DAYS_TO_START,
  isCutOff,
  isSameInterval,
  isWindowMissed,
  LEAST_DAYS_AHEAD,
  type MandateTerms,
  retriesEnd,
  retryDay,
  settlementDay,
} from '../../providers/pix/mandate-terms.ts';
import { intervalNotSupported } from '../../stored-methods/write/refusals.ts';
import { dueAt, instantAt, localDate } from './calendar.ts';
import type { Attempt, ChargePlan, Cycle } from './cycle.ts';
import type { Price } from './plan.ts';
import { mandateAmountFixed, mandateAmountTooLow } from './refusals.ts';
import { collectFrom, decide, isEnded, type Subscription, type SubscriptionEvent } from './subscription.ts';

/**
 * Rules for subscriptions whose charges are handed in ahead of their day, because the payer's bank pays them by itself
 * under a mandate of Pix Automático. A cycle begins some days before its period.
 */

/** The reason of an attempt that could not be handed in in time. */
export const WINDOW_MISSED = 'charge_window_missed';
/** The reason of a charge that was withdrawn: the cycle has no charge any more. */
export const WITHDRAWN = 'cancelled';

const dayAt = (at: Timestamp, { timeZone }: Subscription['calendar']): Day =>
  dayOf(localDate(new Date(at), timeZone));

type PlannedAttempt = Attempt & { readonly plan: ChargePlan; readonly chargeId: ChargeId };

/** The attempts of a cycle that count under a mandate, the first one before its retries. */
const plannedAttempts = ({ attempts }: Pick<Cycle, 'attempts'>, mandate: PaymentMethodId | null) =>
  attempts.filter(
    (attempt): attempt is PlannedAttempt =>
      attempt.plan?.mandate === mandate &&
      attempt.chargeId !== null &&
      attempt.outcome !== 'not_counted' &&
      attempt.reason !== WITHDRAWN,
  );

/** Whether a charge of the cycle is handed in, or has paid it: another one could collect the money twice. */
const isHandedIn = ({ attempts }: Pick<Cycle, 'attempts'>): boolean =>
  attempts.some(({ plan, outcome }) => plan !== undefined && (outcome === 'pending' || outcome === 'paid'));

/** Whether nothing was tried for the cycle, except for charges that no institution has taken. */
export const isUntried = ({ attempts }: Pick<Cycle, 'attempts'>): boolean =>
  attempts.every(({ plan, outcome }) => plan !== undefined && outcome === 'not_counted');

/** Days of the attempts so far; null where there is none. */
const daysOf = (attempts: readonly PlannedAttempt[]): readonly [Day, ...Day[]] | null => {
  const [first, ...others] = attempts.map(({ plan }) => dayOf(plan.on));
  return first === undefined ? null : [first, ...others];
};

/** The day of the next retry of a cycle; null where its mandate allows no other one. */
export const nextRetry = (
  { paymentMethodId, mandateRetries, calendar }: Subscription,
  cycle: Cycle,
  days: number,
  now: Date,
): Day | null => {
  if (mandateRetries === 'none' || isHandedIn(cycle)) return null;
  const earlier = daysOf(plannedAttempts(cycle, paymentMethodId));
  if (earlier === null) return null;
  const untilTomorrow = pixDayOf(now) + 1 - Math.max(...earlier);
  return retryDay(earlier, Math.max(days, untilTomorrow), retriesEnd(dayAt(cycle.periodEnd, calendar)));
};

/** When a retry is asked for: at the hour of collection on the day before. */
export const retryAskedAt = (day: Day, { calendar }: Subscription, now: Date): Timestamp => {
  const at = instantAt(dateOfDay(day - 1), calendar.hour, calendar.timeZone);
  return at > timestamp(now) ? at : timestamp(now);
};

/**
 * How the attempt that is due is to be made; null where it is too late for it, or an earlier one may still pay. A cycle
 * that was attempted otherwise before gets a day of its own.
 */
export const planOf = (subscription: Subscription, cycle: Cycle, now: Date): ChargePlan | null => {
  const { paymentMethodId: mandate, collecting, calendar } = subscription;
  if (mandate === null) throw new Error(`${subscription.id} has no mandate`);
  if (isHandedIn(cycle)) return null;
  const [first] = plannedAttempts(cycle, mandate);
  if (first) {
    const planned = collecting?.plannedOn ?? null;
    const day = planned === null ? nextRetry(subscription, cycle, 1, now) : dayOf(planned);
    if (day === null || isCutOff(day, now)) return null;
    return { mandate, dueDate: first.plan.dueDate, on: dateOfDay(day), retryOf: first.chargeId };
  }
  const due = dayAt(cycle.dueAt, calendar);
  const isMissed = isWindowMissed(due, now);
  if (isMissed && isUntried(cycle)) return null;
  const day = isMissed ? pixDayOf(now) + DAYS_TO_START : due;
  return { mandate, dueDate: dateOfDay(day), on: dateOfDay(settlementDay(day)), retryOf: null };
};

/** When the bank of the payer has paid, or not: at the hour of collection on the day of the plan. */
export const settlesAtOf = ({ on }: ChargePlan, { calendar }: Subscription): Timestamp =>
  instantAt(on, calendar.hour, calendar.timeZone);

/** The day of a cycle that has begun and whose period lies ahead; null where there is none. */
const dayAhead = (subscription: Subscription, now: Date): Day | null => {
  const { chargesAhead, cycle, open, currentPeriodStart, calendar } = subscription;
  const isAhead =
    chargesAhead === true &&
    open.includes(cycle) &&
    currentPeriodStart !== null &&
    currentPeriodStart > timestamp(now);
  return isAhead ? dayAt(currentPeriodStart, calendar) : null;
};

/**
 * The subscription from before its latest cycle, whose charge is withdrawn; nothing where no cycle lies ahead or its
 * charge cannot be withdrawn any more. The cycle begins anew where it is still to come.
 */
export const withdrawCycle = (subscription: Subscription, now: Date): Partial<Subscription> => {
  const { cycle, open, calendar, collecting, currentPeriodStart } = subscription;
  const due = dayAhead(subscription, now);
  if (due === null || currentPeriodStart === null || isCutOff(settlementDay(due), now)) return {};
  const isCollected = collecting?.cycle === cycle;
  return {
    cycle: cycle - 1,
    withdrawnCycle: cycle,
    open: open.filter((number) => number !== cycle),
    nextCycleAt: currentPeriodStart,
    currentPeriodStart: cycle === 1 ? null : dueAt(calendar, cycle - 1),
    currentPeriodEnd: cycle === 1 ? null : currentPeriodStart,
    ...(isCollected && { collecting: null }),
    ...(isCollected && collecting.chargeId && { releasing: collecting.chargeId }),
  };
};

/** Withdraws the cycle as `withdrawCycle` does, but only where another charge can still be handed in for it. */
export const withdrawToReplace = (subscription: Subscription, now: Date): Partial<Subscription> => {
  const due = dayAhead(subscription, now);
  return due === null || isWindowMissed(due, now) ? {} : withdrawCycle(subscription, now);
};

/**
 * The subscription with a withdrawn cycle as it was, because the charge of that cycle pays or may still pay it; nothing
 * where the calendar has gone on without the cycle. A planned end counts from the next cycle then.
 */
export const takeBack = (subscription: Subscription, { number }: Cycle): Partial<Subscription> => {
  const { withdrawnCycle, cycle, nextCycleAt, calendar, cancelAt } = subscription;
  if (isEnded(subscription) || withdrawnCycle !== number || cycle !== number - 1) return {};
  const end = dueAt(calendar, number + 1);
  return {
    cycle: number,
    currentPeriodStart: nextCycleAt,
    currentPeriodEnd: end,
    nextCycleAt: end,
    ...(cancelAt && { cancelAt: end }),
  };
};

/**
 * A charge that was to be withdrawn stays, as it is too late. Its cycle is collected as if it had never been withdrawn,
 * except during a pause, in which nothing is collected.
 */
export const keepWithdrawn = (
  subscription: Subscription,
  cycle: Cycle,
  chargeId: ChargeId,
  now: Date,
): Decision<Subscription, SubscriptionEvent> => {
  const plan = cycle.attempts.find((one) => one.chargeId === chargeId && one.outcome === 'pending')?.plan;
  const back = plan ? takeBack(subscription, cycle) : {};
  const isCollected = plan !== undefined && back.cycle !== undefined && subscription.status !== 'paused';
  return decide('subscription.released', subscription, now, {
    releasing: null,
    ...back,
    ...(isCollected && {
      open: [...subscription.open, cycle.number],
      collecting: subscription.collecting ?? {
        ...collectFrom(cycle.number, timestamp(now)),
        nextAt: null,
        chargeId,
        settlesAt: settlesAtOf(plan, subscription),
        hasNewMethod: subscription.paymentMethodId !== plan.mandate,
      },
    }),
  });
};

/** 422 INTERVAL_NOT_SUPPORTED, MANDATE_AMOUNT_FIXED and MANDATE_AMOUNT_TOO_LOW where a mandate does not allow a price. */
export const assertMandateAllows = (terms: MandateTerms, price: Price): void => {
  if (price.currency !== 'BRL') throw mandateAmountFixed('A mandate of Pix Automático is in BRL only');
  if (!isSameInterval(terms, price))
    throw intervalNotSupported('The mandate recurs in another interval than the subscription');
  if (allowsAmount(terms, price.amount)) return;
  if (terms.amount === null) throw mandateAmountTooLow();
  throw mandateAmountFixed('The mandate has another amount, which never changes');
};

/** The first day on which a charge can be due that is not handed in yet. */
export const earliestStart = (now: Date): string => dateOfDay(pixDayOf(now) + LEAST_DAYS_AHEAD);

/**
 * The day on which a subscription begins that names none: that of its mandate, or as soon as is usual where that is too
 * near.
 */
export const startUnder = ({ startDate }: MandateTerms, now: Date): string =>
  startDate >= earliestStart(now) ? startDate : dateOfDay(pixDayOf(now) + DAYS_TO_START);
