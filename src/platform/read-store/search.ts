import type { estypes } from '@elastic/elasticsearch';
import type Joi from 'joi';
import type { Resource } from '../../kernel/event.ts';
import type { Typed } from '../http/typed.ts';
import { type Bookmarks, createBookmarks, upTo } from './bookmarks.ts';
import { elasticStatus, type ReadStore } from './elastic.ts';
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
import { placeAfter, refusedPlace, valuesOf } from './place.ts';
import { type Conditions, placed } from './scope.ts';
import { aliasOf, type FieldView, type View } from './view.ts';

/** The engine's limit for `from`; pages beyond it are reached in steps of this size. */
const WINDOW = 10_000;
/** From this row on, a page is found from a bookmark near it. Before it, the engine finds rows as fast by itself. */
const FAR = 500;
/** The most rows between a bookmark and a page. */
const NEAR = 200;
/**
 * The bookmark of a page is set this many rows before it. If more rows are removed before it than this, it has to be
 * found anew.
 */
const LEAD = 51;
const TRIES_FROM_BOOKMARKS = 3;

/** A page as every list answers it. */
export type Page<T> = {
  readonly data: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly size: number;
};

/** A page with the place after its last row, where the next one begins; null where that row was the last of all. */
export type PlacedPage<T> = Page<T> & { readonly next: string | null };

/** The search of a list: documents of a view, sorted and filtered by a query. */
export type Search<D> = {
  readonly view: View;
  /** Validates the query parameters of the route. */
  readonly query: Typed<ListQuery, Joi.ObjectSchema>;
  /** The page of documents that a validated query requests, within the caller's `scope`. */
  page(readStore: ReadStore, query: ListQuery, scope: Conditions): Promise<PlacedPage<D>>;
  /**
   * All documents that a validated query requests, whatever its page, in the same order and in batches. They are the
   * ones that are in the view when the first batch is requested.
   */
  all(readStore: ReadStore, query: ListQuery, scope: Conditions): AsyncIterable<readonly D[]>;
};

export const createSearch = <T extends Resource, F extends Fields>(
  fieldView: FieldView<T, F>,
  { sort, filter, orderBy, ties }: SearchTerms<F>,
): Search<DocumentOf<T, F>> => {
  const view = fieldView;
  const terms = { fields: fieldView.fields, sort, filter, orderBy, ties } as Terms;
  const bookmarks = createBookmarks();
  const excludes = searchedOnly(fieldView.fields);
  return {
    view,
    query: querySchema(terms),
    async page(readStore, query, scope) {
      const { filter, ...bookmark } = placed(view, [...scope, ...toFilters(terms, query)]);
      const listed = {
        index: aliasOf(readStore, view),
        ...bookmark,
        query: { bool: { filter } },
        sort: toSort(terms, query.orderBy),
        _source: { excludes },
      };
      return toPage(listed, query, await searchRows<DocumentOf<T, F>>(readStore, listed, query, bookmarks));
    },
    all: (readStore, query, scope) =>
      scanAll(readStore, view, [...scope, ...toFilters(terms, query)], {
        sort: toSort(terms, query.orderBy),
        _source: { excludes },
      }),
  };
};

/** Fields that are searched but never shown; the words of a document may be as large as the rest of it. */
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
type Hits<D> = readonly estypes.SearchHit<D>[];
/** The rows of a page, how many there are in all, and how many come before the page. */
type Found<D> = {
  readonly total: number;
  readonly offset: number;
  readonly hits: Hits<D>;
  /** Whether a further row was found; where it is absent the counts say so. */
  readonly hasMore?: boolean;
};

/**
 * A page of rows of which one more was asked for. Counts come from other requests than the rows, between which rows come
 * and go, so that they cannot say whether there is a next page.
 */
const cutAt = <D>(
  found: Hits<D>,
  { offset, size, count }: { readonly offset: number; readonly size: number; readonly count: number },
): Found<D> => {
  const hits = found.slice(0, size);
  const total = totalWith(hits.length, offset, size, count);
  return { total, offset, hits, hasMore: found.length > size };
};

const toPage = <D>(
  { sort }: Listed,
  { size }: ListQuery,
  { total, offset, hits, hasMore = offset + hits.length < total }: Found<D>,
): PlacedPage<D> => {
  const last = hits.at(-1)?.sort;
  const page = Math.floor(offset / size) + 1;
  const next = last && hasMore ? placeAfter(sort, last) : null;
  return { data: sourcesOf(hits), page, pages: Math.ceil(total / size), total, size, next };
};

const searchRows = <D>(
  readStore: ReadStore,
  listed: Listed,
  { page, size, after }: ListQuery,
  bookmarks: Bookmarks,
): Promise<Found<D>> =>
  after === undefined
    ? searchPage<D>(readStore, listed, (page - 1) * size, size, bookmarks)
    : searchAfter<D>(readStore, listed, valuesOf(listed.sort, after), size);

