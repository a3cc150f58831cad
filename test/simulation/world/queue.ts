import type { WorkQueue } from '../../../src/platform/work-queue.ts';
import type { Random } from './random.ts';
import type { Planned, Scheduler } from './scheduler.ts';

type RunKey = Parameters<WorkQueue['start']>[0];

/** Wakes of the queue in Redis, which all processes share; a wake may get lost, as with Redis itself. */
export type Wakes = {
  readonly runners: Map<string, { readonly run: RunKey; readonly running: Set<string> }>;
  /** The keys that will run, each at most once at a time. */
  readonly planned: Map<string, Planned>;
};

const AGAIN_AFTER_MS = 1_000;

/**
 * The queue of one process. A key runs in one of the living processes; after the death of a process a sweep finds what
 * is due.
 */
export const createMemoryQueue = (
  wakes: Wakes,
  {
    scheduler,
    random,
    owner,
    isLossy,
  }: {
    readonly scheduler: Scheduler;
    readonly random: Random;
    readonly owner: string;
    readonly isLossy: () => boolean;
  },
): WorkQueue => {
  const plan = (key: string, afterMs: number): void => {
    wakes.planned.get(key)?.cancel();
    wakes.planned.set(
      key,
      scheduler.plan(afterMs, () => begin(key), 'redis'),
    );
  };
  const begin = (key: string): void => {
    wakes.planned.delete(key);
    const living = [...wakes.runners].filter(([name]) => !scheduler.isDead(name));
    if (living.length === 0) return;
    const isRunning = living.some(([, { running }]) => running.has(key));
    if (isRunning) {
      plan(key, AGAIN_AFTER_MS);
      return;
    }
    const [name, { run, running }] = random.oneOf(living);
    scheduler.plan(
      random.next(),
      () => {
        running.add(key);
        run(key)
          .catch(() => ({ againInMs: AGAIN_AFTER_MS }))
          .then(({ againInMs }) => {
            running.delete(key);
            if (againInMs !== null) plan(key, againInMs);
          });
      },
      name,
    );
  };
  return {
    async wake(keys) {
      for (const key of keys) if (!isLossy() && !wakes.planned.has(key)) plan(key, random.next() * 5);
    },
    start(run) {
      wakes.runners.set(owner, { run, running: new Set() });
    },
    async stop() {
      wakes.runners.delete(owner);
    },
  };
};
