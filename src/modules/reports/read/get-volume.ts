import type { Principal } from '../../../kernel/principal.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { OWN_VOLUME } from './flow-reports.ts';
import { type ReportQuery, requestOf } from './get-report.ts';
import { presentReport, type ReportAnswer } from './report.ts';
import { reportFlow } from './report-flow.ts';

/** Sums a merchant's sales by period; a master's include the charges of its sub-merchants. */
export type GetVolume = (
  principal: Principal,
  query: ReportQuery,
  consistencyToken: string | null,
) => Promise<ReportAnswer>;

export const createGetVolume =
  (deps: {
    readonly readStore: ReadStore;
    readonly readView: ReadView;
    readonly findMerchants: FindMerchants;
  }): GetVolume =>
  async (principal, query, consistencyToken) => {
    await assertMayNameMerchant(principal, query.merchantId, deps.findMerchants);
    await deps.readView.ready(OWN_VOLUME.view, consistencyToken);
    const asked = { ...requestOf(principal.livemode, query), interval: query.interval ?? 'day' };
    const own = { ...OWN_VOLUME, only: scopeOf(principal) };
    const rows = await reportFlow(deps.readStore, own, asked);
    return presentReport(OWN_VOLUME.measures, rows);
  };
