import { defineModule, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { reportChargeback } from '../chargebacks/chargebacks.module.ts';
import { findCharge, recordPaymentOutcome } from '../charges/charges.module.ts';
import { providerNamed } from '../providers/providers.module.ts';
import { findRefund, recordRefundOutcome } from '../refunds/refunds.module.ts';
import { findReturn, recordReturnOutcome } from '../suspense/suspense.module.ts';
import { providerNotificationRoutes } from './provider-notifications.http.ts';
import { createActOn } from './write/act-on.ts';
import { notificationMigrations } from './write/notifications.store.ts';
import { createReceiveDelivery, createTakeInNotification } from './write/receive-notification.ts';

const reads = { findCharge, findRefund, findReturn };
const records = { recordPaymentOutcome, recordRefundOutcome, recordReturnOutcome, reportChargeback };
const actOn = provide(createActOn, { ...services, ...reads, ...records });
/** For news of the simulator, which needs no way over the network. */
export const takeInNotification = provide(createTakeInNotification, { ...services, actOn });
const receiveDelivery = provide(createReceiveDelivery, { providerNamed, takeIn: takeInNotification });

export const providerNotificationsModule = defineModule({
  migrations: [notificationMigrations],
  routes: [provide(providerNotificationRoutes, receiveDelivery)],
});
