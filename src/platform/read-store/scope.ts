import type { estypes } from '@elastic/elasticsearch';
import type { Principal } from '../../kernel/principal.ts';

/** Restricts a search to the caller's environment and merchants: its own and, as a master, its sub-merchants'. */
export const scopeOf = (principal: Principal): estypes.QueryDslQueryContainer[] => {
  const environment = { term: { livemode: principal.livemode } };
  if (principal.kind === 'operator') return [environment];
  const own = [{ term: { merchantId: principal.merchantId } }, { term: { masterId: principal.merchantId } }];
  return [environment, { bool: { should: own, minimum_should_match: 1 } }];
};

/** Restricts a search to the caller's environment and to what exists once for both. */
export const environmentOrBoth = ({ livemode }: Principal): estypes.QueryDslQueryContainer => ({
  bool: {
    should: [{ term: { livemode } }, { bool: { must_not: [{ exists: { field: 'livemode' } }] } }],
    minimum_should_match: 1,
  },
});
