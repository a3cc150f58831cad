import { timestamp } from '../../../kernel/clock.ts';
import { unauthorized } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantId, SessionId, UserId } from '../../../kernel/ids.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import type { CredentialsStore } from '../credentials.store.ts';
import { environmentNotAvailable } from './refusals.ts';
import { movedSession, type Session, withoutCookieUntil } from './session.ts';
import type { SessionsStore } from './sessions.store.ts';
import { type IssuedTokens, issueTokens, readRefreshToken, TOKEN_SECONDS } from './tokens.ts';

type Switch = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** The refresh cookie of the browser; null without one. */
  readonly cookie: string | null;
  readonly livemode: boolean;
};

/**
 * Ends a session and opens one in the other environment, which ends when the former one would have ended. 401 if another
 * request has ended the session meanwhile, so that one session never becomes two. A session with a refresh cookie needs
 * that cookie, because its token alone, if it is stolen, must not be exchanged for a cookie.
 */
export type SwitchEnvironment = Command<Switch, IssuedTokens>;

export const createSwitchEnvironment =
  (
    deps: Creating & {
      readonly credentials: Pick<CredentialsStore, 'findSession'>;
      readonly sessions: Pick<SessionsStore, 'insert' | 'end'>;
      readonly findMerchant: (id: MerchantId) => Promise<Merchant | null>;
      readonly jwtKeys: KeyRing;
    },
  ): SwitchEnvironment =>
  async ({ userId, sessionId, cookie, livemode }, context) => {
    const found = await deps.credentials.findSession(sessionId);
    if (!found) throw unauthorized('CREDENTIALS_INVALID');
    const { user } = found;
    const now = deps.clock();
    if (found.session.refreshNumber !== null) await assertCookie(deps.jwtKeys, cookie, found.session, now);
    const session = withoutCookieUntil(found.session, TOKEN_SECONDS * 1_000);
    // The cookie that the browser has stays the only one that counts.
    if (session.livemode === livemode)
      return issueTokens(deps.jwtKeys, { ...session, refreshNumber: null }, now);
    const merchant = user.merchantId === null ? null : await deps.findMerchant(user.merchantId);
    if (merchant && merchant.livemode !== null && merchant.livemode !== livemode)
      throw environmentNotAvailable();
    const moved = movedSession(session, { id: deps.newId('ses'), livemode }, now);
    await deps.transact.alone(context, async (tx) => {
      const ended = await deps.sessions.end({ userId, id: sessionId }, timestamp(now), tx.session);
      if (ended === 0) throw unauthorized('TOKEN_EXPIRED');
      await deps.sessions.insert(moved, tx.session);
      await tx.audit({
        type: 'session.environment_switched',
        resource: 'session',
        resourceId: moved.id,
        livemode,
      });
    });
    return issueTokens(deps.jwtKeys, moved, now);
  };

/** 401 unless the cookie is the one of this session that counts. */
const assertCookie = async (
  jwtKeys: KeyRing,
  cookie: string | null,
  { id, refreshNumber }: Session,
  now: Date,
): Promise<void> => {
  if (cookie === null) throw unauthorized('CREDENTIALS_MISSING');
  const shown = await readRefreshToken(jwtKeys, cookie, now);
  if (shown.sessionId !== id || shown.refreshNumber !== refreshNumber)
    throw unauthorized('CREDENTIALS_INVALID');
};
