import type { ChargeId } from '../../../kernel/ids.ts';
import { toDecimal } from '../../../kernel/money.ts';
import type { ChargeStatus } from '../../charges/write/charge.ts';
import { dueAt } from '../write/calendar.ts';
import type { Cycle, CyclePage } from '../write/cycle.ts';
import { type Collecting, isComplete, isEnded, type Subscription } from '../write/subscription.ts';

type Status = Cycle['status'] | 'scheduled' | 'void';

/**
 * The cycles of a subscription in order: cycles that have begun, cycles that a pause left out, and the next cycle if
 * there will be one.
 */
export const presentCycles = (
  subscription: Subscription,
  begun: readonly Cycle[],
  statuses: ReadonlyMap<ChargeId, ChargeStatus>,
): readonly object[] => {
  const known = new Map(begun.map((cycle) => [cycle.number, cycle]));
  const numbers = Array.from({ length: subscription.cycle }, (_, index) => index + 1);
  const { collecting, cancelAt, cycle: last, nextCycleAt, calendar } = subscription;
  const shown = numbers.map((number) => {
    const cycle = known.get(number);
    if (!cycle) return unbegun(subscription, number, 'void', dueAt(calendar, number));
    const isCollected = collecting?.cycle === number;
    return {
      number,
      periodStart: cycle.periodStart,
      periodEnd: cycle.periodEnd,
      dueAt: cycle.dueAt,
      amount: toDecimal(cycle.amount, cycle.currency),
      currency: cycle.currency,
      status: cycle.status,
      attempts: cycle.attempts.map(({ page, plan, ...attempt }) => ({
        ...attempt,
        plannedOn: plan?.on ?? null,
        checkoutSessionId: page?.id ?? null,
        chargeStatus: (attempt.chargeId && statuses.get(attempt.chargeId)) ?? null,
      })),
      checkoutUrl: (isCollected && openPageOf(cycle, collecting)?.url) || null,
      nextAttemptAt: isCollected ? collecting.nextAt : null,
      waitsFor: isCollected ? collecting.waitsFor : null,
    };
  });
  const isOver =
    isEnded(subscription) ||
    isComplete(subscription) ||
    subscription.status === 'paused' ||
    (cancelAt !== null && cancelAt <= nextCycleAt);
  return isOver ? shown : [...shown, unbegun(subscription, last + 1, 'scheduled', nextCycleAt)];
};

/** The page on which a cycle that is being collected can be paid; null without one. */
export const openPageOf = (
  { attempts }: Pick<Cycle, 'attempts'>,
  { pageId }: Pick<Collecting, 'pageId'>,
): CyclePage | null => (pageId && attempts.find(({ page }) => page?.id === pageId)?.page) || null;

/** A cycle without a record; its price is the one that counts for the next one. */
const unbegun = (
  { price, nextPrice, calendar }: Subscription,
  number: number,
  status: Status,
  begins: string,
) => {
  const { amount, currency } = nextPrice?.price ?? price;
  return {
    number,
    periodStart: begins,
    periodEnd: dueAt(calendar, number + 1),
    dueAt: begins,
    amount: toDecimal(amount, currency),
    currency,
    status,
    attempts: [],
    checkoutUrl: null,
    nextAttemptAt: null,
    waitsFor: null,
  };
};
