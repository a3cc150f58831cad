import type { Db } from 'mongodb';
import { IDS_AT_ONCE } from '../../../platform/write-store/local-server.ts';
import { findAmong, inParts } from '../../../platform/write-store/mongo.ts';
import type { Snapshot } from '../../../platform/write-store/snapshot.ts';
import type { Tallies } from '../tally.ts';

/** Stores that checks read. */
export type Stores = {
  readonly db: Db;
  /** The database through connections that wait for a scan of a whole collection to begin. */
  readonly scans: Db;
  readonly snapshot: Snapshot;
};

/** Stores, and the tallies of the full check that is running. */
export type Checked = Stores & { readonly tallies: Tallies };

/** Records that are looked at together. */
export const BATCH = IDS_AT_ONCE;
/** A cursor over the whole of a collection is what servers do fastest, in large batches. */
const READ_AT_ONCE = 1_000;

/** The documents of a collection, or those of them that have one of these values in a field. */
export async function* documentsOf<T extends object>(
  db: Db,
  name: string,
  values: readonly string[] | null,
  field = '_id',
): AsyncGenerator<readonly T[]> {
  const collection = db.collection<{ _id: string }>(name);
  if (values !== null) {
    for (const part of inParts([...new Set(values)]))
      yield (await findAmong(collection, field, part, {})) as unknown as readonly T[];
    return;
  }
  const cursor = collection.find({}, { batchSize: READ_AT_ONCE });
  try {
    while (await cursor.hasNext())
      for (const batch of inParts(cursor.readBufferedDocuments() as unknown as readonly T[])) yield batch;
  } finally {
    await cursor.close();
  }
}

/** Wanted records, in batches again. */
export async function* filtered<T>(
  batches: AsyncIterable<readonly T[]>,
  isWanted: (item: T) => boolean,
): AsyncGenerator<readonly T[]> {
  const wanted: T[] = [];
  for await (const batch of batches) {
    wanted.push(...batch.filter(isWanted));
    while (wanted.length >= BATCH) yield wanted.splice(0, BATCH);
  }
  if (wanted.length > 0) yield wanted;
}

/** Doubts of checks that look at everything at once. */
export async function* nothing(): AsyncGenerator<never> {}

export const groupBy = <T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};
