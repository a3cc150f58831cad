import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { Sort } from './list-query.ts';

/**
 * A row of a sorted list from which nearby rows are found: its values in the sort order, and the number of rows up to
 * and including it.
 */
type Bookmark = { readonly values: estypes.SortResults; readonly rank: number };

const LISTS = 200;
const BOOKMARKS_OF_LIST = 32;

/**
 * Bookmarks that were set in lists, by conditions and order. Ranks may be out of date, so a bookmark's user counts
 * again.
 */
export type Bookmarks = {
  /** The nearest bookmark before a row, at most this many rows away; null where none is known. */
  before(list: string, offset: number, within: number): Bookmark | null;
  remember(list: string, bookmark: Bookmark): void;
};

export const createBookmarks = (): Bookmarks => {
  const lists = new LRUCache<string, readonly Bookmark[]>({ max: LISTS });
  return {
    before(list, offset, within) {
      const near = (lists.get(list) ?? []).filter(({ rank }) => rank <= offset && offset - rank <= within);
      return near.reduce<Bookmark | null>((best, one) => (best && best.rank >= one.rank ? best : one), null);
    },
    remember(list, bookmark) {
      const name = JSON.stringify(bookmark.values);
      const others = (lists.get(list) ?? []).filter(({ values }) => JSON.stringify(values) !== name);
      lists.set(list, [...others, bookmark].slice(-BOOKMARKS_OF_LIST));
    },
  };
};

type Condition = estypes.QueryDslQueryContainer;

/**
 * Selects the rows of a sorted list up to and including the row with these values. The last sort field is different in
 * all rows.
 */
export const upTo = (sort: Sort, values: estypes.SortResults): Condition => {
  const by = sort.flatMap((element) => Object.entries(element));
  const last = by.length - 1;
  return {
    bool: {
      should: by.map(([field, { order, missing }], depth) => ({
        bool: {
          filter: [
            ...by
              .slice(0, depth)
              .map(([other, how], at) => hasValue(other, shown(values[at], how.missing), how.missing)),
            comesFirst(field, order, shown(values[depth], missing), missing, depth === last),
          ],
        },
      })),
    },
  };
};

type Value = string | number | boolean | null;
type Missing = number | '_last' | undefined;

/** A value as documents have it; null for a missing one. Booleans are sorted as 0 and 1. */
const shown = (value: estypes.FieldValue | undefined, missing: Missing): Value => {
  if (value === undefined || value === null || value === missing) return null;
  return missing === '_last' && typeof value === 'number' ? value === 1 : (value as Value);
};

const bounds = (range: object, missing: Missing): object =>
  typeof missing === 'number' ? { ...range, format: 'epoch_millis' } : range;

const hasValue = (field: string, value: Value, missing: Missing): Condition =>
  value === null
    ? { bool: { must_not: [{ exists: { field } }] } }
    : { range: { [field]: bounds({ gte: value, lte: value }, missing) } };

/** Nulls come last in both directions. */
const comesFirst = (
  field: string,
  order: 'asc' | 'desc',
  value: Value,
  missing: Missing,
  isIncluded: boolean,
): Condition => {
  if (value === null) return { exists: { field } };
  const operator = `${order === 'asc' ? 'lt' : 'gt'}${isIncluded ? 'e' : ''}`;
  return { range: { [field]: bounds({ [operator]: value }, missing) } };
};
