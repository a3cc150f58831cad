import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import { unauthorized } from '../../../kernel/errors.ts';
import type { SessionId, UserId } from '../../../kernel/ids.ts';
import type { PendingSetup } from '../../../kernel/principal.ts';
import type { User } from './user.ts';

/**
 * The time from a user's login to its end, in one environment. A session has no version and no events: uses are noted
 * in passing, and the audit log has logins and logouts.
 */
export type Session = {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly livemode: boolean;
  /** The user's `credentialsVersion` at the login: the session ends when the user has another one. */
  readonly credentialsVersion: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: Timestamp;
  /** Exact to the minute. */
  readonly lastSeenAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly endedAt: Timestamp | null;
  /** Number of the only refresh cookie that counts, from 1 on; null for a session without a cookie. */
  readonly refreshNumber: number | null;
};

const LONGEST_MS = 12 * HOUR_MS;
const IDLE_MS = 15 * MINUTE_MS;
/** Further requests within this time are not noted. */
const NOTED_EVERY_MS = MINUTE_MS;

type NewSession = Pick<Session, 'livemode' | 'address' | 'userAgent'> & { readonly refresh: boolean };

export const openSession = (user: User, command: NewSession, id: SessionId, now: Date): Session => ({
  id,
  userId: user.id,
  livemode: command.livemode,
  credentialsVersion: user.credentialsVersion,
  address: command.address,
  userAgent: command.userAgent,
  createdAt: timestamp(now),
  lastSeenAt: timestamp(now),
  expiresAt: timestamp(new Date(now.getTime() + LONGEST_MS)),
  endedAt: null,
  refreshNumber: command.refresh ? 1 : null,
});

/** The session of the same login in the other environment: its end, its user's credentials and its address stay. */
export const movedSession = (
  session: Session,
  { id, livemode }: Pick<Session, 'id' | 'livemode'>,
  now: Date,
): Session => ({
  ...session,
  id,
  livemode,
  createdAt: timestamp(now),
  lastSeenAt: timestamp(now),
  refreshNumber: session.refreshNumber === null ? null : 1,
});

/** A session without a refresh cookie ends with the token of its login; one with a cookie stays as it is. */
export const withoutCookieUntil = (session: Session, tokenMs: number): Session => {
  if (session.refreshNumber !== null) return session;
  const tokenEndsAt = timestamp(new Date(Date.parse(session.createdAt) + tokenMs));
  return tokenEndsAt < session.expiresAt ? { ...session, expiresAt: tokenEndsAt } : session;
};

/** 401 for a session that was ended or has expired, and for a user who is disabled or has changed credentials. */
export const assertLasting = (session: Session, user: User, now: Date): void => {
  if (user.disabled) throw unauthorized('CREDENTIALS_INVALID');
  const isOver = session.endedAt !== null || session.credentialsVersion !== user.credentialsVersion;
  if (isOver || session.expiresAt <= timestamp(now) || session.lastSeenAt <= idleSince(now))
    throw unauthorized('TOKEN_EXPIRED');
};

/** Sessions that were last seen at this time or before have been idle for too long. */
export const idleSince = (now: Date): Timestamp => timestamp(new Date(now.getTime() - IDLE_MS));

/** Sessions that were last seen at this time or before have to be noted as seen again. */
export const notedUntil = (now: Date): Timestamp => timestamp(new Date(now.getTime() - NOTED_EVERY_MS));

/** The step that the user has to take before the token allows anything else; null where there is none. */
export const pendingSetupOf = (user: User, requireSecondFactor: boolean): PendingSetup | null => {
  if (user.oneTimePasswordExpiresAt !== null) return 'PASSWORD_CHANGE_REQUIRED';
  const isRequired = requireSecondFactor && user.merchantId === null;
  return isRequired && !user.secondFactor ? 'SECOND_FACTOR_SETUP_REQUIRED' : null;
};
