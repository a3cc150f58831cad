import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { reportChargeback } from '../chargebacks/chargebacks.module.ts';
import { findCharge, recordPaymentOutcome } from '../charges/charges.module.ts';
import { providerAccounts, providerHealth, providerNamed } from '../providers/providers.module.ts';
import { findRefund, recordRefundOutcome } from '../refunds/refunds.module.ts';
import { findReturn, recordReturnOutcome } from '../suspense/suspense.module.ts';
import { providerAdministrationRoutes } from './provider-administration.http.ts';
import { providerNotificationRoutes } from './provider-notifications.http.ts';
import { createGetProviderStatuses } from './read/get-provider-statuses.ts';
import { PROVIDER_NOTIFICATION_LIST } from './read/list-provider-notifications.ts';
import { PROVIDER_NOTIFICATIONS_VIEW } from './read/provider-notification.view.ts';
import { createActOn } from './write/act-on.ts';
import { notificationMigrations, PROVIDER_NOTIFICATIONS } from './write/notifications.store.ts';
import { createProcessAgain } from './write/process-again.ts';
import { createReceiveDelivery, createTakeInNotification } from './write/receive-notification.ts';

const reads = { findCharge, findRefund, findReturn };
const records = { recordPaymentOutcome, recordRefundOutcome, recordReturnOutcome, reportChargeback };
const actOn = provide(createActOn, { ...services, ...reads, ...records });
/** For news of the simulator, which needs no way over the network. */
export const takeInNotification = provide(createTakeInNotification, { ...services, actOn });
const receiveDelivery = provide(createReceiveDelivery, { providerNamed, takeIn: takeInNotification });

const findNotification = findById(PROVIDER_NOTIFICATIONS);
const administration = {
  getProviderStatuses: provide(createGetProviderStatuses, {
    ...services,
    providerAccounts,
    providerNamed,
    providerHealth,
  }),
  processAgain: provide(createProcessAgain, { ...services, actOn, findNotification }),
};

export const providerNotificationsModule = defineModule({
  migrations: [notificationMigrations],
  views: [PROVIDER_NOTIFICATIONS_VIEW],
  lists: [PROVIDER_NOTIFICATION_LIST],
  routes: [
    provide(providerNotificationRoutes, receiveDelivery),
    provide(providerAdministrationRoutes, administration),
  ],
});
