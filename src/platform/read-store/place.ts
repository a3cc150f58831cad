import type { estypes } from '@elastic/elasticsearch';
import { invalidInput } from '../../kernel/errors.ts';
import { PLACE_FAULT, type Sort } from './list-query.ts';

const invalidPlace = () => invalidInput([{ path: 'after', message: PLACE_FAULT }]);

/** The order in one word: a place in one order means nothing in another. */
const orderOf = (sort: Sort): string =>
  sort
    .flatMap((element) => Object.entries(element))
    .map(([field, { order }]) => `${order === 'asc' ? '' : '-'}${field}`)
    .join();

/** Names the place after a row by its values in the order, for addresses. */
export const placeAfter = (sort: Sort, values: estypes.SortResults): string =>
  Buffer.from(JSON.stringify([orderOf(sort), ...values])).toString('base64url');

const isValue = (value: unknown): value is estypes.FieldValue =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const read = (place: string): unknown => {
  try {
    return JSON.parse(Buffer.from(place, 'base64url').toString());
  } catch {
    return null;
  }
};

/** The values of the row that a place comes after; 400 for what no list of this order has named. */
export const valuesOf = (sort: Sort, place: string): estypes.SortResults => {
  const named = read(place);
  if (!Array.isArray(named)) throw invalidPlace();
  const [order, ...values]: unknown[] = named;
  if (order !== orderOf(sort) || values.length !== sort.length || !values.every(isValue))
    throw invalidPlace();
  return values;
};

/** The store refuses values that a field cannot have: they were made up. */
export const refusedPlace = (status: number | null): Error | null => (status === 400 ? invalidPlace() : null);
