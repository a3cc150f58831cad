import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import { inParts } from './mongo.ts';
import { inShards, OUTBOX, type OutboxRow } from './outbox.ts';
import type { Membership } from './workers.ts';

const BATCH = 500;
/** The watch of the outbox wakes the relay (watch.ts); this is for what it should ever miss. */
const POLL_MS = 5_000;
const GATHER_MS = 25;
const REST_AT_MOST_MS = 100;
/** Failures after which a row is dead-lettered for a person to look at. */
export const MAX_FAILURES = 8;
const FIRST_RETRY_MS = 500;

export type Failure = { readonly row: OutboxRow; readonly error: string };

/**
 * Does the work of a batch and names the rows that failed; the others are deleted. Throwing means that nothing
 * could be done now (a store is down): all rows stay, and none of them counts a failure.
 */
export type HandleRows = (rows: readonly OutboxRow[]) => Promise<readonly Failure[]>;

/** Hears of rows that were worked off, or failed, before they are removed. It may hear of a row more than once. */
export type Hear = (rows: readonly OutboxRow[]) => Promise<void>;

type RelayReport = {
  /** Seconds that the oldest row in hand has waited, 0 where there is none. */
  lag(consumer: string, seconds: number): void;
  done(consumer: string, count: number): void;
};

/** A relay that is busy has found work and not ended it: it looks again by itself. */
export type Relay = Loop & { isBusy(): boolean };

/** Reads the outbox rows of one consumer, in this worker's shards, until stopped. `wake` makes it look at once. */
export const startRelay = (deps: {
  readonly db: Db;
  readonly consumer: string;
  readonly handle: HandleRows;
  readonly membership: Pick<Membership, 'shards'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly report: RelayReport;
  readonly witnesses: readonly Hear[];
}): Relay => {
  const { consumer, clock, logger, report } = deps;
  const outbox = deps.db.collection<OutboxRow>(OUTBOX);

  const recordFailure = async ({ row, error }: Failure): Promise<void> => {
    const failures = row.failures + 1;
    const isDead = failures >= MAX_FAILURES;
    const retryAt = isDead ? null : new Date(clock().getTime() + FIRST_RETRY_MS * 2 ** (failures - 1));
    await outbox.updateOne(
      { _id: row._id },
      { $set: { state: isDead ? 'dead' : 'waiting', failures, retryAt, error } },
    );
    logger[isDead ? 'error' : 'warn'](
      { consumer, subject: row.subject, failures, error },
      'outbox row failed',
    );
  };

  let isBusy = false;

  const round = async (): Promise<boolean> => {
    const shards = deps.membership.shards();
    const rows =
      shards.length === 0
        ? []
        : await outbox.find({ consumer, state: 'ready', ...inShards(shards) }, { limit: BATCH }).toArray();
    isBusy = rows.length > 0;
    const oldest = rows.reduce((at, row) => Math.min(at, row.createdAt.getTime()), clock().getTime());
    report.lag(consumer, (clock().getTime() - oldest) / 1000);
    if (rows.length === 0) return false;

    const failures = await deps.handle(rows);
    for (const hear of deps.witnesses) await hear(rows);
    const failed = new Set(failures.map((failure) => failure.row));
    const done = rows.filter((row) => !failed.has(row));
    for (const ids of inParts(done.map((row) => row._id)))
      await outbox.deleteMany({ _id: { $in: [...ids] } });
    for (const failure of failures) await recordFailure(failure);
    report.done(consumer, done.length);
    const hasMore = rows.length === BATCH;
    isBusy = hasMore;
    if (!hasMore) report.lag(consumer, 0);
    return hasMore;
  };

  const loop = createLoop({
    name: `relay ${consumer}`,
    everyMs: POLL_MS,
    gatherMs: GATHER_MS,
    restAtMostMs: REST_AT_MOST_MS,
    logger,
    round,
  });
  return { ...loop, isBusy: () => isBusy };
};
