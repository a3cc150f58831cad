import { createChoreLoop } from '../../platform/loop.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargebacksModule } from '../chargebacks/chargebacks.module.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { DisputesModule } from '../disputes/disputes.module.ts';
import type { HearLateFailure } from '../providers/late-failures.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { RefundsModule } from '../refunds/refunds.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import type { SuspenseModule } from '../suspense/suspense.module.ts';
import { providerAdministrationRoutes } from './provider-administration.http.ts';
import { providerNotificationRoutes } from './provider-notifications.http.ts';
import { createGetProviderStatuses } from './read/get-provider-statuses.ts';
import { PROVIDER_NOTIFICATION_LIST } from './read/list-provider-notifications.ts';
import { createAccountOfNews } from './write/account-of-news.ts';
import { createActOn } from './write/act-on.ts';
import { createAskForNews } from './write/ask-for-news.ts';
import { notificationMigrations, PROVIDER_NOTIFICATIONS } from './write/notifications.store.ts';
import { createProcessAgain } from './write/process-again.ts';
import type { TakeInNotification } from './write/receive-notification.ts';
import { createReceiveDelivery, createTakeInNotification } from './write/receive-notification.ts';

export type ProviderNotificationsModule = ReturnType<typeof createProviderNotificationsModule>;

type Needs = {
  readonly chargebacks: ChargebacksModule;
  readonly charges: ChargesModule;
  readonly disputes: DisputesModule;
  readonly providers: ProvidersModule;
  readonly refunds: RefundsModule;
  readonly storedMethods: StoredMethodsModule;
  readonly suspense: SuspenseModule;
};

const ASK_FOR_NEWS_EVERY_MS = 60_000;
/** Rounds of a minute may come closer to each other by so much. */
const CLAIM_MARGIN_MS = 5_000;

export const createProviderNotificationsModule = (services: Services, needs: Needs) => {
  const { charges, providers, refunds, storedMethods, suspense } = needs;
  const { claimNews, providerNamed, providerHealth, providerAccounts } = providers;
  const records = {
    findCharge: charges.findCharge,
    findRefund: refunds.findRefund,
    findReturn: suspense.findReturn,
    findMethod: storedMethods.findMethod,
  };
  const actOn = createActOn({
    ...services,
    ...records,
    providerNamed,
    recordPaymentOutcome: charges.recordPaymentOutcome,
    recordRefundOutcome: refunds.recordRefundOutcome,
    recordReturnOutcome: suspense.recordReturnOutcome,
    reportChargeback: needs.chargebacks.reportChargeback,
    recordDisputeOutcome: needs.disputes.recordDisputeOutcome,
    recordStoredState: storedMethods.recordStoredState,
    recordMandateState: storedMethods.recordMandateState,
  });
  const takeIn = createTakeInNotification({ ...services, actOn });
  const takeInNotification: TakeInNotification = (told, context) =>
    services.time.within(told.notification.livemode, () => takeIn(told, context));
  // As if the provider had told it, so that operators find it where they look for what providers tell.
  const hearLateFailure: HearLateFailure = (provider, notification, context) =>
    takeInNotification({ provider, notification }, context);
  refunds.hearLateFailures(hearLateFailure);
  suspense.hearLateFailures(hearLateFailure);
  const deps = {
    ...services,
    providerAccounts,
    providerNamed,
    providerHealth,
    actOn,
    accountOfNews: createAccountOfNews(records),
    findNotification: createFindById(services, PROVIDER_NOTIFICATIONS),
    takeIn: takeInNotification,
  };
  const cases = {
    ...deps,
    receiveDelivery: createReceiveDelivery(deps),
    getProviderStatuses: createGetProviderStatuses(deps),
    processAgain: createProcessAgain(deps),
  };
  const news = {
    ...deps,
    claimNews: (name: string, now: Date) => claimNews(name, now, ASK_FOR_NEWS_EVERY_MS - CLAIM_MARGIN_MS),
    findOpenProviders: charges.findOpenProviders,
  };
  return {
    /** For notifications of the simulator, which do not come over the network. */
    takeInNotification,
    contributions: {
      migrations: notificationMigrations,
      views: [PROVIDER_NOTIFICATION_LIST.view],
      routes: () => [
        ...PROVIDER_NOTIFICATION_LIST.routes(cases),
        ...providerNotificationRoutes(cases),
        ...providerAdministrationRoutes(cases),
      ],
      work: () => ({
        loops: [
          createChoreLoop({
            ...services,
            clock: services.realClock,
            name: 'ask for news',
            everyMs: ASK_FOR_NEWS_EVERY_MS,
            chore: createAskForNews(news),
          }),
        ],
      }),
    },
  };
};
