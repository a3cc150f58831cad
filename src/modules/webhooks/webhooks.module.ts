import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { createGuardedPost } from '../../platform/outbound/guarded-post.ts';
import {
  BACKGROUND,
  CHECK_URL,
  CLOCK,
  CONSUMER,
  DB,
  GUARD_RULES,
  LOGGER,
  METRICS,
  MIGRATIONS,
  OUTBOX_READER,
  READ_STORE,
  READ_VIEW,
  REMOVAL,
  RETENTION,
  ROUTES,
  TRANSACT,
  VIEW,
  VIEW_READY,
} from '../../platform/platform.module.ts';
import { forgetUnlessShown } from '../../platform/read-store/resources.ts';
import { deleteDocuments, type View } from '../../platform/read-store/view.ts';
import { createWorkQueue } from '../../platform/work-queue.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { subjectsInOutbox } from '../../platform/write-store/remove-events.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { createPublishEvents, WEBHOOK_CONSUMER } from './publish-events.ts';
import { createPublishMissed, RECOVERY_CONSUMER } from './publish-missed.ts';
import { DELIVERIES_VIEW } from './read/delivery.view.ts';
import { WEBHOOK_ENDPOINTS_VIEW } from './read/endpoint.view.ts';
import { EVENTS_VIEW } from './read/event.view.ts';
import { createFindEvents } from './read/find-events.ts';
import { createFindEventsFor } from './read/find-events-for.ts';
import { createListDeliveries } from './read/list-deliveries.ts';
import { createListEndpoints } from './read/list-endpoints.ts';
import { createListEvents } from './read/list-events.ts';
import { createListReadable } from './read/list-readable.ts';
import { sampleOf } from './read/sample.ts';
import { removeOldWebhooks } from './remove-old.ts';
import { createSending, type Sending } from './sending.ts';
import { webhookEndpointRoutes, webhookLogRoutes } from './webhooks.http.ts';
import { DELIVERIES, type RetrySchedule } from './write/delivery.ts';
import { createDrainQueue } from './write/drain-queue.ts';
import { WEBHOOK_ENDPOINTS } from './write/endpoint.ts';
import { createDisableEndpoint, createManageEndpoints } from './write/manage-endpoints.ts';
import { createPlaces, PLACES } from './write/places.ts';
import { createRecoverEndpoint, createResendDelivery } from './write/send-again.ts';
import { createSendTestEvent } from './write/send-test-event.ts';
import { createWebhookStore, type WebhookStore, webhookMigrations } from './write/webhooks.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

const WEBHOOK_STORE = token<WebhookStore>('WebhookStore');
const SENDING = token<Sending>('Sending');

