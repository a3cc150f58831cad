import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { UserId } from '../../../kernel/ids.ts';
import type { Sealed } from '../../../platform/secrets.ts';

/** Time-based one-time passwords (RFC 6238) with the parameters that every authenticator knows. */
const PARAMETERS = { issuer: 'Portico', algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps that a clock may be wrong by, in either direction. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

export type SecondFactorSecret = {
  readonly sealedSecret: Sealed;
  /** Time step of the latest code that was taken: no code counts twice, nor one before it. */
  readonly lastStep: number;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[];
};

/** A secret for an authenticator, in Base32. */
export const newTotpSecret = (): string =>
  new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;

/** Address that authenticators read, mostly from a QR code (Key URI Format). */
export const otpauthUrl = (secret: string, email: string): string =>
  new TOTP({ ...PARAMETERS, label: email, secret: Secret.fromBase32(secret) }).toString();

/** The time step that a code stands for at this time; null for a wrong one. */
export const stepOf = (secret: string, code: string, now: Date): number | null => {
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
};

/** Codes of authenticators have six digits; every other code is taken for a recovery code. */
export const isTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** Ten codes of 80 random bits, such as `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
    return (base32.match(/.{4}/g) ?? []).join('-');
  });

/** Hash that a recovery code is stored as; random enough not to need a slow one. */
export const recoveryHash = (userId: UserId, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
    .digest('hex');
