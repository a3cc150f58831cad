import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { unauthorized } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import type { CredentialsStore } from '../credentials.store.ts';
import { assertLasting } from './session.ts';
import type { SessionsStore } from './sessions.store.ts';
import { type IssuedTokens, issueTokens, readRefreshToken } from './tokens.ts';

/** New tokens for the one of a refresh cookie; 401 for any other, and a cookie that was used before ends the session. */
export type RefreshSession = (cookie: string | null, context: CommandContext) => Promise<IssuedTokens>;

export const refreshSession = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly credentials: Pick<CredentialsStore, 'findSession'>;
  readonly sessions: Pick<SessionsStore, 'advance' | 'end'>;
  readonly jwtKeys: KeyRing;
}): RefreshSession => {
  return async (cookie, context) => {
    if (cookie === null) throw unauthorized('CREDENTIALS_MISSING');
    const now = deps.clock();
    const { sessionId, refreshNumber } = await readRefreshToken(deps.jwtKeys, cookie, now);
    const found = await deps.credentials.findSession(sessionId);
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    const { session, user } = found;
    assertLasting(session, user, now);
    // Of two that come with one cookie one is a thief, and nobody knows which.
    if (!(await deps.sessions.advance(session.id, refreshNumber, now))) {
      await deps.transact(context, async (tx) => {
        const ended = await deps.sessions.end(
          { userId: user.id, id: session.id },
          timestamp(now),
          tx.session,
        );
        if (ended === 0) return;
        const { livemode } = session;
        await tx.audit({
          type: 'session.cookie_reused',
          resource: 'session',
          resourceId: session.id,
          livemode,
        });
      });
      throw unauthorized('CREDENTIALS_INVALID');
    }
    return issueTokens(deps.jwtKeys, { ...session, refreshNumber: refreshNumber + 1 }, now);
  };
};
