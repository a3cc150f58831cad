import { choreLoop, defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { reportChargeback } from '../chargebacks/chargebacks.module.ts';
import { findCharge, findOpenProviders, recordPaymentOutcome } from '../charges/charges.module.ts';
import { recordDisputeOutcome } from '../disputes/disputes.module.ts';
import { providerAccounts, providerHealth, providerNamed } from '../providers/providers.module.ts';
import { findRefund, recordRefundOutcome } from '../refunds/refunds.module.ts';
import { findMethod, recordStoredState } from '../stored-methods/stored-methods.module.ts';
import { findReturn, recordReturnOutcome } from '../suspense/suspense.module.ts';
import { providerAdministrationRoutes } from './provider-administration.http.ts';
import { providerNotificationRoutes } from './provider-notifications.http.ts';
import { createGetProviderStatuses } from './read/get-provider-statuses.ts';
import { PROVIDER_NOTIFICATION_LIST } from './read/list-provider-notifications.ts';
import { createActOn } from './write/act-on.ts';
import { createAskForNews } from './write/ask-for-news.ts';
import { notificationMigrations, PROVIDER_NOTIFICATIONS } from './write/notifications.store.ts';
import { createProcessAgain } from './write/process-again.ts';
import { createReceiveDelivery, createTakeInNotification } from './write/receive-notification.ts';

const reads = { findCharge, findRefund, findReturn, findMethod, providerNamed };
const records = {
  recordPaymentOutcome,
  recordRefundOutcome,
  recordReturnOutcome,
  reportChargeback,
  recordDisputeOutcome,
  recordStoredState,
};
const actOn = provide(createActOn, { ...services, ...reads, ...records });
/** For news of the simulator, which needs no way over the network. */
export const takeInNotification = provide(createTakeInNotification, { ...services, actOn });
const findNotification = findById(PROVIDER_NOTIFICATIONS);
const providers = { providerAccounts, providerNamed, providerHealth };
const scope = { ...services, ...providers, actOn, findNotification, takeIn: takeInNotification };
const cases = provideEach(scope, { createReceiveDelivery, createGetProviderStatuses, createProcessAgain });

const news = { ...services, findCharge, findOpenProviders, providerNamed, takeIn: takeInNotification };
const ASK_FOR_NEWS_EVERY_MS = 60_000;

export const providerNotificationsModule = defineModule(cases, {
  migrations: [notificationMigrations],
  lists: [PROVIDER_NOTIFICATION_LIST],
  loops: [choreLoop('ask for news', ASK_FOR_NEWS_EVERY_MS, provide(createAskForNews, news))],
  routes: [providerNotificationRoutes, providerAdministrationRoutes],
});
