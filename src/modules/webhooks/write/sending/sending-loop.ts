import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvironmentTime } from '../../../../platform/environment-time.ts';
import type { Logger } from '../../../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../../../platform/loop.ts';
import type { WorkQueue } from '../../../../platform/work-queue.ts';
import type { AttemptsStore } from './attempts.store.ts';
import type { DrainQueue } from './drain-queue.ts';

const SWEEP_EVERY_MS = 1_000;
/** A sweep looks at everything that is due, so with a large backlog it runs less often. */
const SWEEP_REST_FACTOR = 10;
const SWEEP_REST_AT_MOST_MS = 15_000;
/** Attempts in flight when the process ends may take this long; then they are cut off and tried again later. */
const GRACE_MS = 6_000;

/**
 * Sends deliveries in a worker. Messages that wake it are only hints: the write store says which deliveries are due,
 * and a sweep looks for them.
 */
export const createSendingLoop =
  (deps: {
    readonly queue: WorkQueue;
    readonly drainQueue: DrainQueue;
    readonly store: Pick<AttemptsStore, 'findDueQueues'>;
    readonly time: EnvironmentTime;
    readonly logger: Logger;
  }): StartLoop =>
  () => {
    const { queue, time } = deps;
    const stopping = new AbortController();
    const cutOff = new AbortController();
    // Every attempt in flight listens to this signal, and there are as many as queues being drained.
    setMaxListeners(0, cutOff.signal);
    const signals = { stopping: stopping.signal, cutOff: cutOff.signal };
    queue.start(async (key) => {
      const times: number[] = [];
      await time.inEach(async (livemode) => {
        const { againInMs } = await deps.drainQueue(key, signals, livemode);
        if (againInMs !== null) times.push(againInMs);
        return false;
      });
      return { againInMs: times.length > 0 ? Math.min(...times) : null };
    });
    const sweep = createLoop({
      name: 'webhook sweep',
      everyMs: SWEEP_EVERY_MS,
      restFactor: SWEEP_REST_FACTOR,
      restAtMostMs: SWEEP_REST_AT_MOST_MS,
      logger: deps.logger,
      // Thanks to this sweep, losing Redis delays deliveries by seconds and loses none.
      round: () =>
        time.inEach(async (livemode) => {
          const due = await deps.store.findDueQueues(time.clock(), livemode);
          if (due.length > 0) await queue.wake(due);
          return false;
        }),
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
