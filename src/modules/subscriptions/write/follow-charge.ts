import type { Clock } from '../../../kernel/clock.ts';
import type { FollowOutcome } from '../../charges/write/record-payment-outcome.ts';
import { leftOutOf } from './collect-cycle.ts';
import { withPageCharge } from './cycle.ts';
import { followAttempt, outcomeOf } from './follow-attempt.ts';
import { SUBSCRIPTIONS, timeOf } from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/**
 * Carries the outcome of a cycle's charge over to its subscription; charges without a subscription are ignored.
 */
export const createFollowCharge =
  ({ clock }: { readonly clock: Clock }): FollowOutcome =>
  async (tx, charge) => {
    const outcome = outcomeOf(charge);
    if (charge.cycle === undefined || outcome === null) return;
    const { checkoutSessionId: pageId } = charge;
    // On a page the customer may try again, so the attempt fails only when the page ends.
    if (pageId !== undefined && outcome.outcome !== 'paid') return;
    const { subscriptionId, number } = charge.cycle;
    const subscription = await tx.get(SUBSCRIPTIONS, subscriptionId);
    if (!subscription) throw new Error(`subscription ${subscriptionId} is gone`);
    const before = await existingCycle(tx, subscriptionId, number);
    const paid = { chargeId: charge.id, leftOut: leftOutOf(subscription, charge) };
    const cycle = pageId === undefined ? before : withPageCharge(before, pageId, paid);
    const now = timeOf(subscription, clock());
    const followed = followAttempt(subscription, cycle, charge.id, outcome, now);
    if (followed) await storeChange(tx, subscription, followed.decisions, { before, after: followed.cycle });
  };
