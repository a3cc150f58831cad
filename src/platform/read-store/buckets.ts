import type { estypes } from '@elastic/elasticsearch';
import { DAY_MS } from '../../kernel/durations.ts';
import type { ReadStore } from './elastic.ts';
import { type Conditions, placed } from './scope.ts';
import { aliasOf, type View } from './view.ts';

/** Each page goes over all remaining documents, but an answer with more buckets would hold up the process. */
const PAGE = 10_000;
const KEEP_ALIVE = '1m';
/** A page goes over all documents that match the filter, so it may take longer than the search of a list. */
const PAGE_TIMEOUT = { requestTimeout: 60_000, maxRetries: 0 };

/** One combination of the values of all sources, with the number of its documents and the results for them. */
export type Bucket = {
  readonly key: Readonly<Record<string, string | number | null>>;
  readonly count: number;
  /** Aggregations by name: the `value` of a metric, or the contents of a filter. */
  readonly results: Readonly<Record<string, estypes.AggregationsAggregate>>;
};

/** There are more buckets than the caller can take. */
export class TooManyBuckets extends Error {}

/**
 * Every bucket of a composite aggregation over a view, page by page, in the order of its sources. All pages see the
 * same documents. Sums are exact up to 2^53.
 */
export async function* readBuckets(
  readStore: ReadStore,
  view: View,
  request: {
    /** The index to search instead of the one that serves the view. */
    readonly index?: string;
    readonly filter: Conditions;
    readonly sources: Readonly<Record<string, estypes.AggregationsCompositeAggregationSource>>;
    readonly aggregations: Readonly<Record<string, estypes.AggregationsAggregationContainer>>;
  },
): AsyncGenerator<readonly Bucket[]> {
  const { client } = readStore;
  const index = request.index ?? aliasOf(readStore, view);
  const sources = Object.entries(request.sources).map(([name, source]) => ({ [name]: source }));
  const { filter, ...place } = placed(view, request.filter);
  let { id } = await client.openPointInTime({ index, ...place, keep_alive: KEEP_ALIVE });
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
          query: { bool: { filter: [...filter, ...notAfter(after, sources[0])] } },
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
      yield page.map(({ key, doc_count, ...results }) => ({
        key: key as Bucket['key'],
        count: doc_count,
        results: results as Bucket['results'],
      }));
      after = aggregations?.page.after_key;
      if (!after) return;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => undefined);
  }
}

const LONGEST_PERIOD_MS = 32 * DAY_MS;

/**
 * Where the first source is a period and the latest come first, further pages need not go over the documents of later
 * periods again.
 */
const notAfter = (
  after: estypes.AggregationsCompositeAggregateKey | undefined,
  first: Readonly<Record<string, estypes.AggregationsCompositeAggregationSource | undefined>> = {},
): estypes.QueryDslQueryContainer[] =>
  Object.entries(first).flatMap(([name, source]) => {
    if (!after || !source || !('date_histogram' in source) || source.date_histogram?.order !== 'desc')
      return [];
    const { field } = source.date_histogram;
    const lt = Number(after[name]) + LONGEST_PERIOD_MS;
    return field ? [{ range: { [field]: { lt, format: 'epoch_millis' } } }] : [];
  });
