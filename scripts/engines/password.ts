import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** The only user of the local MongoDB and Elasticsearch; the files that start them name it as well. */
export const USER = 'portico';

/** Has letters, digits, `-` and `_` only, so that it stands in an address as it is. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** For passwords: the arguments and, often, the environment of a process can be read by other users of the machine. */
export const privateFile = (file: string, text: string): string => {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
