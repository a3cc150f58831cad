import { DAY_MS } from '../../../kernel/durations.ts';
export type Interval = 'day' | 'week' | 'month';

/** A chart with more bars than this shows none of them. */
const MAX_PERIODS = 400;

const startOf = (day: Date, interval: Interval): Date => {
  if (interval === 'month') return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
  const sinceMonday = interval === 'week' ? (day.getUTCDay() + 6) % 7 : 0;
  return new Date(day.getTime() - sinceMonday * DAY_MS);
};

const following = (day: Date, interval: Interval): Date =>
  interval === 'month'
    ? new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1))
    : new Date(day.getTime() + (interval === 'week' ? 7 : 1) * DAY_MS);

/** First days of the periods from one day to another, `2026-11-23`; weeks begin on Monday. */
export const periodsBetween = (from: string, to: string, interval: Interval): readonly string[] => {
  const last = Date.parse(to);
  const periods: string[] = [];
  let day = startOf(new Date(from), interval);
  while (day.getTime() <= last && periods.length <= MAX_PERIODS) {
    periods.push(day.toISOString().slice(0, 10));
    day = following(day, interval);
  }
  return periods.length > MAX_PERIODS ? [] : periods;
};

/** A chart with more bars than this has wider periods. */
const MAX_BARS = 62;

/** First days of the shortest periods from one day to another that a chart has room for. */
export const periodsSince = (from: string, to: string): readonly string[] => {
  const periods = (['day', 'week', 'month'] as const).map((interval) => periodsBetween(from, to, interval));
  return periods.find(({ length }) => length > 0 && length <= MAX_BARS) ?? periods.at(-1) ?? [];
};
