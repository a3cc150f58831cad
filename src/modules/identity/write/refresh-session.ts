import { timestamp } from '../../../kernel/clock.ts';
import { unauthorized } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { networkNotAllowed } from '../../../platform/http/refusals.ts';
import { isWithin } from '../../../platform/networks.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { CredentialsStore } from '../credentials.store.ts';
import { assertLasting } from './session.ts';
import type { SessionsStore } from './sessions.store.ts';
import { type IssuedTokens, issueTokens, readRefreshToken } from './tokens.ts';

/**
 * Exchanges a refresh cookie for new tokens; 401 for a cookie that does not count. A cookie that was used before ends
 * its session. 403 NETWORK_NOT_ALLOWED from outside the user's networks, which does not use the cookie up.
 */
export type RefreshSession = (cookie: string | null, context: CommandContext) => Promise<IssuedTokens>;

export const createRefreshSession = (
  deps: Changing & {
    readonly credentials: Pick<CredentialsStore, 'findSession'>;
    readonly sessions: Pick<SessionsStore, 'advance' | 'end'>;
    readonly jwtKeys: KeyRing;
  },
): RefreshSession => {
  return async (cookie, context) => {
    if (cookie === null) throw unauthorized('CREDENTIALS_MISSING');
    const now = deps.clock();
    const { sessionId, refreshNumber } = await readRefreshToken(deps.jwtKeys, cookie, now);
    const found = await deps.credentials.findSession(sessionId);
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    const { session, user } = found;
    assertLasting(session, user, now);
    if (!isWithin(user.allowedNetworks, context.address ?? '')) throw networkNotAllowed();
    // When a cookie is used twice, one of the users is a thief, and nobody knows which.
    if (!(await deps.sessions.advance(session.id, refreshNumber, now))) {
      await deps.transact.alone(context, async (tx) => {
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
