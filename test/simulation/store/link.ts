/** A statement by itself, one of a transaction, or the commit of one. */
export type Kind = 'statement' | 'transaction' | 'commit';

/** The way from a process to the server. */
export type Link = {
  /** Sends a statement: `apply` runs once it arrives, if it does. */
  send<T>(kind: Kind, what: string, apply: () => T): Promise<T>;
  /** Waits before a statement is sent again that found its document held by a transaction. */
  held(): Promise<void>;
};

/** Everything arrives at once. */
export const directLink: Link = {
  send: async (_, __, apply) => apply(),
  held: async () => {
    throw new Error('a statement waits for a transaction of the same test');
  },
};
