import { type Cycle, cycleId } from './cycle.ts';
import type { Subscription } from './subscription.ts';

/** A cycle that begins anew, after its charge was withdrawn: it keeps its attempts. */
export const begunAnew = (cycle: Cycle, before: Cycle | null): Cycle =>
  before === null ? cycle : { ...cycle, attempts: before.attempts, version: before.version };

/**
 * Whether the cycle that begins next may have a record already, because its charge was withdrawn; the method may be
 * another one by now.
 */
export const mayBeginAnew = ({ chargesAhead, withdrawnCycle, cycle }: Subscription): boolean =>
  chargesAhead === true || withdrawnCycle === cycle + 1;

/** The record of the cycle that has just begun; `before` is the subscription before its beginning. */
export const cycleOf = (subscription: Subscription, { nextCycleAt }: Subscription): Cycle => ({
  id: cycleId(subscription.id, subscription.cycle),
  version: 1,
  subscriptionId: subscription.id,
  merchantId: subscription.merchantId,
  masterId: subscription.masterId,
  number: subscription.cycle,
  periodStart: nextCycleAt,
  periodEnd: subscription.nextCycleAt,
  dueAt: nextCycleAt,
  amount: subscription.price.amount,
  currency: subscription.price.currency,
  status: 'open',
  attempts: [],
});
