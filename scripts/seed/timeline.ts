import { DAY_MS } from '../../src/kernel/durations.ts';
import { waitingOf } from './scenarios.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Weights of the hours of a day, from midnight, and of the days of a week, from Sunday (UTC−3). */
const HOURS = [3, 2, 1, 1, 1, 1, 2, 4, 7, 10, 13, 14, 13, 12, 13, 13, 13, 14, 15, 16, 17, 15, 11, 6];
const WEEKDAYS = [7, 10, 10, 10, 11, 13, 12];
const OFFSET_MS = -3 * HOUR_MS;
/** How much busier the end of a run is than its beginning. */
const GROWTH = 0.6;

/** When the charge with this number happens; `within`, from 0 to 1, is its place in the time until the next one. */
type Timeline = (index: number, within: number) => number;

/**
 * Charges follow the rhythm of days and weeks and end a day before `end`; those that still wait are from the last half
 * hour.
 */
export const createTimeline = (start: number, end: number, charges: number): Timeline => {
  const sums: number[] = [0];
  const last = end - DAY_MS;
  for (let at = start; at < last; at += HOUR_MS) {
    const local = new Date(at + OFFSET_MS);
    const wave = (HOURS[local.getUTCHours()] ?? 1) * (WEEKDAYS[local.getUTCDay()] ?? 1);
    const growth = 1 + (GROWTH * (at - start)) / (last - start);
    sums.push((sums.at(-1) ?? 0) + wave * growth * (Math.min(HOUR_MS, last - at) / HOUR_MS));
  }
  const total = sums.at(-1) ?? 0;
  const waiting = waitingOf(charges);
  const ended = charges - waiting;

  return (index, within) => {
    if (index >= ended)
      return Math.floor(end - MINUTE_MS - 30 * MINUTE_MS * (1 - (index - ended + within) / waiting));
    const wanted = ((index + within) / ended) * total;
    const hour = firstAbove(sums, wanted) - 1;
    const [before = 0, after = total] = [sums[hour], sums[hour + 1]];
    return Math.min(last, Math.floor(start + (hour + (wanted - before) / (after - before)) * HOUR_MS));
  };
};

/** Position of the first number in an ascending list that is above another; at least 1, at most the last. */
const firstAbove = (ascending: readonly number[], wanted: number): number => {
  let low = 1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
};
