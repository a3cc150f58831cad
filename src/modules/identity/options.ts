import type { createPasswords } from './write/passwords.ts';

/** Settings of the identity of users. */
export type IdentityOptions = {
  readonly createPasswords: typeof createPasswords;
  /** Whether a password that somebody else chose has to be changed at the first login. */
  readonly changeAtFirstLogin: boolean;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  /** Whether the refresh cookie is `Secure`, which browsers send over TLS only. */
  readonly secureCookies: boolean;
};
