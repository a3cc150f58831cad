import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, READ_VIEW, ROUTES, TRANSACT, VIEW } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { FIND_CHARGE, GRACE_TIMEOUTS } from '../charges/charges.module.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { findSetting } from '../merchants/write/settings.store.ts';
import { PROVIDER_NAMED, PROVIDER_OPTIONS } from '../providers/providers.module.ts';
import { CLOSE_REFUND, END_CHARGEBACK_WAIT, RECORD_ALERT_REFUND } from '../refunds/refunds.module.ts';
import { chargebackRoutes, chargebackTestHelperRoutes } from './chargebacks.http.ts';
import { manualRefundRoutes } from './manual-refunds.http.ts';
import { CHARGEBACK_ALERTS_VIEW } from './read/alert.view.ts';
import { createListAlerts } from './read/list-alerts.ts';
import { createListManualRefunds } from './read/list-manual-refund-requests.ts';
import { MANUAL_REFUND_REQUESTS_VIEW } from './read/manual-refund-request.view.ts';
import type { ChargebackAlert } from './write/alert.ts';
import { CHARGEBACK_ALERTS, chargebackMigrations, createFindAlertOf } from './write/chargebacks.store.ts';
import {
  type ConfirmChargeback,
  createConfirmChargeback,
  createRecordChargeback,
  type RecordChargeback,
} from './write/confirm-chargeback.ts';
import { createRecordAlertRefund } from './write/record-alert-refund.ts';
import { createRegisterAlert, type RegisterAlert } from './write/register-alert.ts';
import {
  createEndChargebackWait,
  createReportChargeback,
  type ReportChargeback,
} from './write/report-chargeback.ts';
import { createResolveManualRefund } from './write/resolve-manual-refund.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const REGISTER_ALERT = token<RegisterAlert>('RegisterAlert');
export const CONFIRM_CHARGEBACK = token<ConfirmChargeback>('ConfirmChargeback');
export const REPORT_CHARGEBACK = token<ReportChargeback>('ReportChargeback');
const RECORD_CHARGEBACK = token<RecordChargeback>('RecordChargeback');
const FIND_ALERT = token<(id: string) => Promise<ChargebackAlert | null>>('FindAlert');

export const chargebacksModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(chargebackMigrations);
  bind(VIEW).toConstantValue(CHARGEBACK_ALERTS_VIEW);
  bind(VIEW).toConstantValue(MANUAL_REFUND_REQUESTS_VIEW);
  bind(RECORD_ALERT_REFUND).toConstantValue(createRecordAlertRefund({ newId }));
  bind(FIND_ALERT).toResolvedValue((db: Db) => (id: string) => readResource(db, CHARGEBACK_ALERTS, id), [DB]);
  bind(REGISTER_ALERT).toResolvedValue(
    (
      transact,
      db,
      findCharge,
      findAlert,
      providerNamed,
      closeRefund,
      recordAlertRefund,
      clock,
      { timeoutMs },
    ) =>
      createRegisterAlert({
        transact,
        findCharge,
        findAlert,
        findAlertOf: createFindAlertOf(db),
        findSetting: findSetting(db),
        providerNamed,
        closeRefund,
        recordAlertRefund,
        clock,
        newId,
        intentGraceMs: GRACE_TIMEOUTS * timeoutMs,
      }),
    [
      TRANSACT,
      DB,
      FIND_CHARGE,
      FIND_ALERT,
      PROVIDER_NAMED,
      CLOSE_REFUND,
      RECORD_ALERT_REFUND,
      CLOCK,
      PROVIDER_OPTIONS,
    ],
  );
  bind(RECORD_CHARGEBACK).toResolvedValue(
    (db) => createRecordChargeback({ findAlertOf: createFindAlertOf(db), newId }),
    [DB],
  );
  bind(CONFIRM_CHARGEBACK).toResolvedValue(
    (transact, recordChargeback, clock) => createConfirmChargeback({ transact, recordChargeback, clock }),
    [TRANSACT, RECORD_CHARGEBACK, CLOCK],
  );
  bind(REPORT_CHARGEBACK).toResolvedValue(
    (transact, recordChargeback, clock) =>
      createReportChargeback({ transact, recordChargeback, clock, newId }),
    [TRANSACT, RECORD_CHARGEBACK, CLOCK],
  );
  bind(END_CHARGEBACK_WAIT).toResolvedValue(
    (recordChargeback) => createEndChargebackWait({ recordChargeback, newId }),
    [RECORD_CHARGEBACK],
  );
  bind(ROUTES).toResolvedValue(
    (registerAlert, findAlert, confirmChargeback, readView) =>
      chargebackRoutes({
        registerAlert,
        findAlert,
        listAlerts: createListAlerts(readView),
        confirmChargeback,
      }),
    [REGISTER_ALERT, FIND_ALERT, CONFIRM_CHARGEBACK, READ_VIEW],
  );
  bind(ROUTES).toResolvedValue(chargebackTestHelperRoutes, [CONFIRM_CHARGEBACK]);
  bind(ROUTES).toResolvedValue(
    (db, transact, clock, readView) =>
      manualRefundRoutes({
        listManualRefunds: createListManualRefunds({
          readView,
          findMerchants: createFindMerchants(db),
        }),
        resolveManualRefund: createResolveManualRefund({ transact, clock }),
        findMerchants: createFindMerchants(db),
      }),
    [DB, TRANSACT, CLOCK, READ_VIEW],
  );
});
