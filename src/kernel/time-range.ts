import { DAY_MS } from './durations.ts';
import { type InputFault, invalidInput } from './errors.ts';
import { canonicalZone, instantOf } from './local-time.ts';

/**
 * A range of instants, from the first (inclusive) to the second (exclusive); null for no limit. `timeZone` is the zone
 * of its days.
 */
export type TimeRange = {
  readonly from: number | null;
  readonly to: number | null;
  readonly timeZone: string;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const HAS_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a date without a time, which stands for a whole day. */
export const isDate = (value: string): boolean => DATE.test(value);

/**
 * The instant at which an ISO 8601 date or date-time begins. A date begins with its day in the zone, and a date-time
 * without an offset is local to the zone.
 */
export const instantIn = (value: string, timeZone: string): number => {
  if (HAS_OFFSET.test(value)) return Date.parse(value);
  return instantOf(Date.parse(isDate(value) ? `${value}T00:00:00Z` : `${value}Z`), timeZone);
};

/** The instant at which a date ends in the zone and the next day begins. A day may have 23 or 25 hours. */
export const endOfDay = (date: string, timeZone: string): number =>
  instantOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS, timeZone);

/**
 * The requested range. A date is a whole day of the zone, also as `to`, and a date-time without an offset is local to
 * the zone. 400 where the range ends before it begins; a range from an instant to itself is empty.
 */
export const rangeOf = (query: {
  readonly from?: string;
  readonly to?: string;
  readonly timeZone: string;
}): TimeRange => {
  const timeZone = canonicalZone(query.timeZone);
  const from = query.from === undefined ? null : instantIn(query.from, timeZone);
  const to = query.to === undefined ? null : endIn(query.to, timeZone);
  if (from !== null && to !== null && (to < from || (to === from && isDate(query.to ?? ''))))
    throw invalidInput([REVERSED]);
  return { from, to, timeZone };
};

const endIn = (value: string, timeZone: string): number =>
  isDate(value) ? endOfDay(value, timeZone) : instantIn(value, timeZone);

const REVERSED: InputFault = { path: 'to', message: 'to must not lie before from' };
