import type { Db, Document, FindOptions } from 'mongodb';
import type { TenantId } from '../../kernel/tenant.ts';
import { findAmong } from './mongo.ts';

const spread = new WeakMap<Db, ReadonlySet<string>>();

/** Has statements on these collections name the tenant, because its documents lie together on one shard. */
export const spreadByTenant = (db: Db, collections: Iterable<string>): void => {
  spread.set(db, new Set(collections));
};

/** The tenant of a statement on a collection; null where the collection is not spread or nobody knows the tenant. */
export const named = (db: Db, collection: string, tenantId: TenantId | null): TenantId | null =>
  spread.get(db)?.has(collection) ? tenantId : null;

/**
 * Part of a filter that asks one shard instead of all; empty where no shard can be told. It comes last in a filter
 * (local-server.ts).
 */
export const ofTenant = (
  db: Db,
  collection: string,
  tenantId: TenantId | null,
): { readonly tenantId?: TenantId } => {
  const tenant = named(db, collection, tenantId);
  return tenant === null ? {} : { tenantId: tenant };
};

/**
 * Does so for documents of several tenants. Null stands for those that name none; those of an unknown tenant are
 * searched for on every shard.
 */
export const ofTenants = (
  db: Db,
  collection: string,
  tenants: readonly (TenantId | null)[],
): { readonly tenantId?: { readonly $in: readonly TenantId[] } } =>
  // The driver's types know no null for a member that may be absent.
  spread.get(db)?.has(collection) ? { tenantId: { $in: [...new Set(tenants)] as TenantId[] } } : {};

/** A value to be found, and the tenant of the documents that have it, as far as it is known. */
export type Wanted = { readonly value: string; readonly tenantId: TenantId | null };

/** The documents that have one of these values in a field, and match `also`; each tenant has statements of its own. */
export const findOfTenants = async <T extends Document>(
  db: Db,
  collection: string,
  field: string,
  wanted: readonly Wanted[],
  options: FindOptions,
  also: Document = {},
): Promise<readonly T[]> => {
  const values = new Map<TenantId | null, string[]>();
  for (const { value, tenantId } of wanted) {
    const tenant = named(db, collection, tenantId);
    values.set(tenant, [...(values.get(tenant) ?? []), value]);
  }
  const find = ([tenantId, ofOne]: readonly [TenantId | null, readonly string[]]) =>
    findAmong<T>(db.collection(collection), field, ofOne, options, {
      ...also,
      ...ofTenant(db, collection, tenantId),
    });
  if (!options.session) return (await Promise.all([...values].map(find))).flat();
  // A session takes one statement at a time.
  const found: T[] = [];
  for (const part of values) found.push(...(await find(part)));
  return found;
};
