import type { ClientSession, Filter } from 'mongodb';
import type { Timestamp } from '../../kernel/clock.ts';
import type { Resource } from '../../kernel/event.ts';
import { type mayRead, type Principal, tenantOfCaller, visible } from '../../kernel/principal.ts';
import type { Store } from '../../kernel/store.ts';
import type { TenantId } from '../../kernel/tenant.ts';
import type { ReadInTime } from '../in-time.ts';
import { batched } from './batched.ts';
import type { Database, Wanted } from './database.ts';
import { RESOURCE_ONLY } from './mongo.ts';
import { upToMoment } from './ranges.ts';
import { findOfTenants, ofTenant } from './spread.ts';
import { type StoredResource, storedIn } from './stored-resource.ts';

/** Reads a resource by its id; with `tenantId` only one of that tenant, with null (or without it) of any. */
export type FindById<T> = (id: string, tenantId?: TenantId | null) => Promise<T | null>;

/**
 * The record of a merchant with this id; 404, with the record's name for people, where there is none that the caller
 * may see.
 */
export const findVisible = async <T extends Owned>(
  find: FindById<T>,
  principal: Principal,
  id: string,
  name: string,
): Promise<T> => visible(principal, await find(id, tenantOfCaller(principal)), name);

type Owned = Parameters<typeof mayRead>[1];

type ReadById = (wanted: Wanted) => Promise<StoredResource | null>;

const readerOf = (db: Database, collection: string): ReadById => {
  const known = db.readers.get(collection);
  if (known) return known;
  const reader = batched<Wanted, StoredResource | null>(db, async (wanted) => {
    const found = await findOfTenants<{ readonly _id: string }>(db, collection, '_id', wanted, {
      readConcern: { level: 'majority' },
    });
    const byId = new Map(found.map((document) => [document._id, storedIn(document)]));
    return wanted.map(({ value }) => byId.get(value) ?? null);
  });
  db.readers.set(collection, reader);
  return reader;
};

/**
 * The resource with this id, read outside any transaction. Simultaneous reads share a statement. With `tenantId` only
 * one of that tenant; null for any tenant, and for a resource that is not stored by tenant.
 */
export const readResource = async <T extends Resource>(
  db: Database,
  from: Store<T>,
  id: string,
  tenantId: TenantId | null = null,
): Promise<T | null> => (await readStored(db, from, id, tenantId))?.resource ?? null;

/** `readResource` with the tenant that the document names. */
export const readStored = async <T extends Resource>(
  db: Database,
  from: Store<T>,
  id: string,
  tenantId: TenantId | null,
): Promise<StoredResource<T> | null> =>
  (await readerOf(db, from.collection)({ value: id, tenantId })) as StoredResource<T> | null;

/** Makes a function that reads a resource by its id outside any transaction; `tenantId` as in `readResource`. */
export const createFindById =
  <T extends Resource>(
    { db, readInTime }: { readonly db: Database; readonly readInTime: ReadInTime },
    from: Store<T>,
  ): FindById<T> =>
  (id, tenantId = null) =>
    readInTime(() => readResource(db, from, id, tenantId));

/** Selects the records of one environment; those of both where `livemode` is null. */
export const inEnvironment = (livemode: boolean | null): { readonly livemode?: boolean } =>
  livemode === null ? {} : { livemode };

/** Finds the resources of a store that are due to be reconciled, in one environment or in both. */
export const createFindDue =
  <T extends Resource>(db: Database, { collection }: Store<T>) =>
  (now: Date, limit: number, livemode: boolean | null = null): Promise<T[]> =>
    db
      .collection(collection)
      .find<T>(
        { reconcileAt: upToMoment(now), ...inEnvironment(livemode) },
        { projection: RESOURCE_ONLY, limit, ...(livemode === null ? {} : { sort: IN_ORDER }) },
      )
      .toArray();

/** The longest due first, and of records that are due at the same instant the oldest first. */
const IN_ORDER = { reconcileAt: 1, _id: 1 } as const;

/** The first time that a member has among these records of the test environment; null where none has it. */
export const findFirstTime = async <T extends object>(
  db: Database,
  collection: string,
  member: string,
  where: Filter<T> = {},
): Promise<Date | null> => {
  const [first] = await db
    .collection<T>(collection)
    .aggregate<{ readonly at: Timestamp }>([
      { $match: { ...where, livemode: false, [member]: { $gte: '0', $lt: ':' } } },
      { $sort: { [member]: 1 } },
      { $limit: 1 },
      { $project: { _id: 0, at: `$${member}` } },
    ])
    .toArray();
  return first ? new Date(first.at) : null;
};

/** Reads a resource as the session's transaction sees it. */
export const readResourceIn = async <T extends Resource>(
  session: ClientSession,
  db: Database,
  from: Store<T>,
  id: string,
): Promise<T | null> => (await readStoredIn(session, db, from, id, null))?.resource ?? null;

export const readStoredIn = async <T extends Resource>(
  session: ClientSession,
  db: Database,
  { collection }: Store<T>,
  id: string,
  tenantId: TenantId | null,
): Promise<StoredResource<T> | null> => {
  const filter = { _id: id, ...ofTenant(db, collection, tenantId) };
  const found = await db.collection<{ _id: string }>(collection).findOne(filter, { session });
  return found && storedIn(found);
};
