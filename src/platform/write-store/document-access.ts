import type { ClientSession, FindOptions } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import type { TenantId } from '../../kernel/tenant.ts';
import { changeOf } from './commit.ts';
import type { Database } from './database.ts';
import { findAmong } from './mongo.ts';
import { readStored, readStoredIn } from './read-resource.ts';
import { ofTenant } from './spread.ts';
import { type StoredResource, storedIn } from './stored-resource.ts';
import { type DocumentAccess, type StoredReads, VersionConflict } from './write-set.ts';

const findAll = async <T extends Resource>(
  db: Database,
  { collection }: Store<T>,
  ids: readonly string[],
  tenantId: TenantId | null,
  options: FindOptions,
): Promise<readonly StoredResource<T>[]> => {
  const tenant = ofTenant(db, collection, tenantId);
  return (await findAmong(db, collection, '_id', ids, options, tenant)).map(storedIn<T>);
};

/** Reads outside any transaction; simultaneous commands share statements. */
export const storedReads = (db: Database, tenantId: TenantId | null): StoredReads => ({
  get: (from, id) => readStored(db, from, id, tenantId),
  getAll: (from, ids) => findAll(db, from, ids, tenantId, { readConcern: { level: 'majority' } }),
});

/** Stores each document at once, so that the command's own searches find it. */
export const documentsIn = (db: Database, session: ClientSession, owner: TenantId | null): DocumentAccess => {
  const put: DocumentAccess['put'] = async (write) => {
    const { collection, id, version, tenantId, fields } = write;
    const documents = db.collection<{ _id: string; version?: number }>(collection);
    if (version === null) {
      await documents.insertOne({ ...fields, tenantId, _id: id } as { _id: string }, { session });
      return;
    }
    const { matchedCount } = await documents.bulkWrite([changeOf(db, write)], { session });
    if (matchedCount === 0) throw new VersionConflict();
  };
  return {
    get: (from, id) => readStoredIn(session, db, from, id, owner),
    getAll: (from, ids) => findAll(db, from, ids, owner, { session }),
    put,
    hold: put,
  };
};
