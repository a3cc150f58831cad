import type { Clock } from '../../../kernel/clock.ts';
import type { SessionId, UserId } from '../../../kernel/ids.ts';
import type { Session } from '../write/session.ts';
import type { SessionsStore } from '../write/sessions.store.ts';
import type { GetUser } from './get-user.ts';

type SessionAnswer = Pick<
  Session,
  'id' | 'livemode' | 'address' | 'userAgent' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
> & { readonly current: boolean };

/**
 * The sessions of a user that have not ended, each marked where it is the caller's own; from the write store, so never
 * behind.
 */
export type ListSessions = (by: {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}) => Promise<readonly SessionAnswer[]>;

export const createListSessions = (deps: {
  readonly getUser: GetUser;
  readonly sessions: Pick<SessionsStore, 'findLasting'>;
  readonly clock: Clock;
}): ListSessions => {
  return async ({ userId, sessionId }) => {
    const user = await deps.getUser(userId);
    const found = await deps.sessions.findLasting(user, deps.clock());
    return found.map((session) => ({
      id: session.id,
      current: session.id === sessionId,
      livemode: session.livemode,
      address: session.address,
      userAgent: session.userAgent,
      createdAt: session.createdAt,
      lastSeenAt: session.lastSeenAt,
      expiresAt: session.expiresAt,
    }));
  };
};
