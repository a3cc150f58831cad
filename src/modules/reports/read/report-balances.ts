import {
  dateOf,
  type Interval,
  instantOf,
  localTime,
  nextStart,
  startOf,
} from '../../../kernel/local-time.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import { TooManyBuckets } from '../../../platform/read-store/buckets.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { STATEMENT_VIEW } from '../../statement/read/statement.view.ts';
import { MAX_REPORT_ROWS, type ReportRow } from './report.ts';
import {
  added,
  type FlowMeasure,
  filtersOf,
  type ReportRequest,
  type Sums,
  sumUp,
  withinLimit,
} from './report-flow.ts';

const inBucket = (bucket: 'available' | 'reserved') => (kind: unknown) => kind === bucket;

export const BALANCE_MEASURES: Readonly<Record<string, FlowMeasure>> = {
  count: { kind: 'count', description: 'Number of statement entries until then.' },
  amount: { kind: 'money', field: 'amount', description: 'Available and reserved together.' },
  available: {
    kind: 'money',
    only: inBucket('available'),
    field: 'amount',
    description: 'Settled; may be negative.',
  },
  reserved: {
    kind: 'money',
    only: inBucket('reserved'),
    field: 'amount',
    description: 'Paid and not settled yet.',
  },
};

const CHANGES = {
  view: STATEMENT_VIEW,
  at: 'createdAt',
  kinds: { terms: { field: 'bucket' } },
  measures: BALANCE_MEASURES,
} as const;

/**
 * Balances at the end of the range, or with an interval at the end of each of its periods. A balance is the sum of all
 * statement lines until then.
 */
export const reportBalances = (
  readStore: ReadStore,
  request: Omit<ReportRequest, 'interval'> & { readonly interval: Interval | null },
  now: Date,
): Promise<{ readonly rows: readonly ReportRow[]; readonly closing: readonly ReportRow[] }> =>
  withinLimit(async () => {
    const { timeZone, from, to } = request.range;
    const { interval, groupBy } = request;
    const sumsOf = async (range: TimeRange, by: Interval | null): Promise<readonly Sums[]> => {
      const sums = await sumUp(readStore, CHANGES, {
        filter: filtersOf({ ...request, range }, CHANGES.at),
        interval: by,
        timeZone,
        field: groupBy === 'merchantId' ? groupBy : undefined,
      });
      return sums.map((sum) => ({ ...sum, group: groupBy === 'currency' ? sum.currency : sum.group }));
    };
    const end = localTime(Math.min(to === null ? Number.MAX_VALUE : to - 1, now.getTime()), timeZone);
    if (interval === null) {
      const sums = await sumsOf({ from: null, to, timeZone }, null);
      const rows = sums.map(({ start, ...row }) => ({ ...row, period: dateOf(end) }));
      return { rows, closing: rows };
    }
    const last = startOf(end, interval);
    if (from === null)
      return accumulate(await sumsOf({ from, to, timeZone }, interval), { first: null, last }, interval);
    // Periods before the first one get no rows, so they are added up in one step.
    const first = startOf(localTime(from, timeZone), interval);
    const begin = instantOf(first, timeZone);
    const opening = await sumsOf(
      { from: null, to: to === null ? begin : Math.min(begin, to), timeZone },
      null,
    );
    const changes = [
      ...opening.map((sum) => ({ ...sum, start: Math.min(first, last) })),
      ...(await sumsOf({ from: begin, to, timeZone }, interval)),
    ];
    return accumulate(changes, { first, last }, interval);
  });

/** Running sums of each group's changes, from the requested period on, or from the first one with changes. */
const accumulate = (
  changes: readonly Sums[],
  { first, last }: { readonly first: number | null; readonly last: number },
  interval: Interval,
): { rows: readonly ReportRow[]; closing: readonly ReportRow[] } => {
  const series = new Map<string, Sums[]>();
  for (const change of changes) {
    const key = `${change.currency} ${change.group}`;
    const known = series.get(key);
    if (known) known.push(change);
    else series.set(key, [change]);
  }
  const rows: ReportRow[] = [];
  const closing: ReportRow[] = [];
  for (const [, [begin, ...others]] of [...series].sort(byKey)) {
    if (!begin) continue;
    const open = [...others];
    const { group, currency } = begin;
    let figures = begin.figures;
    for (let start = begin.start; start <= last; start = nextStart(start, interval)) {
      for (; open[0] && open[0].start <= start; open.shift()) figures = added(figures, open[0].figures);
      const row = { period: dateOf(start), group, currency, figures };
      if (first === null || start >= first) rows.push(row);
      if (rows.length > MAX_REPORT_ROWS) throw new TooManyBuckets();
      if (nextStart(start, interval) > last) closing.push(row);
    }
  }
  return { rows: rows.sort(byPeriod), closing };
};

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

/** Orders rows by period. The sort is stable, so currencies and groups keep their order within a period. */
const byPeriod = (left: ReportRow, right: ReportRow): number =>
  (left.period ?? '') < (right.period ?? '') ? -1 : left.period === right.period ? 0 : 1;
