import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong, inParts, PART } from '../../../platform/write-store/mongo.ts';
import type { Snapshot } from '../../../platform/write-store/snapshot.ts';
import type { Tallies } from '../tally.ts';

/** Stores that the checks read. */
export type Stores = {
  readonly db: Database;
  /** The database over connections that give a scan of a whole collection the time to begin. */
  readonly scans: Database;
  readonly snapshot: Snapshot;
};

/** The stores, and the tallies of the full check that is running. */
export type Checked = Stores & { readonly tallies: Tallies };

/** Servers return a whole collection fastest by one cursor with large batches. */
const READ_AT_ONCE = 1_000;

/** All documents of a collection, or the ones whose field has one of these values. */
export async function* documentsOf<T extends object>(
  db: Database,
  name: string,
  values: readonly string[] | null,
  field = '_id',
): AsyncGenerator<readonly T[]> {
  if (values !== null) {
    for (const part of inParts([...new Set(values)])) yield await findAmong<T>(db, name, field, part, {});
    return;
  }
  const cursor = db.collection<{ _id: string }>(name).find<T>({}, { batchSize: READ_AT_ONCE });
  try {
    while (await cursor.hasNext()) for (const batch of inParts(cursor.readBufferedDocuments())) yield batch;
  } finally {
    await cursor.close();
  }
}

/** The records that a condition holds for, again in batches. */
export async function* filtered<T>(
  batches: AsyncIterable<readonly T[]>,
  isWanted: (item: T) => boolean,
): AsyncGenerator<readonly T[]> {
  const wanted: T[] = [];
  for await (const batch of batches) {
    wanted.push(...batch.filter(isWanted));
    while (wanted.length >= PART) yield wanted.splice(0, PART);
  }
  if (wanted.length > 0) yield wanted;
}

/** The doubts of a check whose sweep looks at everything itself. */
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
