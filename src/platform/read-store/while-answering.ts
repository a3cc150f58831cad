import type { ReadStore } from './elastic.ts';

/** Time of a search until the read store is pinged, and time of that ping. */
const LOOK_EVERY_MS = 1_000;
const PING_MS = 1_900;
/** A search ends far more often than it needs a ping; an error of its own, with its stack, would cost more than the watch. */
const OVER = new Error('The search is over');

/**
 * The outcome of work on the read store. A slow store is waited for; a store that answers nothing ends it with the error of
 * a ping, which becomes 503, within three seconds.
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
