import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { all, provideEach, token } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { findJournal } from '../ledger/ledger.module.ts';
import { intentGraceMs, providerNamed, simulator } from '../providers/providers.module.ts';
import { REFUND_LIST } from './read/list-refunds.ts';
import { refundRoutes, refundTestHelperRoutes } from './refunds.http.ts';
import { createReconcileRefund } from './write/reconcile-refund.ts';
import { createRecordRefundOutcome, type FollowRefund } from './write/record-refund-outcome.ts';
import { REFUNDS, refundMigrations } from './write/refund.store.ts';
import { createRefundCharge } from './write/refund-charge.ts';
import { createSimulateRefund } from './write/simulate-refund.ts';

/** Contributed by modules that act on the outcome of a refund. */
export const refundFollowers = token<FollowRefund>('refundFollowers');
export const findRefund = findById(REFUNDS);
const providers = { intentGraceMs, providerNamed, simulator };
const reads = { findCharge, findRefund, findJournal };
const scope = { ...services, ...providers, ...reads, followers: all(refundFollowers) };
const recording = provideEach(scope, { createRecordRefundOutcome });
const cases = provideEach(recording, { createRefundCharge, createReconcileRefund, createSimulateRefund });
export const { recordRefundOutcome, refundCharge } = cases;

export const refundsModule = defineModule(cases, {
  migrations: [refundMigrations],
  lists: [REFUND_LIST],
  routes: [refundRoutes, refundTestHelperRoutes],
  loops: [reconcileLoop('reconcile refunds', REFUNDS, cases.reconcileRefund)],
});
