import { dateOf, type Interval, localTime, nextStart, startOf } from '../../../kernel/local-time.ts';
import { collectBuckets, TooManyBuckets } from '../../../platform/read-store/buckets.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { STATEMENT_VIEW } from '../../statement/read/statement.view.ts';
import { MAX_REPORT_ROWS, type ReportRow } from './report.ts';
import {
  aggregationsOf,
  type FlowMeasure,
  figuresOf,
  filtersOf,
  type ReportRequest,
  withinLimit,
} from './report-flow.ts';

const inBucket = (bucket: 'available' | 'reserved') => ({ term: { bucket } });

export const BALANCE_MEASURES: Readonly<Record<string, FlowMeasure>> = {
  count: { kind: 'count', description: 'Statement entries until then.' },
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

/**
 * Balances at the end of the range, or with an interval at the end of each of its periods: the sums of all statement
 * lines until then.
 */
export const reportBalances = (
  readStore: ReadStore,
  request: Omit<ReportRequest, 'interval'> & { readonly interval: Interval | null },
  now: Date,
): Promise<{ readonly rows: readonly ReportRow[]; readonly closing: readonly ReportRow[] }> =>
  withinLimit(async () => {
    const { timeZone, from, to } = request.range;
    const { interval } = request;
    const isGrouped = request.groupBy === 'merchantId';
    const buckets = await collectBuckets(readStore, STATEMENT_VIEW, {
      filter: filtersOf({ ...request, interval: 'day', range: { from: null, to, timeZone } }, 'createdAt'),
      sources: {
        currency: { terms: { field: 'currency' } },
        ...(isGrouped ? { group: { terms: { field: 'merchantId' } } } : {}),
        ...(interval === null
          ? {}
          : {
              period: {
                date_histogram: { field: 'createdAt', calendar_interval: interval, time_zone: timeZone },
              },
            }),
      },
      aggregations: aggregationsOf(BALANCE_MEASURES),
      atMost: MAX_REPORT_ROWS,
    });
    const last = localTime(Math.min(to === null ? Number.MAX_VALUE : to - 1, now.getTime()), timeZone);
    const changes = buckets.map(
      (bucket): Change => ({
        group: request.groupBy === null ? null : String(isGrouped ? bucket.key.group : bucket.key.currency),
        currency: String(bucket.key.currency),
        start: interval === null ? last : startOf(localTime(Number(bucket.key.period), timeZone), interval),
        figures: figuresOf(BALANCE_MEASURES, bucket),
      }),
    );
    if (interval === null) {
      const rows = changes.map(({ start, ...row }) => ({ ...row, period: dateOf(start) }));
      return { rows, closing: rows };
    }
    const first = from === null ? null : startOf(localTime(from, timeZone), interval);
    return accumulate(changes, { first, last: startOf(last, interval) }, interval);
  });

type Change = Omit<ReportRow, 'period'> & { readonly start: number };

/** Running sums of the changes of each group, for every period from the first that is asked for or has a change. */
const accumulate = (
  changes: readonly Change[],
  { first, last }: { readonly first: number | null; readonly last: number },
  interval: Interval,
): { rows: readonly ReportRow[]; closing: readonly ReportRow[] } => {
  const series = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.currency} ${change.group}`;
    const known = series.get(key);
    if (known) known.push(change);
    else series.set(key, [change]);
  }
  const rows: ReportRow[] = [];
  const closing: ReportRow[] = [];
  for (const [begin, ...others] of series.values()) {
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

const added = (left: ReportRow['figures'], right: ReportRow['figures']): ReportRow['figures'] =>
  Object.fromEntries(Object.entries(left).map(([name, figure]) => [name, figure + (right[name] ?? 0)]));

/** A stable sort keeps currencies and groups in their order within a period. */
const byPeriod = (left: ReportRow, right: ReportRow): number =>
  (left.period ?? '') < (right.period ?? '') ? -1 : left.period === right.period ? 0 : 1;
