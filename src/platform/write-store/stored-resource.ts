import type { Document } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { TenantId } from '../../kernel/tenant.ts';

/**
 * A resource and the tenant that its document names; null where it names none. The tenant is no member of the resource,
 * because changes copy the former resource, which would take it into events, views and answers.
 */
export type StoredResource<T extends Resource = Resource> = {
  readonly resource: T;
  readonly tenantId: TenantId | null;
};

type Stored = {
  readonly _id?: unknown;
  readonly secret?: unknown;
  readonly tenantId?: unknown;
  /** The last commit that held the document without changing its resource. */
  readonly heldBy?: unknown;
};

/**
 * The resource in a document that was read completely. No statement leaves the other members out, because that takes
 * the server of `make run` longer than the search itself, and saves a replica set only a few bytes.
 */
export const resourceIn = <T extends Document>({
  _id,
  secret,
  tenantId,
  heldBy,
  ...resource
}: T): Omit<T, '_id' | 'secret' | 'tenantId' | 'heldBy'> => resource;

/** The resource in a document, with the tenant that the document names. */
export const storedIn = <T extends Resource>(document: Stored): StoredResource<T> => ({
  resource: resourceIn(document) as unknown as T,
  tenantId: typeof document.tenantId === 'string' ? document.tenantId : null,
});

/** A resource that was not read from the write store, or whose tenant nobody needs. */
export const withoutTenant = <T extends Resource>(resource: T): StoredResource<T> => ({
  resource,
  tenantId: null,
});
