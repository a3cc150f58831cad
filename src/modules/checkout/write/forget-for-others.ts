import type { Clock } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FollowDeletion } from '../../customers/write/forget-customer.ts';
import { CHECKOUT_SESSIONS, endForDeletion } from './checkout-session.ts';
import type { RecordSession } from './record-session.ts';
import type { FindLivingSessions } from './sessions.store.ts';

/**
 * Ends the sessions of a customer who is deleted, those that are keeping a card as well. A session of a customer holds
 * no facts about it: the record has them. A charge that is under way goes on, as other charges of the customer do.
 */
export const createEndSessionsForDeletion =
  (deps: {
    readonly findLivingSessions: FindLivingSessions;
    readonly recordSession: RecordSession;
    readonly clock: Clock;
  }): FollowDeletion =>
  async (tx, customer) => {
    const ids = await deps.findLivingSessions(customer.id, tenantOf(customer));
    for (const session of await tx.getAll(CHECKOUT_SESSIONS, ids)) {
      const decision = endForDeletion(session, deps.clock());
      if (decision) await deps.recordSession(tx, session, decision);
    }
  };
