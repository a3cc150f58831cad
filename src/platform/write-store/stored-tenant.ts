import type { TenantId } from '../../kernel/tenant.ts';

const tenants = new WeakMap<object, TenantId>();

/**
 * Notes beside a resource the tenant that its document names. A field of the resource would get into events, views and
 * answers, because a change copies the former resource.
 */
export const withTenant = <T extends object>(resource: T, tenantId: unknown): T => {
  if (typeof tenantId === 'string') tenants.set(resource, tenantId);
  return resource;
};

/** The tenant of a resource that was read from the write store; null where its document did not name one. */
export const storedTenantOf = (resource: object): TenantId | null => tenants.get(resource) ?? null;
