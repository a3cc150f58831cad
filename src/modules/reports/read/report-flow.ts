import type { estypes } from '@elastic/elasticsearch';
import { invalidInput } from '../../../kernel/errors.ts';
import { dateOf, type Interval, localTime, startOf } from '../../../kernel/local-time.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import { type Bucket, readBuckets, TooManyBuckets } from '../../../platform/read-store/buckets.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { MAX_REPORT_ROWS, type Measure, type ReportRow } from './report.ts';

export type GroupBy = 'status' | 'paymentMethod' | 'currency' | 'merchantId';

/** Parameters of every report. */
export type ReportRequest = {
  readonly livemode: boolean;
  readonly range: TimeRange;
  readonly interval: Interval;
  readonly groupBy: GroupBy | null;
  readonly merchantId: string | null;
  readonly currency: string | null;
};

/** A value that divides the documents of one row into kinds (`kinds`); null for a document without one. */
export type Kind = string | number | null;

/**
 * A number that is computed from the documents of a row, or from the kinds that `only` selects. For money it is the sum
 * of `field`.
 */
export type FlowMeasure = Measure & {
  readonly only?: (kind: Kind) => boolean;
  readonly field?: string;
  /** Whether debits count as positive. */
  readonly negated?: true;
};

/** A report on the events of each period, summed from the documents of one view. */
export type FlowReport = {
  readonly view: View;
  /** The date field that puts a document into a period. */
  readonly at: string;
  /** Groupings of the report, each with its field in the view. */
  readonly groups: Readonly<Partial<Record<GroupBy, string>>>;
  /** Groupings that these documents do not support, each with a report of the same columns that does. */
  readonly groupedElsewhere?: Readonly<Partial<Record<GroupBy, FlowReport>>>;
  readonly only: readonly estypes.QueryDslQueryContainer[];
  /** The source of the kinds. Summing each kind once costs far less than a filter for each measure. */
  readonly kinds?: estypes.AggregationsCompositeAggregationSource;
  readonly measures: Readonly<Record<string, FlowMeasure>>;
};

/** Groupings that a report offers. */
export const groupsOf = ({ groups, groupedElsewhere }: FlowReport): readonly GroupBy[] =>
  Object.keys({ ...groups, ...groupedElsewhere }) as GroupBy[];

/** The report that answers for the requested grouping. */
export const reportBy = (report: FlowReport, groupBy: GroupBy | undefined): FlowReport =>
  (groupBy && report.groupedElsewhere?.[groupBy]) ?? report;

/** The rows of a flow report, by period, currency and group. */
export const reportFlow = async (
  readStore: ReadStore,
  report: FlowReport,
  request: ReportRequest,
): Promise<readonly ReportRow[]> => {
  const { timeZone } = request.range;
  const field = request.groupBy === null ? undefined : report.groups[request.groupBy];
  const filter = [...report.only, ...filtersOf(request, report.at)];
  const { interval } = request;
  const sums = await withinLimit(() => sumUp(readStore, report, { filter, interval, timeZone, field }));
  return sums.map(({ start, ...row }) => ({ ...row, period: dateOf(start) }));
};

/** A row with the local time at which its period begins; 0 without periods. */
export type Sums = Omit<ReportRow, 'period'> & { readonly start: number };

