import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStore } from './elastic.ts';

/** Time of a search until the read store is pinged, and time of that ping. */
const LOOK_EVERY_MS = 1_000;
const PING_MS = 1_900;

/**
 * The outcome of work on the read store. A slow store is waited for; a store that answers nothing ends it with the error of
 * a ping, which becomes 503, within three seconds.
 */
export const whileAnswering = async <T>({ client }: ReadStore, work: Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const { signal } = controller;
  const watch = async (): Promise<never> => {
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      await client.ping({}, { requestTimeout: PING_MS, maxRetries: 0, signal });
    }
  };
  try {
    return await Promise.race([work, watch()]);
  } finally {
    controller.abort();
  }
};
