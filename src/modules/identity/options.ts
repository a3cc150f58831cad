/** Settings of the identity of users. */
export type IdentityOptions = {
  /** Whether a password that somebody else chose has to be changed at the first login. */
  readonly changeAtFirstLogin: boolean;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  /** Whether refresh cookies are for TLS only. */
  readonly secureCookies: boolean;
};
