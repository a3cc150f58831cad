/** Settings of the identity of users. */
export type IdentityOptions = {
  /** Put before the keys of the login limit in Redis, where installations may share a server. */
  readonly keyPrefix: string;
  /** The login limit waits for Redis so long, and counts by itself then. */
  readonly redisTimeoutMs: number;
  /** Whether a password that somebody else chose has to be changed at the first login. */
  readonly changeAtFirstLogin: boolean;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  /** Whether refresh cookies are for TLS only. */
  readonly secureCookies: boolean;
};
