import type { createGuardedPost } from '../../platform/outbound/guarded-post.ts';
import type { Work } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import type { createWorkQueue } from '../../platform/work-queue.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import { createFindSubjects } from '../../platform/write-store/remove-events.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { createPublishEvents, WEBHOOK_CONSUMER } from './publish-events.ts';
import { createPublishMissed, RECOVERY_CONSUMER } from './publish-missed.ts';
import { createFindEvents } from './read/find-events.ts';
import { createFindEventsFor } from './read/find-events-for.ts';
import { DELIVERY_LIST } from './read/list-deliveries.ts';
import { ENDPOINT_LIST } from './read/list-endpoints.ts';
import { EVENT_LIST } from './read/list-events.ts';
import { sampleOf } from './read/sample.ts';
import { createWebhookViews } from './read/webhook-views.store.ts';
import { createWebhookRemoval } from './remove-old.ts';
import { webhookEndpointRoutes, webhookLogRoutes } from './webhooks.http.ts';
import { createDeliveriesStore } from './write/deliveries.store.ts';
import { DELIVERIES, type RetrySchedule } from './write/delivery.ts';
import { WEBHOOK_ENDPOINTS } from './write/endpoint.ts';
import { createEndpointsStore } from './write/endpoints.store.ts';
import { createDisableEndpoint, createManageEndpoints } from './write/manage-endpoints.ts';
import { createRecoverEndpoint, createResendDelivery } from './write/send-again.ts';
import { createSendTestEvent } from './write/send-test-event.ts';
import { createAttemptsStore } from './write/sending/attempts.store.ts';
import { createDrainQueue } from './write/sending/drain-queue.ts';
import { createDueOfTest } from './write/sending/due-of-test.store.ts';
import { createSendDue } from './write/sending/send-due.ts';
import { createSendingLoop } from './write/sending/sending-loop.ts';
import { createSlots, SLOTS } from './write/sending/slots.ts';
import { createSentEventsStore } from './write/sent-events.store.ts';
import { webhookMigrations } from './write/webhooks.store.ts';

export type WebhookOptions = {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly retrySchedule: RetrySchedule;
  readonly createWorkQueue: typeof createWorkQueue;
  readonly createPost: typeof createGuardedPost;
};

export const createWebhooksModule = (
  services: Services,
  { options, merchants }: { readonly options: WebhookOptions; readonly merchants: MerchantsModule },
) => {
  const { db, readView, retention, logger, metrics, guardRules } = services;
  const store = {
    ...createEndpointsStore(db),
    ...createSentEventsStore(db),
    ...createDeliveriesStore(db),
    ...createAttemptsStore(services),
  };
  const deps = {
    ...services,
    store,
    findEvents: createFindEvents(store),
    findMerchants: merchants.findMerchants,
    sampleOf,
    days: retention.webhookDays,
    findEndpoint: createFindById(services, WEBHOOK_ENDPOINTS),
    findDelivery: createFindById(services, DELIVERIES),
    findEventsFor: createFindEventsFor(readView),
    findSubjects: createFindSubjects(db),
    views: createWebhookViews(services),
  };
  const cases = {
    ...deps,
    manageEndpoints: createManageEndpoints(deps),
    sendTestEvent: createSendTestEvent(deps),
    recoverEndpoint: createRecoverEndpoint(deps),
    resendDelivery: createResendDelivery(deps),
  };
  const work = (): Work => {
    const queue = options.createWorkQueue({
      redisUrl: options.redisUrl,
      prefix: options.keyPrefix,
      name: 'webhooks',
      concurrency: SLOTS,
      logger,
    });
    const sending = { ...deps, queue, wake: queue.wake };
    const drainQueue = createDrainQueue({
      ...deps,
      findSlot: createSlots({ ...sending, clock: services.realClock, findOwner: store.findOwner }),
      disableEndpoint: createDisableEndpoint(services),
      post: options.createPost(guardRules),
      schedule: options.retrySchedule,
      attempts: metrics.webhookAttempts,
    });
    return {
      outboxReaders: [
        { consumer: WEBHOOK_CONSUMER.name, handle: createPublishEvents(sending) },
        { consumer: RECOVERY_CONSUMER.name, handle: createPublishMissed(sending) },
      ],
      removals: [createWebhookRemoval(deps)],
      dueLoops: [
        {
          start: createSendingLoop({ ...sending, drainQueue }),
          due: createSendDue({ dueOfTest: createDueOfTest(db), drainQueue }),
        },
      ],
    };
  };
  return {
    contributions: {
      migrations: webhookMigrations,
      views: [ENDPOINT_LIST.view, DELIVERY_LIST.view, EVENT_LIST.view],
      consumers: [WEBHOOK_CONSUMER, RECOVERY_CONSUMER],
      routes: () => [
        ...ENDPOINT_LIST.routes(cases),
        ...DELIVERY_LIST.routes(cases),
        ...EVENT_LIST.routes(cases),
        ...webhookEndpointRoutes(cases),
        ...webhookLogRoutes(cases),
      ],
      work,
    },
  };
};
