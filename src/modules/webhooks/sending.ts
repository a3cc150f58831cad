import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../platform/loop.ts';
import type { WorkQueue } from '../../platform/work-queue.ts';
import type { DrainQueue } from './write/drain-queue.ts';
import type { WebhookStore } from './write/webhooks.store.ts';

const SWEEP_EVERY_MS = 1_000;
/** A sweep looks at all that is due, so with a large backlog it comes less often. */
const SWEEP_REST_FACTOR = 10;
const SWEEP_REST_AT_MOST_MS = 15_000;
/** Attempts in flight at the end of the process may take so long; then they are cut off and tried again later. */
const GRACE_MS = 6_000;

/**
 * Sends deliveries in a worker. Wakes of the queue are hints: what is due stands in the write store, and is looked for.
 */
export const createSendingLoop =
  (deps: {
    readonly queue: WorkQueue;
    readonly drainQueue: DrainQueue;
    readonly store: Pick<WebhookStore, 'findDueQueues'>;
    readonly clock: Clock;
    readonly logger: Logger;
  }): StartLoop =>
  () => {
    const { queue } = deps;
    const stopping = new AbortController();
    const cutOff = new AbortController();
    // Each attempt in flight listens to it, as many as there are queues drained.
    setMaxListeners(0, cutOff.signal);
    const signals = { stopping: stopping.signal, cutOff: cutOff.signal };
    queue.start((key) => deps.drainQueue(key, signals));
    const sweep = createLoop({
      name: 'webhook sweep',
      everyMs: SWEEP_EVERY_MS,
      restFactor: SWEEP_REST_FACTOR,
      restAtMostMs: SWEEP_REST_AT_MOST_MS,
      logger: deps.logger,
      // After a lost Redis this costs seconds, not deliveries.
      async round() {
        const due = await deps.store.findDueQueues(deps.clock());
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
  };
