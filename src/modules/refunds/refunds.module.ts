import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  DB,
  LOGGER,
  MIGRATIONS,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { createReconciler } from '../../platform/reconcile.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { FIND_CHARGE, GRACE_TIMEOUTS } from '../charges/charges.module.ts';
import { createFindJournal } from '../ledger/write/ledger.store.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { PROVIDER_NAMED, PROVIDER_OPTIONS, SIMULATOR } from '../providers/providers.module.ts';
import { createListRefunds } from './read/list-refunds.ts';
import { REFUNDS_VIEW } from './read/refund.view.ts';
import { refundRoutes, refundTestHelperRoutes } from './refunds.http.ts';
import {
  type CloseRefund,
  createCloseRefund,
  type EndChargebackWait,
  type RecordAlertRefund,
} from './write/close-refund.ts';
import { createFindDueRefunds, REFUNDS, refundMigrations } from './write/refund.store.ts';
import type { Refund } from './write/refund.ts';
import { createRefundCharge, type RefundCharge } from './write/refund-charge.ts';
import { createSettleRefund } from './write/settle-refund.ts';
import { createSimulateRefund } from './write/simulate-refund.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const REFUND_CHARGE = token<RefundCharge>('RefundCharge');
export const CLOSE_REFUND = token<CloseRefund>('CloseRefund');
/** Both bound by the module of chargebacks. */
export const RECORD_ALERT_REFUND = token<RecordAlertRefund>('RecordAlertRefund');
export const END_CHARGEBACK_WAIT = token<EndChargebackWait>('EndChargebackWait');
export const FIND_REFUND = token<(id: string) => Promise<Refund | null>>('FindRefund');

const RECONCILE_EVERY_MS = 1_000;

export const refundsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(refundMigrations);
  bind(VIEW).toConstantValue(REFUNDS_VIEW);
  bind(FIND_REFUND).toResolvedValue((db: Db) => (id: string) => readResource(db, REFUNDS, id), [DB]);
  bind(CLOSE_REFUND).toResolvedValue(
    (transact, db, recordAlertRefund, endChargebackWait, clock) =>
      createCloseRefund({
        transact,
        findJournal: createFindJournal(db),
        recordAlertRefund,
        endChargebackWait,
        clock,
        newId,
      }),
    [TRANSACT, DB, RECORD_ALERT_REFUND, END_CHARGEBACK_WAIT, CLOCK],
  );
  bind(REFUND_CHARGE).toResolvedValue(
    (transact, findCharge, findRefund, providerNamed, closeRefund, clock, { timeoutMs }) =>
      createRefundCharge({
        transact,
        findCharge,
        findRefund,
        providerNamed,
        closeRefund,
        clock,
        newId,
        intentGraceMs: GRACE_TIMEOUTS * timeoutMs,
      }),
    [TRANSACT, FIND_CHARGE, FIND_REFUND, PROVIDER_NAMED, CLOSE_REFUND, CLOCK, PROVIDER_OPTIONS],
  );
  bind(ROUTES).toResolvedValue(
    (refundCharge, findRefund, visible) =>
      refundRoutes({
        refundCharge,
        findRefund,
        listRefunds: createListRefunds(visible),
      }),
    [REFUND_CHARGE, FIND_REFUND, LIST_VISIBLE],
  );
  bind(ROUTES).toResolvedValue(
    (findRefund, simulator, closeRefund) =>
      refundTestHelperRoutes(createSimulateRefund({ findRefund, simulator, closeRefund })),
    [FIND_REFUND, SIMULATOR, CLOSE_REFUND],
  );
  bind(BACKGROUND).toResolvedValue(
    (db, findCharge, providerNamed, closeRefund, clock, logger) =>
      ({ owns }) =>
        createLoop({
          name: 'reconcile refunds',
          everyMs: RECONCILE_EVERY_MS,
          logger,
          round: createReconciler({
            findDue: createFindDueRefunds(db),
            settle: createSettleRefund({ findCharge, providerNamed, closeRefund }),
            owns,
            clock,
            logger,
          }),
        }),
    [DB, FIND_CHARGE, PROVIDER_NAMED, CLOSE_REFUND, CLOCK, LOGGER],
  );
});
