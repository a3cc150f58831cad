import { batched } from './batched.ts';
import type { Database } from './database.ts';
import { inShards, OUTBOX, type OutboxRow, piecesOf, READY, type StoredRow, whereRowsLie } from './outbox.ts';
import type { Membership } from './workers.ts';

/** The approximate number of pieces of work that are handed over together. */
export const BATCH = 500;
/** Rows in one answer of the store; joined rows stand for many pieces. */
const ROWS_AT_ONCE = 100;
/** Relays that handle the same commit end a few milliseconds apart. */
const GATHER_MS = 5;

/** The statements by which a worker's relays take and remove rows. Relays that ask at the same time share one. */
export type RowsInHand = {
  /** Ready pieces of a consumer in this worker's shards, about 500 at most. */
  take(consumer: string): Promise<readonly OutboxRow[]>;
  /** Removes handled rows, each of which one of its pieces identifies. */
  remove(pieces: readonly OutboxRow[]): Promise<void>;
};

export const createRowsInHand = (db: Database, membership: Pick<Membership, 'shards'>): RowsInHand => {
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

  const take = batched<string, readonly OutboxRow[]>(db, async (consumers) => {
    if (consumers.length === 1) return Promise.all(consumers.map(takeAlone));
    const rows = await find(consumers, ROWS_AT_ONCE).toArray();
    // Each consumer reads alone now, because one with much to do would keep the others from their work.
    if (rows.length === ROWS_AT_ONCE) return Promise.all(consumers.map(takeAlone));
    return consumers.map((consumer) => batchOf(rows.filter((row) => row.consumer === consumer)));
  });

  const removeOne = batched<OutboxRow, void>(
    db,
    async (pieces) => {
      await outbox.deleteMany({ _id: { $in: pieces.map(({ _id }) => _id) }, ...whereRowsLie(db, pieces) });
      return [];
    },
    { gatherMs: GATHER_MS },
  );

  return {
    take: async (consumer) => (membership.shards().length === 0 ? [] : take(consumer)),
    async remove(pieces) {
      await Promise.all(pieces.map(removeOne));
    },
  };
};
