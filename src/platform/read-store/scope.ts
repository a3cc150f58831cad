import type { estypes } from '@elastic/elasticsearch';
import type { Principal } from '../../kernel/principal.ts';
import { type TenantId, tenantOf } from '../../kernel/tenant.ts';
import type { View } from './view.ts';

/** Restrictions of a search. */
export type Conditions = readonly estypes.QueryDslQueryContainer[];

/** Restricts a search to records that were not removed. */
export const ACTIVE: Conditions[number] = { term: { active: true } };

/** Restricts a search to one tenant, so that only one shard of the view is searched (`placed`). */
export const tenantCondition = (tenantId: TenantId): Conditions => [{ term: { tenantId } }];

/**
 * Restricts a search to the caller's environment and merchants: the caller itself and, for a master, its sub-merchants.
 */
export const scopeOf = (principal: Principal): Conditions => {
  const environment = { term: { livemode: principal.livemode } };
  if (principal.kind === 'operator') return [environment];
  const own = [{ term: { merchantId: principal.merchantId } }, { term: { masterId: principal.merchantId } }];
  return [
    ...tenantCondition(tenantOf(principal)),
    environment,
    { bool: { should: own, minimum_should_match: 1 } },
  ];
};

/** Restricts a search to the caller's environment and to records that both environments share. */
export const environmentOrBoth = ({ livemode }: Principal): estypes.QueryDslQueryContainer => ({
  bool: {
    should: [{ term: { livemode } }, { bool: { must_not: [{ exists: { field: 'livemode' } }] } }],
    minimum_should_match: 1,
  },
});

const tenantIn = (condition: Conditions[number] | undefined): unknown => condition?.term?.tenantId;

/** Conditions in the read store's terms, with the shard to search where they name a tenant. */
type Placed = {
  readonly filter: estypes.QueryDslQueryContainer[];
  readonly routing?: TenantId;
};

/**
 * Removes the tenant from the conditions, because it is expressed by the shard. A worker of version 1.0 may have
 * written documents that do not name their tenant.
 */
export const placed = ({ tenants }: View, conditions: Conditions): Placed => {
  const named = conditions.map(tenantIn);
  const filter = conditions.filter((_, place) => named[place] === undefined);
  const tenantId = named.find((tenant) => typeof tenant === 'string');
  return tenantId === undefined || tenants !== 'routed' ? { filter } : { filter, routing: tenantId };
};
