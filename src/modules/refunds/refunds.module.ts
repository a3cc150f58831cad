import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { LedgerModule } from '../ledger/ledger.module.ts';
import type { HearLateFailure } from '../providers/late-failures.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { REFUND_LIST } from './read/list-refunds.ts';
import { refundRoutes, refundTestHelperRoutes } from './refunds.http.ts';
import { createReconcileRefund } from './write/reconcile-refund.ts';
import { createRecordRefundOutcome, type FollowRefund } from './write/record-refund-outcome.ts';
import { REFUNDS, refundMigrations } from './write/refund.store.ts';
import { createRefundCharge } from './write/refund-charge.ts';
import { createSimulateRefund } from './write/simulate-refund.ts';

export type RefundsModule = ReturnType<typeof createRefundsModule>;

export const createRefundsModule = (
  services: Services,
  {
    charges,
    ledger,
    providers,
  }: { readonly charges: ChargesModule; readonly ledger: LedgerModule; readonly providers: ProvidersModule },
) => {
  const followers: FollowRefund[] = [];
  const hearers: HearLateFailure[] = [];
  const findRefund = createFindById(services, REFUNDS);
  const stored = {
    ...services,
    intentGraceMs: providers.intentGraceMs,
    providerNamed: providers.providerNamed,
    simulator: providers.simulator,
    findCharge: charges.findCharge,
    findRefund,
    findJournal: ledger.findJournal,
    followers,
    hearers,
  };
  const deps = { ...stored, recordRefundOutcome: createRecordRefundOutcome(stored) };
  const cases = {
    ...deps,
    refundCharge: createRefundCharge(deps),
    simulateRefund: createSimulateRefund(deps),
  };
  return {
    findRefund,
    recordRefundOutcome: deps.recordRefundOutcome,
    refundCharge: cases.refundCharge,
    /** Called by modules that act on the outcome of a refund. */
    followRefunds: (follow: FollowRefund): void => void followers.push(follow),
    /** Called where a refund that was done is found to have failed since. */
    hearLateFailures: (hear: HearLateFailure): void => void hearers.push(hear),
    contributions: {
      migrations: refundMigrations,
      views: [REFUND_LIST.view],
      routes: () => [...REFUND_LIST.routes(cases), ...refundRoutes(cases), ...refundTestHelperRoutes(cases)],
      work: () => ({
        dueLoops: [
          reconcileLoop(services, {
            name: 'reconcile refunds',
            of: REFUNDS,
            reconcile: createReconcileRefund(deps),
          }),
        ],
      }),
    },
  };
};
