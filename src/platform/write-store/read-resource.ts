import type { ClientSession, Db } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import { type mayRead, type Principal, tenantOfCaller, visible } from '../../kernel/principal.ts';
import type { Store } from '../../kernel/store.ts';
import type { TenantId } from '../../kernel/tenant.ts';
import { batched } from './batched.ts';
import { resourceIn, upToMoment } from './local-server.ts';
import { RESOURCE_ONLY } from './mongo.ts';
import { findOfTenants, ofTenant, type Wanted } from './spread.ts';

/** Reads a resource by its id; `tenantId` is whose it has to be, null (or nothing) for anybody's. */
export type FindById<T> = (id: string, tenantId?: TenantId | null) => Promise<T | null>;

/** The record of a merchant with this id, named so for people; 404 where there is none in the caller's sight. */
export const findVisible = async <T extends Owned>(
  find: FindById<T>,
  principal: Principal,
  id: string,
  name: string,
): Promise<T> => visible(principal, await find(id, tenantOfCaller(principal)), name);

type Owned = Parameters<typeof mayRead>[1];

type ReadById = (wanted: Wanted) => Promise<Resource | null>;
const readers = new WeakMap<Db, Map<string, ReadById>>();

const readerOf = (db: Db, collection: string): ReadById => {
  const ofDb = readers.get(db) ?? new Map<string, ReadById>();
  readers.set(db, ofDb);
  const known = ofDb.get(collection);
  if (known) return known;
  const reader = batched<Wanted, Resource | null>(async (wanted) => {
    const found = await findOfTenants<Resource>(db, collection, '_id', wanted, {
      projection: RESOURCE_ONLY,
      readConcern: { level: 'majority' },
    });
    const byId = new Map(found.map((resource) => [resource.id, resource]));
    return wanted.map(({ value }) => byId.get(value) ?? null);
  });
  ofDb.set(collection, reader);
  return reader;
};

/**
 * The resource with this id, read outside any transaction; those that are read at the same time share a statement.
 * `tenantId` is whose it has to be; null for anybody's, and for a resource that is not spread by tenant.
 */
export const readResource = async <T extends Resource>(
  db: Db,
  from: Store<T>,
  id: string,
  tenantId: TenantId | null = null,
): Promise<T | null> => (await readerOf(db, from.collection)({ value: id, tenantId })) as T | null;

/** Resources of a store that a reconciler is to ask about by now. */
export const createFindDue =
  <T extends Resource>(db: Db, { collection }: Store<T>) =>
  (now: Date, limit: number): Promise<T[]> =>
    db
      .collection(collection)
      .find<T>({ reconcileAt: upToMoment(now) }, { projection: RESOURCE_ONLY, limit })
      .toArray();

/** Reads a resource as the transaction of the session sees it. */
export const readResourceIn = async <T extends Resource>(
  session: ClientSession,
  db: Db,
  { collection }: Store<T>,
  id: string,
  tenantId: TenantId | null = null,
): Promise<T | null> => {
  const filter = { _id: id, ...ofTenant(db, collection, tenantId) };
  const found = await db.collection<{ _id: string }>(collection).findOne(filter, { session });
  return found && (resourceIn(found) as unknown as T);
};