export const webhooksModule = (options: {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly retrySchedule: RetrySchedule;
}): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(MIGRATIONS).toConstantValue(webhookMigrations);
    bind(CONSUMER).toConstantValue(WEBHOOK_CONSUMER);
    bind(CONSUMER).toConstantValue(RECOVERY_CONSUMER);
    bind(VIEW).toConstantValue(WEBHOOK_ENDPOINTS_VIEW);
    bind(VIEW).toConstantValue(EVENTS_VIEW);
    bind(VIEW).toConstantValue(DELIVERIES_VIEW);
    bind(WEBHOOK_STORE).toResolvedValue(
      (db, transact) => createWebhookStore({ db, transact }),
      [DB, TRANSACT],
    );
    bind(ROUTES).toResolvedValue(
      (store, transact, db, readView, checkUrl, clock, { webhookDays }) =>
        webhookEndpointRoutes({
          endpoints: createManageEndpoints({
            transact,
            store,
            checkUrl,
            clock,
            newId,
            random: Math.random,
          }),
          findEndpoint: (id) => readResource(db, WEBHOOK_ENDPOINTS, id),
          listEndpoints: createListEndpoints(readView, createFindMerchants(db)),
          sendTestEvent: createSendTestEvent({ transact, store, sampleOf, clock, newId }),
          recoverEndpoint: createRecoverEndpoint({
            transact,
            store,
            clock,
            findEventsFor: createFindEventsFor(readView),
            deliveryDays: webhookDays,
          }),
          findMerchants: createFindMerchants(db),
        }),
      [WEBHOOK_STORE, TRANSACT, DB, READ_VIEW, CHECK_URL, CLOCK, RETENTION],
    );
    bind(ROUTES).toResolvedValue(
      (store, transact, db, readView, clock) => {
        const listReadable = createListReadable(readView, createFindMerchants(db));
        const findEvents = createFindEvents(store);
        return webhookLogRoutes({
          findEvent: async (id) => (await findEvents([id])).get(id) ?? null,
          listEvents: createListEvents(listReadable, findEvents),
          findDelivery: (id) => readResource(db, DELIVERIES, id),
          listDeliveries: createListDeliveries(listReadable),
          resendDelivery: createResendDelivery({ transact, store, clock }),
        });
      },
      [WEBHOOK_STORE, TRANSACT, DB, READ_VIEW, CLOCK],
    );
    // Resolved in workers only: an API process has no connection of its own to the queue.
    bind(SENDING).toResolvedValue(
      (store, transact, db, rules, clock, metrics, logger) =>
        createSending({
          createQueue: (run) =>
            createWorkQueue({
              redisUrl: options.redisUrl,
              prefix: options.keyPrefix,
              name: 'webhooks',
              concurrency: PLACES,
              logger,
              run,
            }),
          createDrain: ({ wake, ...signals }) =>
            createDrainQueue({
              ...signals,
              findPlace: createPlaces({ findOwner: store.findOwner, wake, clock }),
              store,
              findEndpoint: (id) => readResource(db, WEBHOOK_ENDPOINTS, id),
              disableEndpoint: createDisableEndpoint({ transact, clock }),
              post: createGuardedPost(rules),
              schedule: options.retrySchedule,
              clock,
              random: Math.random,
              report: ({ channel }, outcome) => metrics.webhookAttempts.inc({ channel, outcome }),
            }),
          findDueQueues: () => store.findDueQueues(clock()),
          logger,
        }),
      [WEBHOOK_STORE, TRANSACT, DB, GUARD_RULES, CLOCK, METRICS, LOGGER],
    );
    bind(OUTBOX_READER).toResolvedValue(
      (store, { wake }, clock) => ({
        consumer: WEBHOOK_CONSUMER.name,
        handle: createPublishEvents({ ...store, wake, clock }),
      }),
      [WEBHOOK_STORE, SENDING, CLOCK],
    );
    bind(OUTBOX_READER).toResolvedValue(
      (store, { wake }, clock) => ({
        consumer: RECOVERY_CONSUMER.name,
        handle: createPublishMissed({ ...store, findEvents: createFindEvents(store), wake, clock }),
      }),
      [WEBHOOK_STORE, SENDING, CLOCK],
    );
    bind(REMOVAL).toResolvedValue(
      (store, db, readStore, viewReady, { webhookDays }) =>
        removeOldWebhooks({
          store,
          findSubjects: (before) => subjectsInOutbox(db, before),
          forgetDeliveries: (ids) => deleteDocuments(readStore, DELIVERIES_VIEW, ids),
          forgetSentEvents: (ids) =>
            forgetUnlessShown({ db, readStore, view: EVENTS_VIEW as unknown as View }, ids),
          viewsReady: () =>
            Promise.all([DELIVERIES_VIEW, EVENTS_VIEW].map((view) => viewReady(view as unknown as View))),
          days: webhookDays,
        }),
      [WEBHOOK_STORE, DB, READ_STORE, VIEW_READY, RETENTION],
    );
    bind(BACKGROUND).toResolvedValue((sending) => () => sending.start(), [SENDING]);
  });
