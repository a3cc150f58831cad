import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import { equalInConstantTime, type KeyRing } from '../../../platform/secrets.ts';

/**
 * Proof of work in the manner of Hashcash (http://www.hashcash.org/papers/hashcash.pdf). A challenge is
 * `bits.random.expiry.signature`. A solution is the challenge, a colon and a decimal number for which the SHA-256 of
 * the whole text begins with `bits` zero bits.
 */
type ProofOfWork = {
  /** A challenge for this key, valid for two minutes. */
  challenge(key: string, bits: number): string;
  /** Whether the text solves a challenge that was made for this key. */
  isSolved(key: string, proof: string): boolean;
};

const LIVES_MS = 120_000;

export const createProofOfWork = (deps: { readonly pepper: KeyRing; readonly clock: Clock }): ProofOfWork => {
  const sign = (text: string, key: string): string =>
    createHmac('sha256', deps.pepper.current.bytes).update(`proof ${key} ${text}`).digest('base64url');
  return {
    challenge(key, bits) {
      const expiry = deps.clock().getTime() + LIVES_MS;
      const text = `${bits}.${randomBytes(12).toString('base64url')}.${expiry}`;
      return `${text}.${sign(text, key)}`;
    },
    isSolved(key, proof) {
      const [, text = '', bits, expiry, signature = ''] =
        /^((\d{1,2})\.[\w-]{16}\.(\d{1,15}))\.([\w-]{43}):\d{1,15}$/.exec(proof) ?? [];
      if (!equalInConstantTime(signature, sign(text, key))) return false;
      return Number(expiry) > deps.clock().getTime() && zeroBitsOf(proof) >= Number(bits);
    },
  };
};

/** The number of zero bits with which a text's SHA-256 begins. */
export const zeroBitsOf = (text: string): number => {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.findIndex((byte) => byte !== 0);
  return first < 0 ? 8 * digest.length : 8 * first + Math.clz32(digest[first] ?? 0) - 24;
};
