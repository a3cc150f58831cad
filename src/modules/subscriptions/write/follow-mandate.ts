import type { Clock } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { FollowMethod } from '../../stored-methods/write/record-stored-state.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { type Followed, failWithoutCharge, followAttempt } from './follow-attempt.ts';
import { expire } from './lifecycle.ts';
import { activate, decide, isEnded, SUBSCRIPTIONS, type Subscription, timeOf } from './subscription.ts';
import { existingCycle, type FindRunning, storeChange } from './subscriptions.store.ts';

/** Takes the approval and the end of a mandate over into the subscriptions that it pays. */
export const createFollowMandate =
  (deps: { readonly findRunning: FindRunning; readonly clock: Clock }): FollowMethod =>
  async (tx, method) => {
    if (!method.mandate) return;
    const found = await deps.findRunning({ paymentMethodId: method.id }, tenantOf(method));
    const ids = found.map(({ id }) => id);
    for (const subscription of await tx.getAll(SUBSCRIPTIONS, ids)) {
      if (isEnded(subscription) || subscription.paymentMethodId !== method.id) continue;
      await follow(tx, subscription, method, timeOf(subscription, deps.clock()));
    }
  };

const follow = async (
  tx: Transaction,
  subscription: Subscription,
  { status, failureReason }: StoredMethod,
  now: Date,
): Promise<void> => {
  const isNew = subscription.status === 'incomplete';
  if (status === 'active' && isNew) {
    await storeChange(tx, subscription, [activate(subscription, now)]);
    return;
  }
  if (status !== 'failed' && status !== 'revoked') return;
  if (isNew) {
    await storeChange(tx, subscription, [expire(subscription, now)]);
    return;
  }
  const reason = failureReason ?? 'mandate_cancelled';
  const { collecting, status: stands } = subscription;
  if (stands === 'paused') return;
  if (collecting === null) {
    const changes = { status: 'past_due', pastDueReason: reason, latestAttempt: null } as const;
    await storeChange(tx, subscription, [decide('subscription.payment_failed', subscription, now, changes)]);
    return;
  }
  const before = await existingCycle(tx, subscription.id, collecting.cycle);
  const followed = mandateEnded(subscription, before, reason, now);
  await storeChange(tx, subscription, followed.decisions, { before, after: followed.cycle });
};

/**
 * The charge that waits for its day is withdrawn, and counts as an attempt that has failed; so does one that was to
 * come.
 */
const mandateEnded = (
  subscription: Subscription,
  cycle: Parameters<typeof followAttempt>[1],
  reason: string,
  now: Date,
): Followed => {
  const chargeId = subscription.collecting?.chargeId ?? null;
  if (chargeId === null) return failWithoutCharge(subscription, cycle, reason, now);
  const withdrawn = { ...subscription, releasing: chargeId };
  const followed = followAttempt(withdrawn, cycle, chargeId, { outcome: 'failed', reason }, now);
  return followed ?? { decisions: [], cycle };
};
