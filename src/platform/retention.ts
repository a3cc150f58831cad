import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter } from 'mongodb';
import type { Clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { Logger } from './logger.ts';
import { createLoop, type Loop } from './loop.ts';
import type { Membership } from './write-store/workers.ts';

/** For how many days what is of no further use to the gateway itself is kept; null: for ever. */
export type Retention = {
  readonly eventDays: number | null;
  readonly webhookDays: number | null;
  readonly documentDays: number | null;
};

/** Stored things of one kind that are removed some day. */
export type Removal = {
  /** Name of the records, in the plural. */
  readonly what: string;
  /**
   * Removes those that have had their time, in small batches, and returns how many. It may be cut short by the signal
   * or by a crash, and run in two workers at once.
   */
  run(now: Date, signal: AbortSignal): Promise<number>;
};

const LOOK_EVERY_MS = 3_600_000;
const BATCH = 500;
/** Between batches it rests as long as one took, at most so long: the gateway's own work comes first. */
const REST_AT_MOST_MS = 1_000;
const CHORE = 'retention';

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Documents that a filter selects, in batches, at a limited rate. Throws where the signal is given. */
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

/** Removes everything that has had its time, every hour, in one worker. */
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
          // In an hour again: there is no hurry.
          deps.logger.error({ err: error, what }, 'could not remove what was kept long enough');
        }
      }
      return false;
    },
  });
