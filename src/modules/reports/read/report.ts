import { type Minor, sum, toDecimal } from '../../../kernel/money.ts';
import type { CsvColumns } from '../../../platform/http/csv.ts';

/** A column of figures: how many of something, or how much in the row's currency. */
export type Measure = { readonly kind: 'count' | 'money'; readonly description: string };
export type Measures = Readonly<Record<string, Measure>>;

/** One line of a report. Money is minor units; every line has one currency, so nothing is ever added across them. */
export type ReportRow = {
  /** First day of the period, `2026-03-01`. */
  readonly period: string | null;
  /** Value of the field that the report is grouped by, null where it is not. */
  readonly group: string | null;
  readonly currency: string;
  readonly figures: Readonly<Record<string, Minor>>;
};

/** Rows of a report that an answer holds at most; a longer report has to be asked for in parts. */
export const MAX_REPORT_ROWS = 50_000;

const figuresOf = (measures: Measures, { currency, figures }: Pick<ReportRow, 'currency' | 'figures'>) =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { kind }]) => {
      const figure = figures[name] ?? 0;
      return [name, kind === 'money' ? toDecimal(figure, currency) : figure];
    }),
  );

/** The sums over all rows of each currency. */
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

/** A report as the API answers it: decimal amounts, totals for each currency. */
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

/** Columns of a report's lines as CSV. */
export const csvColumns = (measures: Measures): CsvColumns<ReportAnswer['data'][number]> => ({
  period: (row) => row.period,
  group: (row) => row.group,
  currency: (row) => row.currency,
  ...Object.fromEntries(
    Object.keys(measures).map((name) => [
      name,
      (row: ReportAnswer['data'][number]) => (row as unknown as Record<string, number>)[name] ?? 0,
    ]),
  ),
});
