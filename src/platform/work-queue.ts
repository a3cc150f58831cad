import { setTimeout as sleep } from 'node:timers/promises';
import { type JobsOptions, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';
import { createSparingLog } from './sparing-log.ts';

type RunKey = (key: string) => Promise<{ readonly againInMs: number | null }>;

/**
 * Keys with work, shared by all worker processes. The queue only schedules; whoever wakes a key has stored the work.
 */
export type WorkQueue = {
  /**
   * Makes each key run soon: at once, or once more after its current run. Does nothing where Redis cannot be reached,
   * so the caller has to wake it again from time to time.
   */
  wake(keys: readonly string[]): Promise<void>;
  /**
   * Starts running keys in this process. `run` is called with a key, never twice at a time for the same key. It returns
   * the milliseconds until the key runs again, or null for a key that waits to be woken.
   */
  start(run: RunKey): void;
  /** Starts no further run and ends after those in flight, whether Redis answers or not. */
  stop(): Promise<void>;
};

const COMMAND_TIMEOUT_MS = 2_000;
const CLOSE_WITHIN_MS = 2_000;
const AFTER_ERROR_MS = 1_000;
/** How long a key rests after the process that ran it was killed: the lock time, and at most twice the interval. */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 4_000;
const KEEP_EVENTS = 100;
const KEYS_AT_ONCE = 500;

/** Runs each key once at a time, until it is stopped. */
const createRunner = ({ name, logger }: { readonly name: string; readonly logger: Logger }) => {
  const complain = createSparingLog(logger, 'error');
  const running = new Map<string, Promise<unknown>>();
  let stopping = false;
  const run = async (key: string, runKey: RunKey): Promise<number | null> => {
    // A job that was fetched at this moment is left to other processes, or to the next start.
    if (stopping) return 0;
    if (running.has(key)) return AFTER_ERROR_MS;
    const underWay = runKey(key).then(
      ({ againInMs }) => againInMs,
      (error: unknown) => {
        complain(error, { queue: name, key }, 'queued work failed');
        return AFTER_ERROR_MS;
      },
    );
    running.set(key, underWay);
    return underWay.finally(() => running.delete(key));
  };
  return {
    run,
    stop: (): void => {
      stopping = true;
    },
    /** Resolves once the present runs have ended. */
    idle: async (): Promise<void> => void (await Promise.all(running.values())),
  };
};

/**
 * A queue on Redis by BullMQ. Where a lock is lost, or not renewed in time, two processes may run a key at once, so
 * work that must not happen twice has a guard of its own.
 */
export const createWorkQueue = (deps: {
  readonly redisUrl: string;
  /** Prefix of all keys in Redis. */
  readonly prefix: string;
  readonly name: string;
  /** How many keys are run at once in this process. */
  readonly concurrency: number;
  readonly logger: Logger;
}): WorkQueue => {
  const log = outageLog(deps.logger.child({ queue: deps.name }));
  // Calls that wake keys must not wait, while calls that work must never give up.
  const waker = connect(deps.redisUrl, log, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  const queue = new Queue<{ key: string }>(deps.name, {
    connection: waker,
    prefix: deps.prefix,
    // The version check asks the server once, and never again where the answer gets lost.
    skipVersionCheck: true,
    streams: { events: { maxLen: KEEP_EVENTS } },
  });
  queue.on('error', log.failed);

  const runner = createRunner(deps);
  let worker: { readonly jobs: Worker; readonly connection: Redis } | null = null;

  const add = async (jobs: readonly { key: string; options: JobsOptions }[]): Promise<void> => {
    if (waker.status !== 'ready') return;
    try {
      await queue.addBulk(jobs.map(({ key, options }) => ({ name: 'run', data: { key }, opts: options })));
    } catch (error) {
      log.failed(error);
    }
  };

  return {
    async wake(keys) {
      for (let first = 0; first < keys.length; first += KEYS_AT_ONCE)
        await add(
          keys.slice(first, first + KEYS_AT_ONCE).map((key) => ({
            key,
            options: jobOptions(key, { reschedule: true }),
          })),
        );
    },

    start(run) {
      if (worker) return;
      const connection = connect(deps.redisUrl, log, { maxRetriesPerRequest: null });
      const jobs = new Worker<{ key: string }, number | null>(
        deps.name,
        ({ data }) => runner.run(data.key, run),
        {
          connection,
          prefix: deps.prefix,
          autorun: false,
          concurrency: deps.concurrency,
          lockDuration: LOCK_MS,
          stalledInterval: STALLED_CHECK_MS,
          // A key whose processes were killed is still run, however often that happened.
          maxStalledCount: Number.MAX_SAFE_INTEGER,
          runRetryDelay: AFTER_ERROR_MS,
        },
      );
      jobs.on('error', log.failed);
      // The key runs again only after the job has ended. A wake during the job is kept until then, and this would
      // replace it.
      jobs.on('completed', ({ data }, againInMs) => {
        if (againInMs !== null)
          add([{ key: data.key, options: jobOptions(data.key, { delayMs: againInMs }) }]);
      });
      jobs.run().catch(log.failed);
      worker = { jobs, connection };
    },

    async stop() {
      runner.stop();
      if (worker) {
        // Pausing waits until the ends of the runs are written; closing by force does not wait for Redis.
        const paused = worker.jobs.pause().catch(log.failed);
        await runner.idle();
        await orInTime(paused);
        await worker.jobs.close(true).catch(log.failed);
        worker.connection.disconnect();
      }
      await orInTime(queue.close().catch(log.failed));
      waker.disconnect();
    },
  };
};

/** At most one job of a key waits and at most one is in flight; a wake in between is kept until that one ends. */
const jobOptions = (
  key: string,
  { reschedule = false, delayMs = 0 }: { readonly reschedule?: boolean; readonly delayMs?: number },
): JobsOptions => ({
  deduplication: { id: key, keepLastIfActive: true, reschedule },
  delay: Math.ceil(delayMs),
  removeOnComplete: true,
  removeOnFail: true,
});

const orInTime = (done: Promise<void>): Promise<void> =>
  Promise.race([done, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);

type OutageLog = { readonly failed: (error: unknown) => void };

const outageLog = (logger: Logger): OutageLog => {
  const complain = createSparingLog(logger, 'warn');
  return {
    failed: (error) =>
      complain(error, {}, 'the queue in Redis does not work as it should; the sweep stands in for it'),
  };
};

const connect = (
  url: string,
  log: OutageLog,
  options: { maxRetriesPerRequest: number | null; enableOfflineQueue?: boolean; commandTimeout?: number },
): Redis => new Redis(url, options).on('error', log.failed);
