import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** The only user of the local MongoDB and Elasticsearch, who is also named in the files that start them. */
export const USER = 'portico';

/** A new password of letters, digits, `-` and `_`, so that it needs no encoding in an address. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/**
 * Writes a file that only this user can read. Passwords go into such files, because other users of the machine can read
 * a process's arguments and often its environment.
 */
export const privateFile = (file: string, text: string): string => {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
