import { ObjectId } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type RestingLoop } from '../loop.ts';
import { noteIn } from '../tracing.ts';
import type { Database } from './database.ts';
import { OUTBOX, type OutboxRow, type StoredRow, whereRowsLie } from './outbox.ts';
import { BATCH, type RowsInHand } from './rows-in-hand.ts';

/** The watch of the outbox wakes the relay (watch.ts). This interval is a safeguard for work that the watch misses. */
const POLL_MS = 30_000;
/** Rows that come within this time after the first are handled together with it. */
const GATHER_MS = 25;
const REST_AT_MOST_MS = 100;
/** Failures after which a row is dead-lettered, for a person to look at. */
export const MAX_FAILURES = 8;
const FIRST_RETRY_MS = 500;

/** Attributes of a span by the semantic conventions for messaging. */
const messagingOf = (consumer: string, count: number) => ({
  'messaging.system': 'portico_outbox',
  'messaging.operation.type': 'process',
  'messaging.destination.name': consumer,
  'messaging.batch.message_count': count,
});

export type Failure = { readonly row: OutboxRow; readonly error: string };

/**
 * Does the work of a batch and returns the rows that failed; the others are deleted. Throwing means that nothing can be
 * done now, for instance while a store is down: all rows stay, and none of them counts a failure.
 */
export type HandleRows = (rows: readonly OutboxRow[]) => Promise<readonly Failure[]>;

/** How the rows of a consumer are read. */
export type Reading = {
  /** How many milliseconds rows may gather where nobody waits for their work; 25 by default. */
  readonly gatherMs?: number | undefined;
  /** Set where the work's own transaction removes the rows (`takeRows`); it then never returns failed ones. */
  readonly takesRows?: boolean;
};

/** Gets rows that were handled or have failed, before they are removed, and perhaps more than once. */
export type Hear = (rows: readonly OutboxRow[]) => Promise<void>;

type RelayReport = {
  /** Called with the seconds that the oldest row in flight has waited; 0 where there is none. */
  lag(consumer: string, seconds: number): void;
  done(consumer: string, count: number): void;
};

/** A busy relay has found work that it has not finished, so it will look again by itself. */
export type Relay = RestingLoop & { isBusy(): boolean };

/**
 * Handles the outbox rows of one consumer in this worker's shards until it is stopped. `wake` makes it look at once.
 */
export const startRelay = (
  deps: Reading & {
    readonly db: Database;
    readonly consumer: string;
    readonly handle: HandleRows;
    readonly inHand: RowsInHand;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly report: RelayReport;
    readonly witnesses: readonly Hear[];
  },
): Relay => {
  const { consumer, clock, logger, report, inHand } = deps;
  const outbox = deps.db.collection<StoredRow>(OUTBOX);

  const failed = ({ row, error }: Failure) => {
    const failures = row.failures + 1;
    const isDead = failures >= MAX_FAILURES;
    logger[isDead ? 'error' : 'warn'](
      { consumer, subject: row.subject, failures, error },
      'outbox row failed',
    );
    const retryAt = isDead ? null : new Date(clock().getTime() + FIRST_RETRY_MS * 2 ** (failures - 1));
    return { state: isDead ? 'dead' : 'waiting', failures, retryAt, error } as const;
  };

  /** Removes handled rows. Pieces of them that failed become rows of their own first. */
  const finish = async (pieces: readonly OutboxRow[], failures: readonly Failure[]): Promise<void> => {
    const sizes = new Map<OutboxRow['_id'], number>();
    for (const { _id } of pieces) sizes.set(_id, (sizes.get(_id) ?? 0) + 1);
    const isAlone = ({ row: { _id } }: Failure): boolean => sizes.get(_id) === 1;
    const split = failures.filter((failure) => !isAlone(failure));
    if (split.length > 0)
      await outbox.insertMany(
        split.map((failure) => ({ ...failure.row, ...failed(failure), _id: new ObjectId() })),
      );
    const stay = failures.filter(isAlone);
    const done = new Map(pieces.map((piece) => [piece._id, piece]));
    for (const { row } of stay) done.delete(row._id);
    await inHand.remove([...done.values()]);
    for (const failure of stay) {
      const { row } = failure;
      await outbox.updateOne({ _id: row._id, ...whereRowsLie(deps.db, [row]) }, { $set: failed(failure) });
    }
  };

  let isBusy = false;

  const round = async (): Promise<boolean> => {
    const rows = await inHand.take(consumer);
    isBusy = rows.length > 0;
    const oldest = rows.reduce((at, row) => Math.min(at, row.createdAt.getTime()), clock().getTime());
    report.lag(consumer, (clock().getTime() - oldest) / 1000);
    if (rows.length === 0) return false;

    const startedAt = Date.now();
    const failures = await deps.handle(rows);
    noteIn(rows, `process ${consumer}`, messagingOf(consumer, rows.length), startedAt);
    for (const hear of deps.witnesses) await hear(rows);
    if (!deps.takesRows) await finish(rows, failures);
    report.done(consumer, rows.length - failures.length);
    const hasMore = rows.length >= BATCH;
    isBusy = hasMore;
    if (!hasMore) report.lag(consumer, 0);
    return hasMore;
  };

  const loop = createLoop({
    name: `relay ${consumer}`,
    everyMs: POLL_MS,
    gatherMs: deps.gatherMs ?? GATHER_MS,
    restAtMostMs: REST_AT_MOST_MS,
    logger,
    round,
  });
  return { ...loop, isBusy: () => isBusy };
};
