import type { Db } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { batchedById } from './batched.ts';

type ReadById = (id: string) => Promise<Resource | null>;
const readers = new WeakMap<Db, Map<string, ReadById>>();

const readerOf = (db: Db, collection: string): ReadById => {
  const ofDb = readers.get(db) ?? new Map<string, ReadById>();
  readers.set(db, ofDb);
  const known = ofDb.get(collection);
  if (known) return known;
  const reader = batchedById<Resource>(db.collection(collection), {
    projection: { secret: 0, tenantId: 0 },
    readConcern: { level: 'majority' },
  });
  ofDb.set(collection, reader);
  return reader;
};

/** The resource with this id, read outside any transaction; those that are read at the same time share a statement. */
export const readResource = async <T extends Resource>(
  db: Db,
  from: Store<T>,
  id: string,
): Promise<T | null> => (await readerOf(db, from.collection)(id)) as T | null;
