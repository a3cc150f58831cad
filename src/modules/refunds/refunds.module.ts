import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { all, provide, provideEach, token } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { findJournal } from '../ledger/ledger.module.ts';
import { intentGraceMs, providerNamed, simulator } from '../providers/providers.module.ts';
import { REFUND_LIST } from './read/list-refunds.ts';
import { REFUNDS_VIEW } from './read/refund.view.ts';
import { refundRoutes, refundTestHelperRoutes } from './refunds.http.ts';
import { createReconcileRefund } from './write/reconcile-refund.ts';
import { createRecordRefundOutcome, type FollowRefund } from './write/record-refund-outcome.ts';
import { createFindDueRefunds, REFUNDS, refundMigrations } from './write/refund.store.ts';
import { createRefundCharge } from './write/refund-charge.ts';
import { createSimulateRefund } from './write/simulate-refund.ts';

/** Contributed by modules that act on the outcome of a refund. */
export const refundFollowers = token<FollowRefund>('refundFollowers');
export const findRefund = findById(REFUNDS);
const providers = { intentGraceMs, providerNamed, simulator };
const scope = {
  ...services,
  ...providers,
  findCharge,
  findRefund,
  findJournal,
  followers: all(refundFollowers),
};
export const recordRefundOutcome = provide(createRecordRefundOutcome, scope);
const cases = provideEach(
  { ...scope, recordRefundOutcome },
  { createRefundCharge, createReconcileRefund, createSimulateRefund },
);
export const { refundCharge } = cases;
const findDue = provide(createFindDueRefunds, services.db);

export const refundsModule = defineModule({
  migrations: [refundMigrations],
  views: [REFUNDS_VIEW],
  lists: [REFUND_LIST],
  routes: [
    provide(refundRoutes, { ...cases, findRefund }),
    provide(refundTestHelperRoutes, cases.simulateRefund),
  ],
  loops: [reconcileLoop('reconcile refunds', findDue, cases.reconcileRefund)],
});
