import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { unauthorized } from '../../../kernel/errors.ts';
import type { SessionId, UserId } from '../../../kernel/ids.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { Session } from './session.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'portico';
const AUDIENCE = 'portico-api';
const REFRESH_AUDIENCE = 'portico-refresh';

/** Seconds that an access token lasts, unless its session ends earlier. */
export const TOKEN_SECONDS = 3_600;

type TokenClaims = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly livemode: boolean;
};

/** Tokens of a session; `refreshToken` is null for a session without a refresh cookie. */
export type IssuedTokens = {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken: string | null;
  readonly refreshSeconds: number;
};

export const issueTokens = async (ring: KeyRing, session: Session, now: Date): Promise<IssuedTokens> => {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const refreshSeconds = Math.floor(Date.parse(session.expiresAt) / 1000) - issuedAt;
  const expiresIn = Math.min(TOKEN_SECONDS, refreshSeconds);
  const sign = (claims: JWTPayload, audience: string, seconds: number): Promise<string> =>
    new SignJWT({ ...claims, sid: session.id })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: ring.current.id })
      .setSubject(session.userId)
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(ring.current.bytes);
  const environment = session.livemode ? 'live' : 'test';
  const { refreshNumber } = session;
  return {
    accessToken: await sign({ environment }, AUDIENCE, expiresIn),
    expiresIn,
    refreshToken:
      refreshNumber === null ? null : await sign({ refreshNumber }, REFRESH_AUDIENCE, refreshSeconds),
    refreshSeconds,
  };
};

/** Claims of an access token; 401 for a token that has expired or was not signed by this gateway. */
export const readToken = async (ring: KeyRing, token: string, now: Date): Promise<TokenClaims> => {
  const { sub, sid, environment } = await verified(ring, token, AUDIENCE, ['environment'], now);
  return { userId: sub as UserId, sessionId: sid as SessionId, livemode: environment === 'live' };
};

/** Claims of a refresh cookie; 401 for one that has expired or was not signed by this gateway. */
export const readRefreshToken = async (
  ring: KeyRing,
  token: string,
  now: Date,
): Promise<{ readonly sessionId: SessionId; readonly refreshNumber: number }> => {
  const { sid, refreshNumber } = await verified(ring, token, REFRESH_AUDIENCE, ['refreshNumber'], now);
  return { sessionId: sid as SessionId, refreshNumber: Number(refreshNumber) };
};

const verified = async (
  ring: KeyRing,
  token: string,
  audience: string,
  claims: readonly string[],
  now: Date,
): Promise<JWTPayload> => {
  const keyOf = ({ kid }: { readonly kid?: string | undefined }): Uint8Array => {
    const key = kid === undefined ? undefined : ring.find(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.bytes;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      requiredClaims: ['sub', 'sid', 'exp', ...claims],
      currentDate: now,
    });
    // The store would take an object in place of a text for a query condition.
    if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string') throw new errors.JWTInvalid();
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthorized('TOKEN_EXPIRED');
    if (error instanceof errors.JOSEError) throw unauthorized('CREDENTIALS_INVALID');
    throw error;
  }
};
