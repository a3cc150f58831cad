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
import { createPlaces, type Places, upTo } from './places.ts';
import { type Conditions, placed } from './scope.ts';
import { aliasOf, type FieldView, type View } from './view.ts';

/** The engine's window for `from`; pages beyond it are reached in hops of this size. */
const WINDOW = 10_000;
/** From this row on a page is found from a place near it. Before it the engine finds rows as fast by itself. */
const FAR = 500;
/** Rows between a place and a page at most. */
const NEAR = 200;
/**
 * A page's place is remembered this many rows before it. So many rows may come before it until it is looked for anew.
 */
const LEAD = 51;
const TRIES_FROM_PLACES = 3;

/** A page as every list answers it. */
export type Page<T> = {
  readonly data: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly size: number;
};

/** Search of a list: the documents of a view, sorted and filtered as a query says. */
export type Search<D> = {
  readonly view: View;
  /** Validates the query parameters of the route. */
  readonly query: Joi.ObjectSchema;
  /** The page of documents that a validated query asks for, within what `scope` lets the caller see. */
  page(readStore: ReadStore, query: ListQuery, scope: Conditions): Promise<Page<D>>;
  /**
   * All documents that a validated query asks for, whatever its page, in the same order and in batches. They are those
   * that the view holds when the first batch is asked for.
   */
  all(readStore: ReadStore, query: ListQuery, scope: Conditions): AsyncIterable<readonly D[]>;
};

export const createSearch = <T extends Resource, F extends Fields>(
  fieldView: FieldView<T, F>,
  { sort, filter, orderBy, ties }: SearchTerms<F>,
): Search<DocumentOf<T, F>> => {
  const view = fieldView as unknown as View;
  const terms = { fields: fieldView.fields, sort, filter, orderBy, ties } as Terms;
  const places = createPlaces();
  const excludes = searchedOnly(fieldView.fields);
  return {
    view,
    query: querySchema(terms),
    async page(readStore, query, scope) {
      const { filter, ...place } = placed(view, [...scope, ...toFilters(terms, query)]);
      const { total, documents } = await searchPage<DocumentOf<T, F>>(
        readStore,
        {
          index: aliasOf(readStore, view),
          ...place,
          query: { bool: { filter } },
          sort: toSort(terms, query.orderBy),
          _source: { excludes },
        },
        query,
        places,
      );
      const { page, size } = query;
      return { data: documents, page, pages: Math.ceil(total / size), total, size };
    },
    all: (readStore, query, scope) =>
      scanAll(readStore, view, [...scope, ...toFilters(terms, query)], {
        sort: toSort(terms, query.orderBy),
        _source: { excludes },
      }),
  };
};

/** Fields of documents that are searched and never shown; the words of one may be as large as all the rest of it. */
const searchedOnly = (fields: Fields): string[] => [
  'comparable',
  'folded',
  ...Object.entries(fields).flatMap(([name, { kind, hidden }]) => (kind === 'words' && hidden ? name : [])),
];

/** A list as one caller sees it. */
type Listed = {
  readonly index: string;
  readonly routing?: string;
  readonly query: { readonly bool: { filter: estypes.QueryDslQueryContainer[] } };
  readonly sort: Sort;
  readonly _source: { excludes: string[] };
};
type Found<D> = { readonly total: number; readonly documents: D[] };

const searchPage = async <D>(
  readStore: ReadStore,
  listed: Listed,
  { page, size }: { readonly page: number; readonly size: number },
  places: Places,
): Promise<Found<D>> => {
  const { query, sort, _source, ...at } = listed;
  const offset = (page - 1) * size;
  if (offset >= FAR)
    return (
      (await searchFromPlace<D>(readStore, listed, offset, size, places)) ??
      (await searchFar<D>(readStore, listed, offset, size, places))
    );
  // A search that has to count cannot stop at the page; counting alone is cheap.
  const [found, { count }] = await Promise.all([
    readStore.client.search<D>({
      ...at,
      query,
      sort: [...sort],
      _source,
      from: offset,
      size,
      track_total_hits: false,
    }),
    readStore.client.count({ ...at, query }),
  ]);
  const documents = sourcesOf(found.hits.hits);
  return { total: totalWith(documents.length, offset, size, count), documents };
};

