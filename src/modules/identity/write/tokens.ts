import { errors, jwtVerify, SignJWT } from 'jose';
import { unauthorized } from '../../../kernel/errors.ts';
import type { UserId } from '../../../kernel/ids.ts';
import type { KeyRing } from '../../../platform/secrets.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'portico';
const AUDIENCE = 'portico-api';

/** Seconds that a token lasts. */
export const TOKEN_SECONDS = 3_600;

export type TokenClaims = {
  readonly userId: UserId;
  readonly livemode: boolean;
  /** The user's `credentialsVersion` at the login. */
  readonly credentialsVersion: number;
};

export const signToken = (ring: KeyRing, claims: TokenClaims, now: Date): Promise<string> => {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    environment: claims.livemode ? 'live' : 'test',
    credentials: claims.credentialsVersion,
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: ring.current.id })
    .setSubject(claims.userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(ring.current.bytes);
};

/** Claims of a token; 401 for one that has expired or that this gateway did not sign. */
export const readToken = async (ring: KeyRing, token: string, now: Date): Promise<TokenClaims> => {
  const keyOf = ({ kid }: { readonly kid?: string | undefined }): Uint8Array => {
    const key = kid === undefined ? undefined : ring.find(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.bytes;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'environment', 'credentials'],
      currentDate: now,
    });
    return {
      userId: payload.sub as UserId,
      livemode: payload.environment === 'live',
      credentialsVersion: Number(payload.credentials),
    };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthorized('TOKEN_EXPIRED');
    if (error instanceof errors.JOSEError) throw unauthorized('CREDENTIALS_INVALID');
    throw error;
  }
};
