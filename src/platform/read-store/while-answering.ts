import type { ReadStore } from './elastic.ts';

/** How long a search runs until the read store is pinged, and how long the ping may take. */
const LOOK_EVERY_MS = 1_000;
const PING_MS = 1_900;
/**
 * Searches end far more often than they need a ping; creating an error with its stack each time would cost more than
 * the watch.
 */
const OVER = new Error('The search is over');

/**
 * The outcome of work on the read store. A slow store is waited for; when the store answers nothing at all, the failed
 * ping ends the wait with an error, which becomes 503, within three seconds.
 */
export const whileAnswering = async <T>({ client }: ReadStore, work: Promise<T>): Promise<T> => {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const watch = async (): Promise<never> => {
    for (;;) {
      await new Promise((resolve) => {
        timer = setTimeout(resolve, LOOK_EVERY_MS);
      });
      await client.ping({}, { requestTimeout: PING_MS, maxRetries: 0, signal: stopped.signal });
      stopped.signal.throwIfAborted();
    }
  };
  try {
    return await Promise.race([work, watch()]);
  } finally {
    clearTimeout(timer);
    stopped.abort(OVER);
  }
};
