import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { UserId } from '../../../kernel/ids.ts';
import type { Sealed } from '../../../platform/secrets.ts';

/** Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports. */
const PARAMETERS = { issuer: 'Portico', algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Time steps that a clock may be off by, in either direction. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

export type SecondFactorSecret = {
  readonly sealedSecret: Sealed;
  /** Time step of the latest code that was used. Neither that code nor an earlier one counts again. */
  readonly lastStep: number;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[];
};

/** A new secret for an authenticator app, in Base32. */
export const newTotpSecret = (): string =>
  new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;

/** The address that authenticator apps read, mostly from a QR code (Key URI Format). */
export const otpauthUrl = (secret: string, email: string): string =>
  new TOTP({ ...PARAMETERS, label: email, secret: Secret.fromBase32(secret) }).toString();

/** The time step that a code belongs to around this time; null for a wrong code. */
export const stepOf = (secret: string, code: string, now: Date): number | null => {
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
};

/**
 * Whether a code is one of an authenticator app, which has six digits. Every other code is taken for a recovery code.
 */
export const isTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** Ten codes of 80 random bits, such as `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
    return (base32.match(/.{4}/g) ?? []).join('-');
  });

/** The hash that a recovery code is stored as. The code is random enough that a fast hash will do. */
export const recoveryHash = (userId: UserId, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
    .digest('hex');
