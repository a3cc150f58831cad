import type { estypes } from '@elastic/elasticsearch';
import type { ReadStore } from './elastic.ts';
import { aliasOf, type View } from './view.ts';

const PAGE = 2_000;
const KEEP_ALIVE = '1m';
/** A page goes over all documents that the filter leaves, so it may take longer than the search of a list. */
const PAGE_TIMEOUT = { requestTimeout: 60_000, maxRetries: 0 };

/** One combination of the values of all sources, with how many documents have it and what was computed of them. */
export type Bucket = {
  readonly key: Readonly<Record<string, string | number>>;
  readonly count: number;
  /** Aggregations by name: `value` of a metric, or what a filter holds. */
  readonly results: Readonly<Record<string, estypes.AggregationsAggregate>>;
};

/** More buckets than the caller can take. */
export class TooManyBuckets extends Error {}

/**
 * Every bucket of a composite aggregation over a view, ordered by the sources as they are given. All pages see the
 * same documents. Sums are exact within 2^53. Throws TooManyBuckets beyond `atMost`.
 */
export const collectBuckets = async (
  readStore: ReadStore,
  view: View,
  request: {
    /** Another index than the one that serves the view. */
    readonly index?: string;
    readonly filter: readonly estypes.QueryDslQueryContainer[];
    readonly sources: Readonly<Record<string, estypes.AggregationsCompositeAggregationSource>>;
    readonly aggregations: Readonly<Record<string, estypes.AggregationsAggregationContainer>>;
    readonly atMost: number;
  },
): Promise<readonly Bucket[]> => {
  const { client } = readStore;
  const index = request.index ?? aliasOf(readStore, view);
  const sources = Object.entries(request.sources).map(([name, source]) => ({ [name]: source }));
  let { id } = await client.openPointInTime({ index, keep_alive: KEEP_ALIVE });
  const buckets: Bucket[] = [];
  try {
    for (let after: estypes.AggregationsCompositeAggregateKey | undefined; ; ) {
      const { aggregations, pit_id } = await client.search<
        unknown,
        { readonly page: estypes.AggregationsCompositeAggregate }
      >(
        {
          pit: { id, keep_alive: KEEP_ALIVE },
          size: 0,
          track_total_hits: false,
          query: { bool: { filter: [...request.filter] } },
          aggs: {
            page: {
              composite: { size: PAGE, sources, ...(after ? { after } : {}) },
              aggs: { ...request.aggregations },
            },
          },
        },
        PAGE_TIMEOUT,
      );
      id = pit_id ?? id;
      const page = (aggregations?.page.buckets ?? []) as estypes.AggregationsCompositeBucket[];
      for (const { key, doc_count, ...results } of page)
        buckets.push({ key: key as Bucket['key'], count: doc_count, results: results as Bucket['results'] });
      if (buckets.length > request.atMost) throw new TooManyBuckets();
      after = aggregations?.page.after_key;
      if (!after) return buckets;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => undefined);
  }
};
