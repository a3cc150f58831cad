import type { Clock } from '../../../kernel/clock.ts';
import { timestamp } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { dateOf, instantOf, localTime, startOf } from '../../../kernel/local-time.ts';
import { toDecimal } from '../../../kernel/money.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { type Bucket, readBuckets } from '../../../platform/read-store/buckets.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { type Conditions, scopeOf } from '../../../platform/read-store/scope.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { STORED_METHODS_VIEW } from '../../stored-methods/read/stored-method.view.ts';
import { type MandateFigures, readMandateFigures } from './mandate-figures.ts';
import { SUBSCRIPTIONS_VIEW } from './subscription.view.ts';

/** Figures of the subscriptions to one plan in one month; `planId` is null for those without a plan. */
export type SubscriptionRow = {
  readonly month: string;
  readonly planId: string | null;
  readonly currency: string;
  readonly active: number;
  readonly new: number;
  readonly lost: number;
  readonly monthlyRevenue: number;
  readonly pastDue: number | null;
};

type SubscriptionReportQuery = {
  readonly months: number;
  readonly timeZone: string;
  readonly merchantId?: MerchantId;
  readonly currency?: string;
};

export type GetSubscriptionReport = (
  principal: Principal,
  query: SubscriptionReportQuery,
  consistencyToken: string | null,
) => Promise<{ readonly data: readonly SubscriptionRow[] } & MandateFigures>;

export const createGetSubscriptionReport =
  (deps: {
    readonly readStore: ReadStore;
    readonly readView: ReadView;
    readonly findMerchants: FindMerchants;
    readonly clock: Clock;
  }): GetSubscriptionReport =>
  async (principal, query, consistencyToken) => {
    await assertMayNameMerchant(principal, query.merchantId, deps.findMerchants);
    await deps.readView.ready(SUBSCRIPTIONS_VIEW, consistencyToken);
    await deps.readView.ready(STORED_METHODS_VIEW, consistencyToken);
    const { timeZone } = query;
    const months = lastMonths(deps.clock(), query.months, timeZone);
    const from = timestamp(new Date(instantOf(Date.parse(months[0] ?? ''), timeZone)));
    const scope: Conditions = [
      ...scopeOf(principal),
      ...(query.merchantId ? [{ term: { merchantId: query.merchantId } }] : []),
    ];
    const filter: Conditions = [
      ...scope,
      { exists: { field: 'activatedAt' } },
      { bool: { must_not: [{ range: { endedAt: { lt: from } } }] } },
      ...(query.currency ? [{ term: { currency: query.currency } }] : []),
    ];
    const month = (field: string) => ({
      date_histogram: {
        field,
        calendar_interval: 'month',
        time_zone: timeZone,
        missing_bucket: true,
      } as const,
    });
    const cohorts: Cohort[] = [];
    const pages = readBuckets(deps.readStore, SUBSCRIPTIONS_VIEW, {
      filter,
      sources: {
        currency: { terms: { field: 'currency' } },
        planId: { terms: { field: 'planId', missing_bucket: true } },
        activated: month('activatedAt'),
        ended: month('endedAt'),
      },
      aggregations: {
        monthly: { sum: { field: 'monthly' } },
        pastDue: { filter: { term: { status: 'past_due' } } },
      },
    });
    for await (const page of pages) cohorts.push(...page.map((bucket) => cohortOf(bucket, timeZone)));
    const figures = await readMandateFigures(deps.readStore, scope, deps.clock());
    return { data: rowsOf(cohorts, months), ...figures };
  };

/** Subscriptions to one plan that began in one month and ended in another. */
type Cohort = {
  readonly currency: string;
  readonly planId: string | null;
  readonly activated: string;
  /** Null for those that have not ended. */
  readonly ended: string | null;
  readonly count: number;
  readonly monthly: number;
  readonly pastDue: number;
};

const cohortOf = ({ key, count, results }: Bucket, timeZone: string): Cohort => ({
  currency: String(key.currency),
  planId: key.planId === null || key.planId === undefined ? null : String(key.planId),
  activated: monthOf(Number(key.activated), timeZone),
  ended: typeof key.ended === 'number' ? monthOf(key.ended, timeZone) : null,
  count,
  monthly: Number((results.monthly as { readonly value?: number | null }).value ?? 0),
  pastDue: (results.pastDue as { readonly doc_count: number }).doc_count,
});

const monthOf = (instant: number, timeZone: string): string =>
  dateOf(startOf(localTime(instant, timeZone), 'month'));

/** First days of the last months, the present one included, oldest first. */
const lastMonths = (now: Date, count: number, timeZone: string): readonly string[] => {
  const months: string[] = [];
  let start = startOf(localTime(now.getTime(), timeZone), 'month');
  while (months.length < count) {
    months.unshift(dateOf(start));
    start = startOf(start - 1, 'month');
  }
  return months;
};

const rowsOf = (cohorts: readonly Cohort[], months: readonly string[]): readonly SubscriptionRow[] => {
  const plans = new Map<string, { readonly planId: string | null; readonly currency: string }>();
  for (const { planId, currency } of cohorts)
    plans.set(JSON.stringify([currency, planId]), { planId, currency });
  return months.flatMap((month) =>
    [...plans.values()].flatMap(({ planId, currency }) => {
      const own = cohorts.filter((one) => one.planId === planId && one.currency === currency);
      const active = own.filter(({ activated, ended }) => activated <= month && (ended ?? '~') > month);
      const row = {
        month,
        planId,
        currency,
        active: total(active, 'count'),
        new: total(
          own.filter(({ activated }) => activated === month),
          'count',
        ),
        lost: total(
          own.filter(({ ended }) => ended === month),
          'count',
        ),
        monthlyRevenue: toDecimal(total(active, 'monthly'), currency),
        pastDue: month === months.at(-1) ? total(active, 'pastDue') : null,
      };
      return row.active + row.new + row.lost > 0 ? [row] : [];
    }),
  );
};

const total = (cohorts: readonly Cohort[], of: 'count' | 'monthly' | 'pastDue'): number =>
  cohorts.reduce((sum, cohort) => sum + cohort[of], 0);