/** Searches from a row on, whether or not it is still there: rows that come before it move nothing. */
const searchAfter = async <D>(
  { client }: ReadStore,
  { query, sort, _source, ...at }: Listed,
  after: estypes.SortResults,
  size: number,
): Promise<Found<D>> => {
  const before = { bool: { filter: [query, upTo(sort, after)] } };
  const rows = { query, sort: [...sort], _source, search_after: after, track_total_hits: false };
  try {
    const [{ hits }, { count: offset }, { count }] = await Promise.all([
      client.search<D>({ ...at, ...rows, size: size + 1 }),
      client.count({ ...at, query: before }),
      client.count({ ...at, query }),
    ]);
    return cutAt(hits.hits, { offset, size, count });
  } catch (error) {
    throw refusedPlace(elasticStatus(error)) ?? error;
  }
};

const searchPage = async <D>(
  readStore: ReadStore,
  listed: Listed,
  offset: number,
  size: number,
  bookmarks: Bookmarks,
): Promise<Found<D>> => {
  const { query, sort, _source, ...at } = listed;
  if (offset >= FAR)
    return (
      (await searchFromPlace<D>(readStore, listed, offset, size, bookmarks)) ??
      (await searchFar<D>(readStore, listed, offset, size, bookmarks))
    );
  // A search that counts cannot stop at the page, while counting alone is cheap.
  const [found, { count }] = await Promise.all([
    readStore.client.search<D>({
      ...at,
      query,
      sort: [...sort],
      _source,
      from: offset,
      size: size + 1,
      track_total_hits: false,
    }),
    readStore.client.count({ ...at, query }),
  ]);
  return cutAt(found.hits.hits, { offset, size, count });
};

/**
 * Finds a page from a bookmark near it, counting the rows before the bookmark. Null where none is known, or where too
 * much changes before it.
 */
const searchFromPlace = async <D>(
  readStore: ReadStore,
  listed: Listed,
  offset: number,
  size: number,
  bookmarks: Bookmarks,
): Promise<Found<D> | null> => {
  const { client } = readStore;
  const { query, sort, _source, ...at } = listed;
  const list = JSON.stringify(listed);
  for (let tries = 1; tries <= TRIES_FROM_BOOKMARKS; tries += 1) {
    const bookmark = bookmarks.before(list, offset, NEAR);
    if (!bookmark) return null;
    const before = upTo(sort, bookmark.values);
    const distance = offset - bookmark.rank;
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
    bookmarks.remember(list, { ...bookmark, rank });
    // Rows were added or removed before the bookmark since it was last counted.
    if (rank !== bookmark.rank) continue;
    if (lead > 0) rememberFirst(bookmarks, list, hits.hits, offset - lead);
    const rows = hits.hits.slice(lead);
    return { total: totalWith(rows.length, offset, size, count), offset, hits: rows };
  }
  return null;
};

/** Goes over all rows before the page, and sets a bookmark near it. */
const searchFar = async <D>(
  readStore: ReadStore,
  listed: Listed,
  offset: number,
  size: number,
  bookmarks: Bookmarks,
): Promise<Found<D>> => {
  const { client } = readStore;
  const { query, sort, _source, ...at } = listed;
  const search = { ...at, query, sort: [...sort], track_total_hits: false };
  const { count: total } = await client.count({ ...at, query });
  if (offset >= total) return { total, offset, hits: [] };
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
    if (!after) return { total, offset, hits: [] };
    skipped += hop;
  }
  const { hits } = await client.search<D>({
    ...search,
    _source,
    size: LEAD + size,
    ...(after ? { search_after: after } : { from: start }),
  });
  rememberFirst(bookmarks, JSON.stringify(listed), hits.hits, start);
  const rows = hits.hits.slice(LEAD);
  return { total: totalWith(rows.length, offset, size, total), offset, hits: rows };
};

const rememberFirst = (
  bookmarks: Bookmarks,
  list: string,
  [first]: readonly estypes.SearchHit[],
  offset: number,
): void => {
  if (first?.sort) bookmarks.remember(list, { values: first.sort, rank: offset + 1 });
};

/** Documents per batch; one may have 20 KiB (the metadata of a charge). */
const SCAN_BATCH = 200;
/** The longest time that a client may take for one batch. */
const SCAN_KEEP_ALIVE = '5m';

/** Reads from a point in time, so that concurrent writes move no document from one batch to another. */
async function* scanAll<D>(
  readStore: ReadStore,
  view: View,
  conditions: Conditions,
  { sort, _source }: Pick<Listed, 'sort' | '_source'>,
): AsyncGenerator<readonly D[]> {
  const { client } = readStore;
  const index = aliasOf(readStore, view);
  const { filter, ...bookmark } = placed(view, conditions);
  let { id } = await client.openPointInTime({ index, ...bookmark, keep_alive: SCAN_KEEP_ALIVE });
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

/** The total that agrees with the page, because somebody may have written between the search and the count. */
const totalWith = (shown: number, offset: number, size: number, counted: number): number => {
  if (shown === size) return Math.max(counted, offset + size);
  if (shown > 0 || offset === 0) return offset + shown;
  return Math.min(counted, offset);
};

const sourcesOf = <D>(hits: Hits<D>): D[] =>
  hits.flatMap((hit) => (hit._source === undefined ? [] : [hit._source]));
