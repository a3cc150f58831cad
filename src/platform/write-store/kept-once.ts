import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { tenantShownBy } from '../../kernel/tenant.ts';
import type { Database } from './database.ts';
import { findOfTenants } from './spread.ts';
import type { StoredResource } from './stored-resource.ts';

/**
 * A resource as events and the audit log have it: without the members that only its document keeps (`keptOnce`). A
 * member that is null stays, so that nobody has to look it up.
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
 * Resources of events with the members that their documents keep, read for all of them with one statement. Events of
 * former versions contain everything. `members` are those that the caller needs.
 */
export const withKept = async <T extends Resource>(
  db: Database,
  { collection, keptOnce = [] }: Pick<Store<never>, 'collection' | 'keptOnce'>,
  stored: readonly StoredResource<T>[],
  members: readonly string[] = keptOnce,
): Promise<readonly StoredResource<T>[]> => {
  const isLean = (resource: T): boolean => members.some((name) => !(name in resource));
  const wanted = stored
    .filter(({ resource }) => isLean(resource))
    .map(({ resource, tenantId }) => ({
      value: resource.id,
      tenantId: tenantShownBy(resource) ?? tenantId,
    }));
  if (wanted.length === 0) return stored;
  const projection = Object.fromEntries(members.map((name) => [name, 1]));
  const found = await findOfTenants<Kept>(db, collection, '_id', wanted, { projection });
  const byId = new Map(found.map(({ _id, ...kept }) => [_id, kept]));
  const absent = Object.fromEntries(members.map((name) => [name, null]));
  return stored.map(({ resource, tenantId }) => ({
    resource: isLean(resource) ? { ...absent, ...byId.get(resource.id), ...resource } : resource,
    tenantId,
  }));
};
