import type { Db } from 'mongodb';
import { batched } from './batched.ts';
import { IDS_AT_ONCE } from './local-server.ts';
import { inShards, OUTBOX, type OutboxRow, piecesOf, READY, type StoredRow, whereRowsLie } from './outbox.ts';
import type { Membership } from './workers.ts';

/** Pieces of work that are handed over together, about. */
export const BATCH = 500;
/** Rows that one answer of the store brings: joined ones stand for many pieces. */
const ROWS_AT_ONCE = 100;
/** Relays that worked on the same commit end a few milliseconds apart. */
const GATHER_MS = 5;

/** Statements by which relays of a worker take and remove rows. Relays that ask at the same time share one. */
export type RowsInHand = {
  /** Pieces of a consumer that are ready in this worker's shards; about 500 at most. */
  take(consumer: string): Promise<readonly OutboxRow[]>;
  /** Removes what was worked off, by one piece of each row. */
  remove(pieces: readonly OutboxRow[]): Promise<void>;
};

export const createRowsInHand = (db: Db, membership: Pick<Membership, 'shards'>): RowsInHand => {
  const outbox = db.collection<StoredRow>(OUTBOX);

  const find = (consumers: readonly string[], limit: number) =>
    outbox.find(
      { consumer: { $in: [...consumers] }, state: { $in: [...READY] }, ...inShards(membership.shards()) },
      { limit, batchSize: ROWS_AT_ONCE },
    );

  const takeAlone = async (consumer: string): Promise<readonly OutboxRow[]> => {
    const pieces: OutboxRow[] = [];
    for await (const row of find([consumer], BATCH)) {
      pieces.push(...piecesOf(row));
      if (pieces.length >= BATCH) break;
    }
    return pieces;
  };

  const batchOf = (rows: readonly StoredRow[]): readonly OutboxRow[] => {
    const pieces: OutboxRow[] = [];
    for (const row of rows) if (pieces.length < BATCH) pieces.push(...piecesOf(row));
    return pieces;
  };

  const take = batched<string, readonly OutboxRow[]>(async (consumers) => {
    if (consumers.length === 1) return Promise.all(consumers.map(takeAlone));
    const rows = await find(consumers, ROWS_AT_ONCE).toArray();
    // One consumer with much to do would keep the others from theirs.
    if (rows.length === ROWS_AT_ONCE) return Promise.all(consumers.map(takeAlone));
    return consumers.map((consumer) => batchOf(rows.filter((row) => row.consumer === consumer)));
  });

  const removeOne = batched<OutboxRow, void>(
    async (pieces) => {
      await outbox.deleteMany({ _id: { $in: pieces.map(({ _id }) => _id) }, ...whereRowsLie(db, pieces) });
      return [];
    },
    IDS_AT_ONCE,
    GATHER_MS,
  );

  return {
    take: async (consumer) => (membership.shards().length === 0 ? [] : take(consumer)),
    async remove(pieces) {
      await Promise.all(pieces.map(removeOne));
    },
  };
};
