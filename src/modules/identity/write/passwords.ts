import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createFairTurns } from '../../../platform/fair-turns.ts';
import { siteOf } from '../../../platform/networks.ts';
import { preparedPassword } from './password-rules.ts';

/** argon2id with the parameters that OWASP recommends (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How many hashes are computed at a time, and how many wait. Each takes a processor for some tens of milliseconds. */
const TURNS = { atOnce: 2, waitingOfKey: 32, waiting: 256 };

/** Hashing takes turns by `address`, where the request comes from; null for work of the gateway itself. */
export type Passwords = {
  hash(password: string, address: string | null): Promise<string>;
  /** A null hash is refused after the same work, so time does not tell whether a user exists. */
  verify(passwordHash: string | null, password: string, address: string | null): Promise<boolean>;
};

export const createPasswords = (): Passwords => {
  const nobodys = hash(randomBytes(32), PARAMETERS);
  const inTurn = createFairTurns(TURNS, 'Too many passwords are being checked');
  const keyOf = (address: string | null): string => (address === null ? '' : siteOf(address));
  return {
    hash: (password, address) => inTurn(keyOf(address), () => hash(preparedPassword(password), PARAMETERS)),
    async verify(passwordHash, password, address) {
      const stored = passwordHash ?? (await nobodys);
      // Former versions hashed passwords as they were typed.
      for (const form of new Set([preparedPassword(password), password]))
        if (await inTurn(keyOf(address), () => verify(stored, form))) return passwordHash !== null;
      return false;
    },
  };
};
