import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { contribute, provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { intentGraceMs, providerNamed } from '../providers/providers.module.ts';
import { recordRefundOutcome, refundFollowers } from '../refunds/refunds.module.ts';
import { chargebackRoutes, chargebackTestHelperRoutes } from './chargebacks.http.ts';
import { manualRefundRoutes } from './manual-refunds.http.ts';
import { CHARGEBACK_ALERTS_VIEW } from './read/alert.view.ts';
import { ALERT_LIST } from './read/list-alerts.ts';
import { createManualRefundList } from './read/list-manual-refund-requests.ts';
import { MANUAL_REFUND_REQUESTS_VIEW } from './read/manual-refund-request.view.ts';
import { CHARGEBACK_ALERTS, chargebackMigrations, createFindAlertOf } from './write/chargebacks.store.ts';
import { createConfirmChargeback, createRecordChargeback } from './write/confirm-chargeback.ts';
import { createFollowRefund } from './write/follow-refund.ts';
import { createRecordAlertRefund } from './write/record-alert-refund.ts';
import { createRegisterAlert } from './write/register-alert.ts';
import { createEndChargebackWait, createReportChargeback } from './write/report-chargeback.ts';
import { createResolveManualRefund } from './write/resolve-manual-refund.ts';

// Followers of refunds know nothing of the recording of refunds, which calls them.
const findAlertOf = provide(createFindAlertOf, services.db);
const recordAlertRefund = provide(createRecordAlertRefund, services);
const recordChargeback = provide(createRecordChargeback, { ...services, findAlertOf });
const endChargebackWait = provide(createEndChargebackWait, { ...services, recordChargeback });
const followRefund = provide(createFollowRefund, { recordAlertRefund, endChargebackWait });

const others = { findCharge, findSetting, findMerchants, providerNamed, intentGraceMs, recordRefundOutcome };
const findAlert = findById(CHARGEBACK_ALERTS);
const scope = { ...services, ...others, findAlert, findAlertOf, recordAlertRefund, recordChargeback };
const cases = provideEach(scope, {
  createConfirmChargeback,
  createReportChargeback,
  createRegisterAlert,
  createResolveManualRefund,
});
export const { confirmChargeback, reportChargeback, registerAlert } = cases;

export const chargebacksModule = defineModule(
  {
    migrations: [chargebackMigrations],
    views: [CHARGEBACK_ALERTS_VIEW, MANUAL_REFUND_REQUESTS_VIEW],
    lists: [ALERT_LIST, provide(createManualRefundList, findMerchants)],
    routes: [
      provide(chargebackRoutes, { ...scope, ...cases }),
      provide(chargebackTestHelperRoutes, confirmChargeback),
      provide(manualRefundRoutes, { ...scope, ...cases }),
    ],
  },
  contribute(refundFollowers, followRefund),
);
