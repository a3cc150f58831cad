import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the parameters that OWASP recommends (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type Passwords = {
  hash(password: string): Promise<string>;
  /** A null hash is refused after the same work, so time does not tell whether a user exists. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
};

export const createPasswords = (): Passwords => {
  const nobodys = hash(randomBytes(32), PARAMETERS);
  return {
    hash: (password) => hash(password, PARAMETERS),
    async verify(passwordHash, password) {
      const isRight = await verify(passwordHash ?? (await nobodys), password);
      return isRight && passwordHash !== null;
    },
  };
};
