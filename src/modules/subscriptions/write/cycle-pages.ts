import type { Clock, Timestamp } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { CheckoutSessionId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { Cycle, CyclePage } from './cycle.ts';
import { followPageEnd, isPageAwaited } from './follow-attempt.ts';
import { SUBSCRIPTIONS, type Subscription, timeOf } from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/**
 * Pages of the gateway on which customers pay their cycles. The module with the pages depends on this one and not the
 * other way round, so it registers its pages here.
 */
export type CyclePages = {
  /**
   * Opens a page for a cycle, on which the customer can pay for `forMs`. `claim` records the page in the same
   * transaction, and throws if the page may no longer be opened. If nobody could pay on the page, it is refused with
   * the code that a charge would get.
   */
  open(
    wanted: {
      readonly subscription: Subscription;
      readonly cycle: Cycle;
      readonly forMs: number;
      claim(tx: Transaction, page: CyclePage): Promise<void>;
    },
    context: CommandContext,
  ): Promise<void>;
  /**
   * Closes a page because nobody is to pay on it any more. A payment that cannot be stopped ends by itself.
   */
  close(id: CheckoutSessionId, owner: Subscription, context: CommandContext): Promise<void>;
  /**
   * Closes a page whose time has passed at that moment, unless a payment that was begun in time can still be completed.
   */
  expire(id: CheckoutSessionId, owner: Subscription, at: Timestamp, context: CommandContext): Promise<void>;
};

/** A page that belongs to a cycle. */
type PageOfCycle = {
  readonly id: CheckoutSessionId;
  readonly cycle: NonNullable<Charge['cycle']>;
};

/** Whether the cycle of a page still waits for a payment on it. */
export type IsCyclePageAwaited = (tx: Transaction, page: PageOfCycle) => Promise<boolean>;

export const isCyclePageAwaited: IsCyclePageAwaited = async (tx, { id, cycle }) => {
  const subscription = await tx.get(SUBSCRIPTIONS, cycle.subscriptionId);
  return subscription !== null && isPageAwaited(subscription, id);
};

/** Records that nobody can pay on a page any more, in the transaction that ends the page. */
export type FollowPageEnd = (tx: Transaction, page: PageOfCycle, reason: string) => Promise<void>;

export const createFollowPageEnd =
  ({ clock }: { readonly clock: Clock }): FollowPageEnd =>
  async (tx, { id, cycle: { subscriptionId, number } }, reason) => {
    const subscription = await tx.get(SUBSCRIPTIONS, subscriptionId);
    if (!subscription) throw new Error(`subscription ${subscriptionId} is gone`);
    const before = await existingCycle(tx, subscriptionId, number);
    const followed = followPageEnd(subscription, before, id, reason, timeOf(subscription, clock()));
    if (followed) await storeChange(tx, subscription, followed.decisions, { before, after: followed.cycle });
  };
