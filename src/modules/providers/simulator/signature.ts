import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old, or how far ahead of our clock, a signature may be. */
const TOLERANCE_SECONDS = 300;

const hmac = (secret: string, time: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest();

/** The header of a notification that is signed at this time, in Unix seconds. */
export const signatureOf = (secret: string, seconds: number, body: Buffer): string =>
  `t=${seconds},v1=${hmac(secret, String(seconds), body).toString('hex')}`;

/**
 * Whether a `X-Provider-Signature` was made of this body with one of our secrets, not long ago. Any of several `v1`
 * may fit, so that the provider can change its secret too; each is compared in constant time.
 */
export const isSigned = (
  header: string | undefined,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): boolean => {
  const parts = (header ?? '').split(',').map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const given = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/i.test(part))
    .map((part) => Buffer.from(part.slice(3), 'hex'));
  const expected = secrets.map((secret) => hmac(secret, time, body));
  return given
    .flatMap((signature) => expected.map((right) => timingSafeEqual(signature, right)))
    .includes(true);
};
