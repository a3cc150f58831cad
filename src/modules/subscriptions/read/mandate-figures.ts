import type { estypes } from '@elastic/elasticsearch';
import { timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { type Bucket, readBuckets } from '../../../platform/read-store/buckets.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { Conditions } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { STORED_METHODS_VIEW } from '../../stored-methods/read/stored-method.view.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { SUBSCRIPTIONS_VIEW } from './subscription.view.ts';

/** Mandates of Pix Automático by their status, and the charges of cycles that payers' banks are to pay. */
export type MandateFigures = {
  readonly mandates: Readonly<Record<StoredMethod['status'], number>>;
  readonly plannedCharges: {
    /** All that wait for their outcome. */
    readonly waiting: number;
    /** How many of those should have had it: news must have got lost, and nobody answers a question about it. */
    readonly overdue: number;
  };
};

/** An institution tells at the end of the day, and each planned charge is asked about once a day. */
const TOLD_WITHIN_MS = 2 * DAY_MS;

/** The figures of the mandates and subscriptions that fulfil these conditions. */
export const readMandateFigures = async (
  readStore: ReadStore,
  scope: Conditions,
  now: Date,
): Promise<MandateFigures> => {
  const isMandate = { term: { type: 'pix_automatic' } };
  const byStatus = await bucketsOf(readStore, STORED_METHODS_VIEW, [...scope, isMandate]);
  const countOf = (status: StoredMethod['status']): number =>
    byStatus.find(({ key }) => key.status === status)?.count ?? 0;
  const toldBy = timestamp(new Date(now.getTime() - TOLD_WITHIN_MS));
  const isPlanned = { exists: { field: 'plannedAt' } };
  const planned = await bucketsOf(readStore, SUBSCRIPTIONS_VIEW, [...scope, isPlanned], {
    overdue: { filter: { range: { plannedAt: { lt: toldBy } } } },
  });
  return {
    mandates: {
      pending: countOf('pending'),
      active: countOf('active'),
      failed: countOf('failed'),
      expired: countOf('expired'),
      revoked: countOf('revoked'),
    },
    plannedCharges: {
      waiting: sum(planned, ({ count }) => count),
      overdue: sum(planned, ({ results }) => (results.overdue as { readonly doc_count: number }).doc_count),
    },
  };
};

const sum = (buckets: readonly Bucket[], of: (bucket: Bucket) => number): number =>
  buckets.reduce((total, bucket) => total + of(bucket), 0);

const bucketsOf = async (
  readStore: ReadStore,
  view: View,
  filter: Conditions,
  aggregations: Readonly<Record<string, estypes.AggregationsAggregationContainer>> = {},
): Promise<readonly Bucket[]> => {
  const found: Bucket[] = [];
  const sources = { status: { terms: { field: 'status' } } };
  for await (const page of readBuckets(readStore, view, { filter, sources, aggregations }))
    found.push(...page);
  return found;
};
