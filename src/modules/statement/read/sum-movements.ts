import type { estypes } from '@elastic/elasticsearch';
import { existing } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { FindTenant } from '../../../kernel/tenant.ts';
import { rangeOf } from '../../../kernel/time-range.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { placed, scopeOf } from '../../../platform/read-store/scope.ts';
import { aliasOf } from '../../../platform/read-store/view.ts';
import { MOVEMENT_TYPES, type MovementType } from '../../ledger/write/journal.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { STATEMENT_VIEW } from './statement.view.ts';

/** Minor units. */
export type Buckets = { readonly available: number; readonly reserved: number };

type MovementSums = {
  readonly currency: string;
  readonly opening: Buckets;
  readonly movements: readonly (Buckets & { readonly movement_type: MovementType; readonly count: number })[];
  readonly closing: Buckets;
};

type SummaryQuery = {
  /** A date or date-time, which is included. */
  readonly from?: string;
  /** A date, whose whole day is included, or a date-time, which is not. */
  readonly to?: string;
  readonly currency?: string;
  readonly merchantId?: MerchantId;
  /** The time zone in which dates without a time are read. */
  readonly timeZone: string;
};

/**
 * Sums one merchant's statement between two moments by currency and movement type. 400 where `to` is before `from`, 404
 * for an unknown merchant.
 */
export type SumMovements = (
  principal: Principal,
  merchantId: MerchantId,
  query: SummaryQuery,
  consistencyToken: string | null,
) => Promise<readonly MovementSums[]>;

const MAX_CURRENCIES = 300;

const amounts: Record<string, estypes.AggregationsAggregationContainer> = {
  buckets: { terms: { field: 'bucket', size: 2 }, aggs: { amount: { sum: { field: 'amount' } } } },
};

/** The client's types do not accept a filter aggregation whose query has a general type. */
const filtered = (filter: estypes.QueryDslQueryContainer, aggs: typeof amounts) =>
  ({ filter, aggs }) as estypes.AggregationsAggregationContainer;

type ByBucket = {
  readonly doc_count: number;
  readonly buckets: {
    readonly buckets: readonly { readonly key: string; readonly amount: { value: number } }[];
  };
};
type Answer = {
  readonly currencies: {
    readonly buckets: readonly {
      readonly key: string;
      readonly before: ByBucket;
      readonly within: {
        readonly movements: { readonly buckets: readonly (ByBucket & { readonly key: MovementType })[] };
      };
    }[];
  };
};

export const createSumMovements =
  (deps: {
    readonly readStore: ReadStore;
    readonly readView: ReadView;
    readonly findMerchants: FindMerchants;
    readonly findTenant: FindTenant;
  }): SumMovements =>
  async (principal, merchantId, query, consistencyToken) => {
    await assertMayNameMerchant(principal, merchantId, deps.findMerchants);
    existing(await deps.findTenant(merchantId), 'Merchant');
    const { from, to } = rangeOf(query);
    await deps.readView.ready(STATEMENT_VIEW, consistencyToken);
    const at = (range: { gte?: number; lt?: number }): estypes.QueryDslQueryContainer => ({
      range: { createdAt: { ...range, format: 'epoch_millis' } },
    });
    const everything: estypes.QueryDslQueryContainer = { match_all: {} };
    const before = filtered(from === null ? { bool: { must_not: [everything] } } : at({ lt: from }), amounts);
    const within = filtered(from === null ? everything : at({ gte: from }), {
      movements: { terms: { field: 'movement_type', size: MOVEMENT_TYPES.length }, aggs: amounts },
    });
    const { filter, ...place } = placed(STATEMENT_VIEW, [
      ...scopeOf(principal),
      { term: { merchantId } },
      ...(query.currency === undefined ? [] : [{ term: { currency: query.currency } }]),
      ...(to === null ? [] : [at({ lt: to })]),
    ]);
    const { aggregations } = await deps.readStore.client.search<unknown, Answer>({
      index: aliasOf(deps.readStore, STATEMENT_VIEW),
      ...place,
      size: 0,
      track_total_hits: false,
      query: { bool: { filter } },
      aggs: {
        currencies: {
          terms: { field: 'currency', size: MAX_CURRENCIES, order: { _key: 'asc' } },
          aggs: { before, within },
        },
      },
    });
    return (aggregations?.currencies.buckets ?? []).map(({ key, before, within }) => {
      const opening = bucketsOf(before);
      const movements = within.movements.buckets
        .map((movement) => ({
          movement_type: movement.key,
          count: movement.doc_count,
          ...bucketsOf(movement),
        }))
        .sort((a, b) => placeOf(a.movement_type) - placeOf(b.movement_type));
      return { currency: key, opening, movements, closing: add([opening, ...movements]) };
    });
  };

const bucketsOf = ({ buckets }: ByBucket): Buckets => {
  const of = (bucket: string): number => buckets.buckets.find(({ key }) => key === bucket)?.amount.value ?? 0;
  return { available: of('available'), reserved: of('reserved') };
};

const add = (all: readonly Buckets[]): Buckets =>
  all.reduce(
    (total, { available, reserved }) => ({
      available: total.available + available,
      reserved: total.reserved + reserved,
    }),
    { available: 0, reserved: 0 },
  );

const placeOf = (type: MovementType): number => (MOVEMENT_TYPES as readonly string[]).indexOf(type);
