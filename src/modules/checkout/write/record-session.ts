import type { Clock } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { FollowPageEnd, IsCyclePageAwaited } from '../../subscriptions/write/cycle-pages.ts';
import {
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  type CheckoutSessionEvent,
  closeSession,
} from './checkout-session.ts';

/**
 * Stores a change of a session. If a cycle of a subscription was to be paid on it, the subscription is told of its end,
 * and the session does not open again once the subscription no longer waits for that payment.
 */
export type RecordSession = (
  tx: Transaction,
  session: CheckoutSession,
  decision: Decision<CheckoutSession, CheckoutSessionEvent>,
) => Promise<CheckoutSession>;

type Recording = {
  readonly followPageEnd: FollowPageEnd;
  readonly isCyclePageAwaited: IsCyclePageAwaited;
  readonly clock: Clock;
};

export const createRecordSession =
  (deps: Recording): RecordSession =>
  async (tx, session, decision) => {
    const stored = await tx.record(CHECKOUT_SESSIONS, session, decision);
    const { cycle } = stored;
    if (!cycle) return stored;
    const page = { id: stored.id, cycle };
    const isLeft = stored.status === 'open' && !(await deps.isCyclePageAwaited(tx, page));
    const closed = isLeft ? closeSession(stored, 'not_awaited', deps.clock()) : null;
    const ended = closed ? await tx.record(CHECKOUT_SESSIONS, stored, closed) : stored;
    const { status, cancelReason } = ended;
    if (status === 'expired' || status === 'cancelled')
      await deps.followPageEnd(tx, page, cancelReason ?? status);
    return ended;
  };
