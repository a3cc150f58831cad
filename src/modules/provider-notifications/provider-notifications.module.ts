import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, LOGGER, MIGRATIONS, ROUTES, TRANSACT } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { REPORT_CHARGEBACK } from '../chargebacks/chargebacks.module.ts';
import { CONFIRM_PAYMENT, FIND_CHARGE } from '../charges/charges.module.ts';
import { PROVIDER_NAMED, PROVIDER_OPTIONS } from '../providers/providers.module.ts';
import { CLOSE_REFUND, FIND_REFUND } from '../refunds/refunds.module.ts';
import { CLOSE_RETURN } from '../suspense/suspense.module.ts';
import { SUSPENSE_ITEMS } from '../suspense/write/suspense.store.ts';
import { providerNotificationRoutes } from './provider-notifications.http.ts';
import { type ActOn, createActOn } from './write/act-on.ts';
import { notificationMigrations } from './write/notifications.store.ts';
import { createReceiveNotification, type ReceiveNotification } from './write/receive-notification.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const RECEIVE_NOTIFICATION = token<ReceiveNotification>('ReceiveNotification');
const ACT_ON = token<ActOn>('ActOnNotification');

export const providerNotificationsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(notificationMigrations);
  bind(ACT_ON).toResolvedValue(
    (
      transact,
      db,
      findCharge,
      findRefund,
      confirmPayment,
      closeRefund,
      closeReturn,
      reportChargeback,
      clock,
    ) =>
      createActOn({
        transact,
        findCharge,
        findRefund,
        findReturn: (id) => readResource(db, SUSPENSE_ITEMS, id),
        confirmPayment,
        closeRefund,
        closeReturn,
        reportChargeback,
        clock,
        newId,
      }),
    [
      TRANSACT,
      DB,
      FIND_CHARGE,
      FIND_REFUND,
      CONFIRM_PAYMENT,
      CLOSE_REFUND,
      CLOSE_RETURN,
      REPORT_CHARGEBACK,
      CLOCK,
    ],
  );
  bind(RECEIVE_NOTIFICATION).toResolvedValue(
    (transact, providerNamed, actOn, clock, logger) =>
      createReceiveNotification({ transact, providerNamed, actOn, clock, logger }),
    [TRANSACT, PROVIDER_NAMED, ACT_ON, CLOCK, LOGGER],
  );
  bind(ROUTES).toResolvedValue(
    (receiveNotification, { secrets }, clock) =>
      providerNotificationRoutes({ receiveNotification, secrets, clock }),
    [RECEIVE_NOTIFICATION, PROVIDER_OPTIONS, CLOCK],
  );
});
