import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import { createLoop, type Loop } from '../../platform/loop.ts';
import type { WorkQueue } from '../../platform/work-queue.ts';
import type { DrainQueue } from './write/drain-queue.ts';

const SWEEP_EVERY_MS = 1_000;
/** A sweep looks at all that is due, so with a large backlog it comes less often. */
const SWEEP_REST_FACTOR = 10;
const SWEEP_REST_AT_MOST_MS = 15_000;
/** Attempts under way at the end of the process may take so long; then they are cut off and tried again later. */
const GRACE_MS = 6_000;

/** What sends deliveries in a worker. Wakes are hints: what is due stands in the write store, and is looked for. */
export type Sending = {
  readonly wake: (queues: readonly string[]) => Promise<void>;
  start(): Loop;
};

export const createSending = (deps: {
  readonly createQueue: (run: DrainQueue) => WorkQueue;
  readonly createDrain: (signals: {
    readonly stopping: AbortSignal;
    readonly cutOff: AbortSignal;
    readonly wake: (queues: readonly string[]) => void;
  }) => DrainQueue;
  readonly findDueQueues: () => Promise<readonly string[]>;
  readonly logger: Logger;
}): Sending => {
  const stopping = new AbortController();
  const cutOff = new AbortController();
  // Each attempt under way listens to it, as many as there are queues drained.
  setMaxListeners(0, cutOff.signal);
  const queue: WorkQueue = deps.createQueue(
    deps.createDrain({
      stopping: stopping.signal,
      cutOff: cutOff.signal,
      // The queue itself says what went wrong, and the sweep wakes again.
      wake: (queues) => void queue.wake(queues),
    }),
  );
  return {
    wake: (queues) => queue.wake(queues),
    start() {
      queue.start();
      const sweep = createLoop({
        name: 'webhook sweep',
        everyMs: SWEEP_EVERY_MS,
        restFactor: SWEEP_REST_FACTOR,
        restAtMostMs: SWEEP_REST_AT_MOST_MS,
        logger: deps.logger,
        // After a lost Redis this costs seconds, not deliveries.
        async round() {
          const due = await deps.findDueQueues();
          if (due.length > 0) await queue.wake(due);
          return false;
        },
      });
      return {
        wake: () => sweep.wake(),
        async stop() {
          stopping.abort();
          await sweep.stop();
          const ended = new AbortController();
          sleep(GRACE_MS, undefined, { signal: ended.signal }).then(
            () => cutOff.abort(),
            () => undefined,
          );
          await queue.stop();
          ended.abort();
        },
      };
    },
  };
};