/** Sums documents by period, currency and group, in this order. */
export const sumUp = async (
  readStore: ReadStore,
  { view, at, kinds, measures }: Pick<FlowReport, 'view' | 'at' | 'kinds' | 'measures'>,
  by: {
    readonly filter: readonly estypes.QueryDslQueryContainer[];
    readonly interval: Interval | null;
    readonly timeZone: string;
    /** The field to group by. */
    readonly field: string | undefined;
  },
): Promise<readonly Sums[]> => {
  const { filter, interval, timeZone, field } = by;
  // The index has its latest documents first. When the engine is asked for the latest buckets, it soon has those of a
  // page and skips the rest; when asked for the earliest, it would replace the whole page again and again.
  const pages = readBuckets(readStore, view, {
    filter,
    sources: {
      ...(interval === null
        ? {}
        : {
            period: {
              date_histogram: {
                field: at,
                calendar_interval: interval,
                time_zone: timeZone,
                order: 'desc' as const,
              },
            },
          }),
      currency: { terms: { field: 'currency' } },
      ...(field === undefined ? {} : { group: { terms: { field } } }),
      ...(kinds === undefined ? {} : { kind: kinds }),
    },
    aggregations: aggregationsOf(measures),
  });
  const starts = new Map<unknown, number>();
  const startAt = (period: unknown): number => {
    const known = starts.get(period);
    if (known !== undefined) return known;
    const start = interval === null ? 0 : startOf(localTime(Number(period), timeZone), interval);
    starts.set(period, start);
    return start;
  };
  const sums: Sums[] = [];
  for await (const page of pages)
    for (const bucket of page) {
      const { key } = bucket;
      const start = startAt(key.period);
      const currency = String(key.currency);
      const group = field === undefined ? null : String(key.group);
      const figures = figuresOf(measures, bucket);
      const last = sums.at(-1);
      if (last?.start === start && last.currency === currency && last.group === group)
        sums[sums.length - 1] = { ...last, figures: added(last.figures, figures) };
      else sums.push({ start, currency, group, figures });
      if (sums.length > MAX_REPORT_ROWS) throw new TooManyBuckets();
    }
  // The sort is stable, so currencies and groups keep their order.
  return sums.sort((left, right) => left.start - right.start);
};

/** 400 for a report with more rows than one answer may have. */
export const withinLimit = async <T>(collect: () => Promise<T>): Promise<T> => {
  try {
    return await collect();
  } catch (error) {
    if (!(error instanceof TooManyBuckets)) throw error;
    const message = `the report has more than ${MAX_REPORT_ROWS} rows: ask for a shorter time or a longer interval`;
    throw invalidInput([{ path: 'from', message }]);
  }
};

/** The filters for environment, merchant, currency and time. */
export const filtersOf = (
  request: Omit<ReportRequest, 'interval' | 'groupBy'>,
  at: string,
): estypes.QueryDslQueryContainer[] => {
  const { livemode, merchantId, currency, range } = request;
  const time = {
    ...(range.from === null ? {} : { gte: range.from }),
    ...(range.to === null ? {} : { lt: range.to }),
  };
  return [
    { term: { livemode } },
    ...(merchantId === null ? [] : [{ term: { merchantId } }]),
    ...(currency === null ? [] : [{ term: { currency } }]),
    { range: { [at]: { ...time, format: 'epoch_millis' } } },
  ];
};

/** One sum for each measured field. */
const aggregationsOf = (
  measures: FlowReport['measures'],
): Record<string, estypes.AggregationsAggregationContainer> =>
  Object.fromEntries(
    Object.values(measures).flatMap(({ field }) =>
      field === undefined ? [] : [[field, { sum: { field } }]],
    ),
  );

/** The measures of a bucket; money is in minor units. The engine adds doubles, which are exact up to 2^53. */
const figuresOf = (
  measures: FlowReport['measures'],
  { key, count, results }: Bucket,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { only, field, negated }]) => {
      if (only && !only(key.kind ?? null)) return [name, 0];
      const figure = field === undefined ? count : (results[field] as { value: number }).value;
      return [name, exact(negated ? 0 - figure : figure)];
    }),
  );

/** The measures of two rows added together. */
export const added = (left: ReportRow['figures'], right: ReportRow['figures']): ReportRow['figures'] =>
  Object.fromEntries(
    Object.entries(left).map(([name, figure]) => [name, exact(figure + (right[name] ?? 0))]),
  );

const exact = (figure: number): number => {
  if (!Number.isSafeInteger(figure)) throw new RangeError('a figure of the report is out of range');
  return figure;
};
