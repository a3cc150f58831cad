import { type Db, ObjectId } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import { noteIn } from '../tracing.ts';
import { inParts } from './mongo.ts';
import { inShards, OUTBOX, type OutboxRow, piecesOf, READY, type StoredRow } from './outbox.ts';
import type { Membership } from './workers.ts';

/** Pieces of work that are handed over together, about. */
const BATCH = 500;
/** Rows that one answer of the store brings: joined ones stand for many pieces. */
const ROWS_AT_ONCE = 100;
/** The watch of the outbox wakes the relay (watch.ts); this is for what it should ever miss. */
const POLL_MS = 30_000;
const GATHER_MS = 25;
const REST_AT_MOST_MS = 100;
/** Failures after which a row is dead-lettered for a person to look at. */
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
 * Does the work of a batch and names the rows that failed; the others are deleted. Throwing means that nothing could be
 * done now, as while a store is down. All rows stay, and none of them counts a failure.
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
  const outbox = deps.db.collection<StoredRow>(OUTBOX);

  const take = async (shards: readonly number[]): Promise<readonly OutboxRow[]> => {
    const filter = { consumer, state: { $in: [...READY] }, ...inShards(shards) };
    const pieces: OutboxRow[] = [];
    for await (const row of outbox.find(filter, { limit: BATCH, batchSize: ROWS_AT_ONCE })) {
      pieces.push(...piecesOf(row));
      if (pieces.length >= BATCH) break;
    }
    return pieces;
  };

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

  /** Removes rows that are worked off. Failed pieces of them become rows of their own before. */
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
    const staying = new Set(stay.map(({ row }) => row._id));
    for (const ids of inParts([...sizes.keys()].filter((_id) => !staying.has(_id))))
      await outbox.deleteMany({ _id: { $in: [...ids] } });
    for (const failure of stay) await outbox.updateOne({ _id: failure.row._id }, { $set: failed(failure) });
  };

  let isBusy = false;

  const round = async (): Promise<boolean> => {
    const shards = deps.membership.shards();
    const rows = shards.length === 0 ? [] : await take(shards);
    isBusy = rows.length > 0;
    const oldest = rows.reduce((at, row) => Math.min(at, row.createdAt.getTime()), clock().getTime());
    report.lag(consumer, (clock().getTime() - oldest) / 1000);
    if (rows.length === 0) return false;

    const startedAt = Date.now();
    const failures = await deps.handle(rows);
    noteIn(rows, `process ${consumer}`, messagingOf(consumer, rows.length), startedAt);
    for (const hear of deps.witnesses) await hear(rows);
    await finish(rows, failures);
    report.done(consumer, rows.length - failures.length);
    const hasMore = rows.length >= BATCH;
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
