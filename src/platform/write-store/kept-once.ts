import type { Db } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { tenantShownBy } from '../../kernel/tenant.ts';
import { findOfTenants } from './spread.ts';
import { storedTenantOf, withTenant } from './stored-tenant.ts';

/**
 * A resource as its events and pictures in the audit log have it: without the members that its document alone keeps
 * (`keptOnce`). A member that is null stays, so that it need not be looked for.
 */
export const withoutKept = (
  { keptOnce = [] }: Pick<Store<never>, 'keptOnce'>,
  resource: Resource,
): Resource => {
  const lean = { ...resource };
  for (const [name, value] of Object.entries(resource))
    if (value !== null && keptOnce.includes(name)) Reflect.deleteProperty(lean, name);
  return lean;
};

type Kept = Readonly<Record<string, unknown>> & { readonly _id: string };

/**
 * Resources of events as their documents have them. One statement for all of them reads the members that are left out.
 * Events of former versions hold everything. `members` are those that the caller needs.
 */
export const withKept = async <T extends Resource>(
  db: Db,
  { collection, keptOnce = [] }: Pick<Store<never>, 'collection' | 'keptOnce'>,
  resources: readonly T[],
  members: readonly string[] = keptOnce,
): Promise<readonly T[]> => {
  const isLean = (resource: T): boolean => members.some((name) => !(name in resource));
  const wanted = resources.filter(isLean).map((resource) => ({
    value: resource.id,
    tenantId: tenantShownBy(resource) ?? storedTenantOf(resource),
  }));
  if (wanted.length === 0) return resources;
  const projection = Object.fromEntries(members.map((name) => [name, 1]));
  const found = await findOfTenants<Kept>(db, collection, '_id', wanted, { projection });
  const byId = new Map(found.map(({ _id, ...kept }) => [_id, kept]));
  const absent = Object.fromEntries(members.map((name) => [name, null]));
  return resources.map((resource) =>
    isLean(resource)
      ? withTenant({ ...absent, ...byId.get(resource.id), ...resource }, storedTenantOf(resource))
      : resource,
  );
};
