import { timestamp } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { SessionId, UserId } from '../../../kernel/ids.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { SessionsStore } from './sessions.store.ts';

/** Ends one of the user's sessions, or all of them where `id` is null; 404 for an unknown session. */
export type EndSessions = Command<{ readonly userId: UserId; readonly id: string | null }, void>;

export const createEndSessions = (
  deps: Changing & { readonly sessions: Pick<SessionsStore, 'end'> },
): EndSessions => {
  return ({ userId, id }, context) =>
    deps.transact.alone(context, async (tx) => {
      const which = id === null ? { userId } : { userId, id: id as SessionId };
      const ended = await deps.sessions.end(which, timestamp(deps.clock()), tx.session);
      if (ended === 0 && id !== null) throw notFound('Session');
      await tx.audit({
        type: id === null ? 'user.sessions_ended' : 'user.logged_out',
        resource: id === null ? 'user' : 'session',
        resourceId: id ?? userId,
        livemode: null,
      });
    });
};
