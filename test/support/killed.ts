import { setTimeout as sleep } from 'node:timers/promises';

/** An open transaction of a client that died is over after a minute. */
const FORGOTTEN_AFTER_MS = 62_000;

/** When a program was last killed, by the database that it worked on. */
const killedAt = new Map<string, number>();

export const rememberKilled = (database = ''): void => {
  killedAt.set(database, Date.now());
};

/**
 * Waits until no transaction of a killed program is open in a database any more: the local MongoDB would never end to
 * drop it, and answer nobody meanwhile.
 */
export const untilForgotten = async (database = ''): Promise<void> => {
  const at = killedAt.get(database);
  if (at !== undefined) await sleep(Math.max(0, at + FORGOTTEN_AFTER_MS - Date.now()));
};
