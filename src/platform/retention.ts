import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter } from 'mongodb';
import type { Clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { Logger } from './logger.ts';
import { createLoop, type Loop } from './loop.ts';
import type { Membership } from './write-store/workers.ts';

/** How many days records are kept that the gateway itself no longer needs; null keeps them for ever. */
export type Retention = {
  readonly eventDays: number | null;
  readonly webhookDays: number | null;
  readonly documentDays: number | null;
};

/** Removes records of one kind after their retention time. */
export type Removal = {
  /** Plural name of the records. */
  readonly what: string;
  /**
   * Removes records whose time is over, in small batches, and returns how many. The signal or a crash may cut it short,
   * and two workers may run it at once.
   */
  run(now: Date, signal: AbortSignal): Promise<number>;
};

const LOOK_EVERY_MS = 3_600_000;
const BATCH = 500;
/**
 * Between batches it rests as long as the last one took, up to this time, because the gateway's own work comes first.
 */
const REST_AT_MOST_MS = 1_000;
const CHORE = 'retention';

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** The documents that match a filter, in batches and at a limited rate. Throws when the signal aborts. */
export async function* inBatches<T extends object>(
  collection: Collection<T>,
  filter: Filter<T>,
  fields: { readonly [K in keyof T]?: 1 },
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  const cursor = collection.find<T>(filter, { projection: fields, batchSize: BATCH });
  try {
    while (await cursor.hasNext()) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      yield cursor.readBufferedDocuments() as T[];
      await sleep(Math.min(REST_AT_MOST_MS, performance.now() - startedAt));
    }
  } finally {
    await cursor.close();
  }
}

/** Runs all removals every hour, in one worker. */
export const startRetention = (deps: {
  readonly removals: readonly Removal[];
  readonly membership: Pick<Membership, 'owns'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Loop =>
  createLoop({
    name: CHORE,
    everyMs: LOOK_EVERY_MS,
    logger: deps.logger,
    async round(stopping) {
      if (!deps.membership.owns(CHORE)) return false;
      for (const { what, run } of deps.removals) {
        try {
          const removed = await run(deps.clock(), stopping);
          if (removed > 0) deps.logger.info({ what, removed }, 'removed what was kept long enough');
        } catch (error) {
          stopping.throwIfAborted();
          // The next round comes in an hour, which is soon enough.
          deps.logger.error({ err: error, what }, 'could not remove what was kept long enough');
        }
      }
      return false;
    },
  });
