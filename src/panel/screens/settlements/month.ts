import { DAY_MS } from '../../../kernel/durations.ts';

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days of whole weeks, from Monday on, in which a month lies; `2026-11` is the month. */
export const weeksOf = (month: string): readonly (readonly string[])[] => {
  const first = Date.parse(`${month}-01`);
  const sinceMonday = (new Date(first).getUTCDay() + 6) % 7;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = Date.UTC(year, number, 0);
  const weeks: string[][] = [];
  for (let monday = first - sinceMonday * DAY_MS; monday <= last; monday += 7 * DAY_MS)
    weeks.push(Array.from({ length: 7 }, (_, day) => dayAt(monday + day * DAY_MS)));
  return weeks;
};

/** Another month, so many later. */
export const monthAfter = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return dayAt(Date.UTC(year, number - 1 + months, 1)).slice(0, 7);
};
