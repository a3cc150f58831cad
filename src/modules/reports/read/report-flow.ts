import type { estypes } from '@elastic/elasticsearch';
import { invalidInput } from '../../../kernel/errors.ts';
import { dateOf, type Interval, localTime } from '../../../kernel/local-time.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import { type Bucket, collectBuckets, TooManyBuckets } from '../../../platform/read-store/buckets.ts';
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

/** A figure of the documents of a bucket, or of those of them that match `only`. Money is the sum of `field`. */
export type FlowMeasure = Measure & {
  readonly only?: estypes.QueryDslQueryContainer;
  readonly field?: string;
  /** Whether what leaves (a debit) counts as more. */
  readonly negated?: true;
};

/** A report of what happened in each period, added up from the documents of one view. */
export type FlowReport = {
  readonly view: View;
  /** The date by which a document belongs to a period. */
  readonly at: string;
  /** Groupings of the report, with the fields of the view. */
  readonly groups: Readonly<Partial<Record<GroupBy, string>>>;
  /** Groups that the documents do not tell apart, with the report of the same columns that does. */
  readonly groupedElsewhere?: Readonly<Partial<Record<GroupBy, FlowReport>>>;
  readonly only: readonly estypes.QueryDslQueryContainer[];
  readonly measures: Readonly<Record<string, FlowMeasure>>;
};

/** Groupings that a report offers. */
export const groupsOf = ({ groups, groupedElsewhere }: FlowReport): readonly GroupBy[] =>
  Object.keys({ ...groups, ...groupedElsewhere }) as GroupBy[];

/** The report that answers for the asked group. */
export const reportBy = (report: FlowReport, groupBy: GroupBy | undefined): FlowReport =>
  (groupBy && report.groupedElsewhere?.[groupBy]) ?? report;

/** The rows of a flow report, by period, currency and group. */
export const reportFlow = async (
  readStore: ReadStore,
  report: FlowReport,
  request: ReportRequest,
): Promise<readonly ReportRow[]> => {
  const { timeZone } = request.range;
  const group = request.groupBy === null ? undefined : report.groups[request.groupBy];
  const buckets = await withinLimit(() =>
    collectBuckets(readStore, report.view, {
      filter: [...report.only, ...filtersOf(request, report.at)],
      sources: {
        period: {
          date_histogram: { field: report.at, calendar_interval: request.interval, time_zone: timeZone },
        },
        currency: { terms: { field: 'currency' } },
        ...(group === undefined ? {} : { group: { terms: { field: group } } }),
      },
      aggregations: aggregationsOf(report.measures),
      atMost: MAX_REPORT_ROWS,
    }),
  );
  return buckets.map((bucket) => ({
    period: dateOf(localTime(Number(bucket.key.period), timeZone)),
    group: group === undefined ? null : String(bucket.key.group),
    currency: String(bucket.key.currency),
    figures: figuresOf(report.measures, bucket),
  }));
};

/** 400 for a report that is too long to be answered whole. */
export const withinLimit = async <T>(collect: () => Promise<T>): Promise<T> => {
  try {
    return await collect();
  } catch (error) {
    if (!(error instanceof TooManyBuckets)) throw error;
    const message = `the report has more than ${MAX_REPORT_ROWS} rows: ask for a shorter time or a longer interval`;
    throw invalidInput([{ path: 'from', message }]);
  }
};

/** The documents of the environment, merchant, currency and time that are asked for. */
export const filtersOf = (request: ReportRequest, at: string): estypes.QueryDslQueryContainer[] => {
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

/** One aggregation for each measure. */
export const aggregationsOf = (
  measures: Readonly<Record<string, FlowMeasure>>,
): Record<string, estypes.AggregationsAggregationContainer> =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { only, field }]) => [
      name,
      {
        filter: only ?? { match_all: {} },
        ...(field === undefined ? {} : { aggs: { sum: { sum: { field } } } }),
      },
    ]),
  );

/** Value of each measure from the engine, in minor units. It adds as doubles, which are exact within 2^53. */
export const figuresOf = (
  measures: Readonly<Record<string, FlowMeasure>>,
  bucket: Bucket,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(measures).map(([name, { field, negated }]) => {
      const result = bucket.results[name] as { doc_count: number; sum?: { value: number } };
      const figure = field === undefined ? result.doc_count : (result.sum?.value ?? 0);
      if (!Number.isSafeInteger(figure)) throw new RangeError(`${name} is out of range`);
      return [name, negated ? 0 - figure : figure];
    }),
  );
