import type { estypes } from '@elastic/elasticsearch';
import type { Sort } from './list-query.ts';

/**
 * A row of a sorted list by which rows near it are found. It has its values in the order, and the number of rows that
 * end with it.
 */
export type Place = { readonly values: estypes.SortResults; readonly rank: number };

const LISTS = 200;
const PLACES_OF_LIST = 32;

/**
 * Places that were found in lists of the same conditions and order, the last used of each list. Ranks may be out of date:
 * who uses one counts again.
 */
export type Places = {
  /** The nearest place before a row, this many rows away at most; null where none is known. */
  before(list: string, offset: number, within: number): Place | null;
  remember(list: string, place: Place): void;
};

export const createPlaces = (): Places => {
  const lists = new Map<string, readonly Place[]>();
  return {
    before(list, offset, within) {
      const near = (lists.get(list) ?? []).filter(({ rank }) => rank <= offset && offset - rank <= within);
      return near.reduce<Place | null>((best, one) => (best && best.rank >= one.rank ? best : one), null);
    },
    remember(list, place) {
      const name = JSON.stringify(place.values);
      const others = (lists.get(list) ?? []).filter(({ values }) => JSON.stringify(values) !== name);
      lists.delete(list);
      lists.set(list, [...others, place].slice(-PLACES_OF_LIST));
      const [oldest] = lists.keys();
      if (lists.size > LISTS && oldest !== undefined) lists.delete(oldest);
    },
  };
};

type Condition = estypes.QueryDslQueryContainer;

/** Selects the rows of a sorted list up to and with a row that has these values. The last field tells all rows apart. */
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

/** The value as documents have it; null where they have none. Flags are sorted as 0 and 1. */
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
