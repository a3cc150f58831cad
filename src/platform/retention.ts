import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter } from 'mongodb';
import { type Timestamp, timestamp } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { IdPrefix } from '../kernel/ids.ts';
import type { DueLoop } from './due-work.ts';
import type { EnvironmentTime } from './environment-time.ts';
import type { Logger } from './logger.ts';
import { createLoop } from './loop.ts';
import type { Database } from './write-store/database.ts';
import { idsBefore } from './write-store/ranges.ts';

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
   * and two workers may run it at once. `livemode` is null for all records, false for those of the test environment,
   * and true for all others.
   */
  run(now: Date, signal: AbortSignal, livemode: boolean | null): Promise<number>;
  /** Absent where records keep the real time, although a test clock is ahead of it. */
  readonly ofTest?: {
    /** The first end of a time that is not before `since`; null where none is to come. */
    next(since: Date): Promise<Date | null>;
    /** Whether a record stays for as long as a consumer has to read it. */
    readonly keepsUnread: boolean;
  };
};

const LOOK_EVERY_MS = 3_600_000;
const BATCH = 500;
/**
 * Between batches it rests as long as the last one took, up to this time, because the gateway's own work comes first.
 */
const REST_AT_MOST_MS = 1_000;
const CHORE = 'retention';

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);
export const daysAfter = (at: Timestamp, days: number): Date => new Date(Date.parse(at) + days * DAY_MS);

/**
 * Selects records of one kind that were made before a time. For those of the test environment their id does not say
 * when that was, because ids keep the real time.
 */
export const madeBefore = (prefix: IdPrefix, before: Date, livemode: boolean | null) => {
  if (livemode === false) return { livemode, createdAt: { $gte: '0', $lt: timestamp(before) } } as const;
  return { _id: idsBefore(prefix, before), ...(livemode && { livemode: { $ne: false } }) };
};

/**
 * When the next record of the test environment will have been kept for so many days, at `since` or after it. Its clock
 * never goes back, so the records are in the order of their ids.
 */
export const findNextEnd = async (
  db: Database,
  collection: string,
  { days, since, where = {} }: { readonly days: number; readonly since: Date; readonly where?: object },
): Promise<Date | null> => {
  const made = { $gte: timestamp(daysBefore(since, days)), $lt: ':' };
  const first = await db
    .collection<{ readonly _id: string; readonly createdAt: Timestamp }>(collection)
    .findOne(
      { ...where, livemode: false, createdAt: made },
      { projection: { _id: 0, createdAt: 1 }, sort: { _id: 1 } },
    );
  return first && daysAfter(first.createdAt, days);
};

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

type Deps = {
  readonly removals: readonly Removal[];
  readonly time: EnvironmentTime;
  readonly logger: Logger;
  /** Waits until consumers have read what they have to. */
  readonly untilRead: () => Promise<void>;
};

/**
 * Runs all removals every hour, in one worker. While the test clock is advanced, records of the test environment are
 * removed at the midnight (UTC) after their time, so that the clock stops once for all records of a day.
 */
export const createRetention = (deps: Deps): DueLoop => ({
  start: ({ owns }) =>
    createLoop({
      name: CHORE,
      everyMs: LOOK_EVERY_MS,
      logger: deps.logger,
      round: async (stopping) =>
        owns(CHORE) &&
        deps.time.inEach(async (livemode) => {
          await removeAll(deps, { now: deps.time.clock(), stopping, livemode });
          return false;
        }),
    }),
  due: {
    kind: CHORE,
    async next(since) {
      const day = since.getTime() - (since.getTime() % DAY_MS);
      const ends = await Promise.all(deps.removals.map(({ ofTest }) => ofTest?.next(new Date(day)) ?? null));
      const times = ends.flatMap((end) => (end === null ? [] : [end.getTime()]));
      return times.length === 0 ? null : new Date((Math.floor(Math.min(...times) / DAY_MS) + 1) * DAY_MS);
    },
    async run(now, stopping) {
      if (deps.removals.some(({ ofTest }) => ofTest?.keepsUnread)) await deps.untilRead();
      return removeAll(deps, { now, stopping, livemode: false });
    },
  },
});

/** Removes what was kept long enough. With a test clock, records that keep the real time go with the live ones. */
const removeAll = async (
  { removals, logger }: Pick<Deps, 'removals' | 'logger'>,
  {
    now,
    stopping,
    livemode,
  }: { readonly now: Date; readonly stopping: AbortSignal; readonly livemode: boolean | null },
): Promise<number> => {
  let all = 0;
  for (const { what, run, ofTest } of removals) {
    if (livemode === false && !ofTest) continue;
    try {
      const removed = await run(now, stopping, ofTest ? livemode : null);
      if (removed > 0) logger.info({ what, removed, livemode }, 'removed what was kept long enough');
      all += removed;
    } catch (error) {
      stopping.throwIfAborted();
      // The next round comes in an hour, which is soon enough.
      logger.error({ err: error, what }, 'could not remove what was kept long enough');
    }
  }
  return all;
};
