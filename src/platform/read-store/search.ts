import type { estypes } from '@elastic/elasticsearch';
import type Joi from 'joi';
import type { Resource } from '../../kernel/event.ts';
import type { ReadStore } from './elastic.ts';
import type { DocumentOf, Fields } from './fields.ts';
import {
  type ListQuery,
  querySchema,
  type SearchTerms,
  type Sort,
  type Terms,
  toFilters,
  toSort,
} from './list-query.ts';
import { aliasOf, type FieldView, type View } from './view.ts';

/** The engine's window for `from`; pages beyond it are reached in hops of this size. */
const WINDOW = 10_000;

/** A page as every list answers it. */
export type Page<T> = {
  readonly data: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly size: number;
};

/** Restrictions of a search. */
export type Conditions = readonly estypes.QueryDslQueryContainer[];

/** Search of a list: the documents of a view, sorted and filtered as a query says. */
export type Search<D> = {
  readonly view: View;
  /** Validates the query parameters of the route. */
  readonly query: Joi.ObjectSchema;
  /** The page of documents that a validated query asks for, within what `scope` lets the caller see. */
  page(readStore: ReadStore, query: ListQuery, scope: Conditions): Promise<Page<D>>;
  /**
   * All documents that a validated query asks for, whatever its page, in the same order and in batches, as the view
   * holds them when the first batch is asked for.
   */
  all(readStore: ReadStore, query: ListQuery, scope: Conditions): AsyncIterable<readonly D[]>;
};

export const createSearch = <T extends Resource, F extends Fields>(
  fieldView: FieldView<T, F>,
  { sort, filter, orderBy, ties }: SearchTerms<F>,
): Search<DocumentOf<T, F>> => {
  const view = fieldView as unknown as View;
  const terms = { fields: fieldView.fields, sort, filter, orderBy, ties } as Terms;
  return {
    view,
    query: querySchema(terms),
    async page(readStore, query, scope) {
      const conditions = [...scope, ...toFilters(terms, query)];
      const { total, documents } = await searchPage<DocumentOf<T, F>>(
        readStore,
        view,
        conditions,
        toSort(terms, query.orderBy),
        query,
      );
      const { page, size } = query;
      return { data: documents, page, pages: Math.ceil(total / size), total, size };
    },
    all: (readStore, query, scope) =>
      scanAll(readStore, view, [...scope, ...toFilters(terms, query)], toSort(terms, query.orderBy)),
  };
};

const searchPage = async <D>(
  readStore: ReadStore,
  view: View,
  filter: readonly estypes.QueryDslQueryContainer[],
  sort: Sort,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ total: number; documents: D[] }> => {
  const index = aliasOf(readStore, view);
  const query = { bool: { filter: [...filter] } };
  const offset = (page - 1) * size;
  const count = async (): Promise<number> => (await readStore.client.count({ index, query })).count;
  if (offset + size <= WINDOW) {
    // A search that has to count cannot stop at the page; counting alone is cheap.
    const [found, counted] = await Promise.all([
      readStore.client.search<D>({
        index,
        query,
        sort: [...sort],
        from: offset,
        size,
        track_total_hits: false,
      }),
      count(),
    ]);
    const documents = sourcesOf(found.hits.hits);
    return { total: totalWith(documents.length, offset, size, counted), documents };
  }

  const total = await count();
  if (offset >= total) return { total, documents: [] };
  let after: estypes.SortResults | undefined;
  for (let skipped = 0; skipped < offset; ) {
    const hop = Math.min(WINDOW, offset - skipped);
    const { hits } = await readStore.client.search({
      index,
      query,
      sort: [...sort],
      size: hop,
      _source: false,
      track_total_hits: false,
      filter_path: ['hits.hits.sort'],
      ...(after ? { search_after: after } : {}),
    });
    const last = hits?.hits?.at(-1)?.sort;
    if (!last) return { total, documents: [] };
    after = last;
    skipped += hop;
  }
  const { hits } = await readStore.client.search<D>({
    index,
    query,
    sort: [...sort],
    size,
    track_total_hits: false,
    ...(after ? { search_after: after } : {}),
  });
  return { total, documents: sourcesOf(hits.hits) };
};

/** Documents in hand at a time; one may be 20 KiB (metadata of a charge). */
const SCAN_BATCH = 500;
/** A client may take this long over one batch before the scan is lost. */
const SCAN_KEEP_ALIVE = '5m';

/** Reads from a point in time: what is written meanwhile moves no document over the edge of a batch. */
async function* scanAll<D>(
  readStore: ReadStore,
  view: View,
  filter: readonly estypes.QueryDslQueryContainer[],
  sort: Sort,
): AsyncGenerator<readonly D[]> {
  const { client } = readStore;
  const index = aliasOf(readStore, view);
  let { id } = await client.openPointInTime({ index, keep_alive: SCAN_KEEP_ALIVE });
  try {
    for (let after: estypes.SortResults | undefined; ; ) {
      const { hits, pit_id } = await client.search<D>({
        pit: { id, keep_alive: SCAN_KEEP_ALIVE },
        query: { bool: { filter: [...filter] } },
        sort: [...sort],
        size: SCAN_BATCH,
        track_total_hits: false,
        ...(after ? { search_after: after } : {}),
      });
      id = pit_id ?? id;
      if (hits.hits.length > 0) yield sourcesOf(hits.hits);
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < SCAN_BATCH || !after) return;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => undefined);
  }
}

/** How many match, as the page shows it: between page and count somebody may have written. */
const totalWith = (shown: number, offset: number, size: number, counted: number): number => {
  if (shown === size) return Math.max(counted, offset + size);
  if (shown > 0 || offset === 0) return offset + shown;
  return Math.min(counted, offset);
};

const sourcesOf = <D>(hits: readonly estypes.SearchHit<D>[]): D[] =>
  hits.flatMap((hit) => (hit._source === undefined ? [] : [hit._source]));
