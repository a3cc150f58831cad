import type { Document, FindOptions } from 'mongodb';
import type { TenantId } from '../../kernel/tenant.ts';
import type { Database, Wanted } from './database.ts';
import { findAmong } from './mongo.ts';

/**
 * The tenant for a statement on a collection; null where the collection is not stored by tenant, or the tenant is
 * unknown.
 */
export const named = (db: Database, collection: string, tenantId: TenantId | null): TenantId | null =>
  db.layout.spread.has(collection) ? tenantId : null;

/**
 * Part of a filter that restricts a statement to one shard; empty where the shard cannot be determined. It comes last
 * in a filter, because the server of `make run` searches by the first member that has an index.
 */
export const ofTenant = (
  db: Database,
  collection: string,
  tenantId: TenantId | null,
): { readonly tenantId?: TenantId } => {
  const tenant = named(db, collection, tenantId);
  return tenant === null ? {} : { tenantId: tenant };
};

/**
 * `ofTenant` for documents of several tenants. Null stands for documents that name none; where a tenant is unknown,
 * every shard is searched.
 */
export const ofTenants = (
  db: Database,
  collection: string,
  tenants: readonly (TenantId | null)[],
): { readonly tenantId?: { readonly $in: readonly TenantId[] } } =>
  // The driver's types do not allow null for a member that may be absent.
  db.layout.spread.has(collection) ? { tenantId: { $in: [...new Set(tenants)] as TenantId[] } } : {};

/**
 * The documents that have one of these values in a field and match `also`, with separate statements for each tenant.
 */
export const findOfTenants = async <T extends Document>(
  db: Database,
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
    findAmong<T>(db, collection, field, ofOne, options, {
      ...also,
      ...ofTenant(db, collection, tenantId),
    });
  if (!options.session) return (await Promise.all([...values].map(find))).flat();
  // A session handles one statement at a time.
  const found: T[] = [];
  for (const part of values) found.push(...(await find(part)));
  return found;
};
