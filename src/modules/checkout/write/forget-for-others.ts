import type { Clock } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FollowDeletion } from '../../customers/write/forget-customer.ts';
import { CHECKOUT_SESSIONS, cancelSession } from './checkout-session.ts';
import type { FindOpenSessions } from './sessions.store.ts';

/**
 * Ends the open sessions of a customer who is deleted. A session of a customer holds no facts about it: the record has
 * them. A charge that is under way goes on, as other charges of the customer do.
 */
export const createEndSessionsForDeletion =
  (deps: { readonly findOpenSessions: FindOpenSessions; readonly clock: Clock }): FollowDeletion =>
  async (tx, customer) => {
    const ids = await deps.findOpenSessions(customer.id, tenantOf(customer));
    for (const session of await tx.getAll(CHECKOUT_SESSIONS, ids))
      if (session.status === 'open' && session.expiresAt > deps.clock().toISOString())
        await tx.record(CHECKOUT_SESSIONS, session, cancelSession(session, 'customer_erased', deps.clock()));
  };
