import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { contribute, provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { intentGraceMs, providerNamed } from '../providers/providers.module.ts';
import { recordRefundOutcome, refundFollowers } from '../refunds/refunds.module.ts';
import { chargebackRoutes, chargebackTestHelperRoutes } from './chargebacks.http.ts';
import { manualRefundRoutes } from './manual-refunds.http.ts';
import { ALERT_LIST } from './read/list-alerts.ts';
import { MANUAL_REFUND_LIST } from './read/list-manual-refund-requests.ts';
import { CHARGEBACK_ALERTS, chargebackMigrations, createFindAlertOf } from './write/chargebacks.store.ts';
import { createConfirmChargeback, createRecordChargeback } from './write/confirm-chargeback.ts';
import { createFollowRefund } from './write/follow-refund.ts';
import { createRecordAlertRefund } from './write/record-alert-refund.ts';
import { createRegisterAlert } from './write/register-alert.ts';
import { createEndChargebackWait, createReportChargeback } from './write/report-chargeback.ts';
import { createResolveManualRefund } from './write/resolve-manual-refund.ts';

// Followers of refunds know nothing of the recording of refunds, which calls them.
const findAlertOf = provide(createFindAlertOf, services.db);
const recording = { createRecordAlertRefund, createRecordChargeback };
const own = provideEach({ ...services, findAlertOf, findAlert: findById(CHARGEBACK_ALERTS) }, recording);
const { followRefund } = provideEach(provideEach(own, { createEndChargebackWait }), { createFollowRefund });

const others = { findCharge, findSetting, findMerchants, providerNamed, intentGraceMs, recordRefundOutcome };
const scope = { ...own, ...others };
const cases = provideEach(scope, {
  createConfirmChargeback,
  createReportChargeback,
  createRegisterAlert,
  createResolveManualRefund,
});
export const { confirmChargeback, reportChargeback, registerAlert } = cases;

export const chargebacksModule = defineModule(cases, {
  migrations: [chargebackMigrations],
  lists: [ALERT_LIST, MANUAL_REFUND_LIST],
  routes: [chargebackRoutes, chargebackTestHelperRoutes, manualRefundRoutes],
  contributions: [contribute(refundFollowers, followRefund)],
});
