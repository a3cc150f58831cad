import { type InputFault, invalidInput } from './errors.ts';
import { canonicalZone, instantOf } from './local-time.ts';

/** From the first instant, inclusive, to the second, exclusive; null for no limit. In the zone that days are of. */
export type TimeRange = {
  readonly from: number | null;
  readonly to: number | null;
  readonly timeZone: string;
};

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const HAS_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/;

/**
 * The range that is asked for. Dates are whole days of the zone, `to` among them; a date-time without an offset is the
 * zone's. 400 where it ends before it begins; between an instant and itself lies nothing.
 */
export const rangeOf = (query: {
  readonly from?: string;
  readonly to?: string;
  readonly timeZone: string;
}): TimeRange => {
  const timeZone = canonicalZone(query.timeZone);
  const instant = (value: string, dayOffset: number): number => {
    if (HAS_OFFSET.test(value)) return Date.parse(value);
    if (DATE.test(value)) return instantOf(Date.parse(`${value}T00:00:00Z`) + dayOffset, timeZone);
    return instantOf(Date.parse(`${value}Z`), timeZone);
  };
  const from = query.from === undefined ? null : instant(query.from, 0);
  const to = query.to === undefined ? null : instant(query.to, DAY_MS);
  if (from !== null && to !== null && (to < from || (to === from && DATE.test(query.to ?? ''))))
    throw invalidInput([REVERSED]);
  return { from, to, timeZone };
};

const REVERSED: InputFault = { path: 'to', message: 'to must not lie before from' };
