import { type Cycle, cycleId } from './cycle.ts';
import type { Subscription } from './subscription.ts';

/** The record of the cycle that has just begun; `before` is the subscription from before that. */
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
