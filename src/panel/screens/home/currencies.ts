import { addMoney } from '../../format.ts';

/** A day and currency of a report; amounts are decimal. */
export type DayRow = {
  readonly period: string;
  readonly currency: string;
  readonly amount: number;
  readonly count: number;
};

/** A figure of a currency over some days, with the days before them. */
export type Figure = {
  readonly total: number;
  readonly before: number;
  readonly count: number;
  readonly countBefore: number;
  /** The amount of each day, and of the day that lies the whole time earlier. */
  readonly days: readonly { readonly day: string; readonly amount: number; readonly before: number }[];
};

/** The currencies of a report, the one with the most charges first. */
export const currenciesIn = (rows: readonly DayRow[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { currency, count } of rows) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts]
    .toSorted(([code, count], [other, less]) => less - count || code.localeCompare(other))
    .map(([currency]) => currency);
};

/** Sums the rows of a currency over `days`, and over as many days before them. */
export const figureOf = (
  rows: readonly DayRow[],
  currency: string,
  days: readonly string[],
  daysBefore: readonly string[],
): Figure => {
  const byDay = new Map(rows.filter((row) => row.currency === currency).map((row) => [row.period, row]));
  const amountOf = (day: string | undefined): number => byDay.get(day ?? '')?.amount ?? 0;
  const sum = (some: readonly string[]): number => addMoney(currency, ...some.map(amountOf));
  const count = (some: readonly string[]): number =>
    some.reduce((total, day) => total + (byDay.get(day)?.count ?? 0), 0);
  return {
    total: sum(days),
    before: sum(daysBefore),
    count: count(days),
    countBefore: count(daysBefore),
    days: days.map((day, index) => ({ day, amount: amountOf(day), before: amountOf(daysBefore[index]) })),
  };
};
