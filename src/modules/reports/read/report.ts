import { type Minor, sum, toDecimal } from '../../../kernel/money.ts';
import type { CsvColumns } from '../../../platform/http/csv.ts';

/** A column of numbers: a count, or an amount in the row's currency. */
export type Measure = { readonly kind: 'count' | 'money'; readonly description: string };
export type Measures = Readonly<Record<string, Measure>>;

/**
 * One row of a report. Money is in minor units, and each row has one currency, so amounts of different currencies are
 * never added.
 */
export type ReportRow = {
  /** First day of the period, `2026-03-01`. */
  readonly period: string | null;
  /** Value of the field that the report is grouped by; null without grouping. */
  readonly group: string | null;
  readonly currency: string;
  readonly figures: Readonly<Record<string, Minor>>;
};

/** The most rows that an answer has; a longer report has to be requested in parts. */
export const MAX_REPORT_ROWS = 50_000;

const figuresOf = (measures: Measures, { currency, figures }: Pick<ReportRow, 'currency' | 'figures'>) =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { kind }]) => {
      const figure = figures[name] ?? 0;
      return [name, kind === 'money' ? toDecimal(figure, currency) : figure];
    }),
  );

/** The sums of all rows of each currency. */
const totalsOf = (
  measures: Measures,
  rows: readonly ReportRow[],
): Pick<ReportRow, 'currency' | 'figures'>[] => {
  const byCurrency = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const known = byCurrency.get(row.currency);
    if (known) known.push(row);
    else byCurrency.set(row.currency, [row]);
  }
  return [...byCurrency]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([currency, ofCurrency]) => ({
      currency,
      figures: Object.fromEntries(
        Object.keys(measures).map((name) => [name, sum(ofCurrency.map((row) => row.figures[name] ?? 0))]),
      ),
    }));
};

/** A report as the API answers it, with decimal amounts and totals for each currency. */
export const presentReport = (measures: Measures, rows: readonly ReportRow[], summed = rows) => ({
  data: rows.map((row) => ({
    period: row.period,
    group: row.group,
    currency: row.currency,
    ...figuresOf(measures, row),
  })),
  totals: totalsOf(measures, summed).map((total) => ({
    currency: total.currency,
    ...figuresOf(measures, total),
  })),
});
export type ReportAnswer = ReturnType<typeof presentReport>;

/** CSV columns of a report. */
export const csvColumns = (measures: Measures): CsvColumns<ReportAnswer['data'][number]> => ({
  period: (row) => row.period,
  group: (row) => row.group,
  currency: (row) => row.currency,
  ...Object.fromEntries(
    Object.keys(measures).map((name) => [
      name,
      (row: Readonly<Record<string, unknown>>) => Number(row[name] ?? 0),
    ]),
  ),
});
