import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { RefundsModule } from '../refunds/refunds.module.ts';
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

export type ChargebacksModule = ReturnType<typeof createChargebacksModule>;

export const createChargebacksModule = (
  services: Services,
  {
    charges,
    merchants,
    providers,
    refunds,
  }: {
    readonly charges: ChargesModule;
    readonly merchants: MerchantsModule;
    readonly providers: ProvidersModule;
    readonly refunds: RefundsModule;
  },
) => {
  const stored = {
    ...services,
    findAlertOf: createFindAlertOf(services.db),
    findAlert: createFindById(services, CHARGEBACK_ALERTS),
  };
  const recording = {
    ...stored,
    recordAlertRefund: createRecordAlertRefund(stored),
    recordChargeback: createRecordChargeback(stored),
  };
  const endChargebackWait = createEndChargebackWait(recording);
  refunds.followRefunds(createFollowRefund({ ...recording, endChargebackWait }));

  const deps = {
    ...recording,
    findCharge: charges.findCharge,
    findSetting: merchants.findSetting,
    findMerchants: merchants.findMerchants,
    providerNamed: providers.providerNamed,
    intentGraceMs: providers.intentGraceMs,
    recordRefundOutcome: refunds.recordRefundOutcome,
  };
  const cases = {
    ...deps,
    confirmChargeback: createConfirmChargeback(deps),
    reportChargeback: createReportChargeback(deps),
    registerAlert: createRegisterAlert(deps),
    resolveManualRefund: createResolveManualRefund(deps),
  };
  const { confirmChargeback, reportChargeback, registerAlert } = cases;
  return {
    confirmChargeback,
    reportChargeback,
    registerAlert,
    contributions: {
      migrations: chargebackMigrations,
      views: [ALERT_LIST.view, MANUAL_REFUND_LIST.view],
      routes: () => [
        ...ALERT_LIST.routes(cases),
        ...MANUAL_REFUND_LIST.routes(cases),
        ...chargebackRoutes(cases),
        ...chargebackTestHelperRoutes(cases),
        ...manualRefundRoutes(cases),
      ],
    },
  };
};
