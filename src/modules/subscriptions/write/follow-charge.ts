import type { Clock } from '../../../kernel/clock.ts';
import type { FollowOutcome } from '../../charges/write/record-payment-outcome.ts';
import { followAttempt, outcomeOf } from './follow-attempt.ts';
import { SUBSCRIPTIONS, timeOf } from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/** Takes the outcome of a cycle's charge over into its subscription; charges of nobody's subscription are left alone. */
export const createFollowCharge =
  ({ clock }: { readonly clock: Clock }): FollowOutcome =>
  async (tx, charge) => {
    const outcome = outcomeOf(charge);
    if (charge.cycle === undefined || outcome === null) return;
    const { subscriptionId, number } = charge.cycle;
    const subscription = await tx.get(SUBSCRIPTIONS, subscriptionId);
    if (!subscription) throw new Error(`subscription ${subscriptionId} is gone`);
    const before = await existingCycle(tx, subscriptionId, number);
    const now = timeOf(subscription, clock());
    const followed = followAttempt(subscription, before, charge.id, outcome, now);
    if (followed) await storeChange(tx, subscription, followed.decisions, { before, after: followed.cycle });
  };