/** Counts from a place near the page. Null where none is known, or too much changes before it. */
const searchFromPlace = async <D>(
  readStore: ReadStore,
  listed: Listed,
  offset: number,
  size: number,
  places: Places,
): Promise<Found<D> | null> => {
  const { client } = readStore;
  const { query, sort, _source, ...at } = listed;
  const list = JSON.stringify(listed);
  for (let tries = 1; tries <= TRIES_FROM_PLACES; tries += 1) {
    const place = places.before(list, offset, NEAR);
    if (!place) return null;
    const before = upTo(sort, place.values);
    const distance = offset - place.rank;
    const lead = distance > 2 * LEAD ? LEAD : 0;
    const [{ hits }, { count: rank }, { count }] = await Promise.all([
      client.search<D>({
        ...at,
        query: { bool: { filter: [query], must_not: [before] } },
        sort: [...sort],
        _source,
        from: distance - lead,
        size: lead + size,
        track_total_hits: false,
      }),
      client.count({ ...at, query: { bool: { filter: [query, before] } } }),
      client.count({ ...at, query }),
    ]);
    places.remember(list, { ...place, rank });
    // Rows came or went before the place since it was counted last.
    if (rank !== place.rank) continue;
    if (lead > 0) rememberFirst(places, list, hits.hits, offset - lead);
    const documents = sourcesOf(hits.hits.slice(lead));
    return { total: totalWith(documents.length, offset, size, count), documents };
  }
  return null;
};

/** Collects all rows before the page, and remembers a place near it. */
const searchFar = async <D>(
  readStore: ReadStore,
  listed: Listed,
  offset: number,
  size: number,
  places: Places,
): Promise<Found<D>> => {
  const { client } = readStore;
  const { query, sort, _source, ...at } = listed;
  const search = { ...at, query, sort: [...sort], track_total_hits: false };
  const { count: total } = await client.count({ ...at, query });
  if (offset >= total) return { total, documents: [] };
  const start = offset - LEAD;
  let after: estypes.SortResults | undefined;
  for (let skipped = 0; offset + size > WINDOW && skipped < start; ) {
    const hop = Math.min(WINDOW, start - skipped);
    const { hits } = await client.search({
      ...search,
      size: hop,
      _source: false,
      filter_path: ['_shards', 'hits.hits.sort'],
      ...(after ? { search_after: after } : {}),
    });
    after = hits?.hits?.at(-1)?.sort;
    if (!after) return { total, documents: [] };
    skipped += hop;
  }
  const { hits } = await client.search<D>({
    ...search,
    _source,
    size: LEAD + size,
    ...(after ? { search_after: after } : { from: start }),
  });
  rememberFirst(places, JSON.stringify(listed), hits.hits, start);
  const documents = sourcesOf(hits.hits.slice(LEAD));
  return { total: totalWith(documents.length, offset, size, total), documents };
};

const rememberFirst = (
  places: Places,
  list: string,
  [first]: readonly estypes.SearchHit[],
  offset: number,
): void => {
  if (first?.sort) places.remember(list, { values: first.sort, rank: offset + 1 });
};

/** Documents in flight at a time; one may be 20 KiB (metadata of a charge). */
const SCAN_BATCH = 200;
/** A client may take this long over one batch before the scan is lost. */
const SCAN_KEEP_ALIVE = '5m';

/** Reads from a point in time: what is written meanwhile moves no document over the edge of a batch. */
async function* scanAll<D>(
  readStore: ReadStore,
  view: View,
  conditions: Conditions,
  { sort, _source }: Pick<Listed, 'sort' | '_source'>,
): AsyncGenerator<readonly D[]> {
  const { client } = readStore;
  const index = aliasOf(readStore, view);
  const { filter, ...place } = placed(view, conditions);
  let { id } = await client.openPointInTime({ index, ...place, keep_alive: SCAN_KEEP_ALIVE });
  try {
    for (let after: estypes.SortResults | undefined; ; ) {
      const { hits, pit_id } = await client.search<D>({
        pit: { id, keep_alive: SCAN_KEEP_ALIVE },
        query: { bool: { filter } },
        sort: [...sort],
        _source,
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
