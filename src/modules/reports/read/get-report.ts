import type { Clock } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Interval } from '../../../kernel/local-time.ts';
import { rangeOf } from '../../../kernel/time-range.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { STATEMENT_VIEW } from '../../statement/read/statement.view.ts';
import { PAYOUTS, REVENUE, VOLUME } from './flow-reports.ts';
import { presentReport, type ReportAnswer } from './report.ts';
import { BALANCE_MEASURES, reportBalances } from './report-balances.ts';
import { type GroupBy, reportBy, reportFlow } from './report-flow.ts';

const FLOWS = { volume: VOLUME, revenue: REVENUE, payouts: PAYOUTS };

export type ReportName = keyof typeof FLOWS | 'balances';

/** The validated parameters of a report. */
export type ReportQuery = {
  readonly from?: string;
  readonly to?: string;
  readonly timeZone: string;
  readonly interval?: Interval;
  readonly groupBy?: GroupBy;
  readonly merchantId?: MerchantId;
  readonly currency?: string;
};

/** A finance report over all merchants of an environment, from the views. */
export type GetReport = (
  name: ReportName,
  livemode: boolean,
  query: ReportQuery,
  consistencyToken: string | null,
) => Promise<ReportAnswer>;

/** The parameters of a report with its environment, in the form that the reports work with. */
export const requestOf = (livemode: boolean, query: ReportQuery) => ({
  livemode,
  range: rangeOf(query),
  groupBy: query.groupBy ?? null,
  merchantId: query.merchantId ?? null,
  currency: query.currency ?? null,
});

export const createGetReport =
  (deps: { readonly readStore: ReadStore; readonly readView: ReadView; readonly clock: Clock }): GetReport =>
  async (name, livemode, query, consistencyToken) => {
    const request = requestOf(livemode, query);
    if (name !== 'balances') {
      const asked = { ...request, interval: query.interval ?? 'day' };
      const flow = reportBy(FLOWS[name], query.groupBy);
      await deps.readView.ready(flow.view, consistencyToken);
      return presentReport(flow.measures, await reportFlow(deps.readStore, flow, asked));
    }
    await deps.readView.ready(STATEMENT_VIEW, consistencyToken);
    const asked = { ...request, groupBy: request.groupBy ?? 'merchantId', interval: query.interval ?? null };
    const { rows, closing } = await reportBalances(deps.readStore, asked, deps.clock());
    return presentReport(BALANCE_MEASURES, rows, closing);
  };
