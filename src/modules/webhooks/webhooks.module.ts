import { createGuardedPost } from '../../platform/outbound/guarded-post.ts';
import { defineModule, findById, outboxReader, retention, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach, token } from '../../platform/wiring.ts';
import { createWorkQueue } from '../../platform/work-queue.ts';
import { createFindSubjects } from '../../platform/write-store/remove-events.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
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
import { createSendingLoop } from './sending.ts';
import { webhookEndpointRoutes, webhookLogRoutes } from './webhooks.http.ts';
import { DELIVERIES, type RetrySchedule } from './write/delivery.ts';
import { createDrainQueue } from './write/drain-queue.ts';
import { WEBHOOK_ENDPOINTS } from './write/endpoint.ts';
import { createDisableEndpoint, createManageEndpoints } from './write/manage-endpoints.ts';
import { createPlaces, PLACES } from './write/places.ts';
import { createRecoverEndpoint, createResendDelivery } from './write/send-again.ts';
import { createSendTestEvent } from './write/send-test-event.ts';
import { createWebhookStore, webhookMigrations } from './write/webhooks.store.ts';

/** Bound by `main`. */
export const webhookOptions = token<{
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly retrySchedule: RetrySchedule;
}>('webhookOptions');

const store = provide(createWebhookStore, services);
const findEvents = provide(createFindEvents, store);
const days = member(retention, 'webhookDays');
const scope = {
  ...services,
  store,
  findEvents,
  findMerchants,
  sampleOf,
  days,
  findEndpoint: findById(WEBHOOK_ENDPOINTS),
  findDelivery: findById(DELIVERIES),
  findEventsFor: provide(createFindEventsFor, services.readView),
  findSubjects: provide(createFindSubjects, services.db),
  views: provide(createWebhookViews, services),
};
const cases = provideEach(scope, {
  createManageEndpoints,
  createSendTestEvent,
  createRecoverEndpoint,
  createResendDelivery,
});

// Made in workers only: an API process has no connection of its own to the queue.
const queue = provide(createWorkQueue, {
  redisUrl: member(webhookOptions, 'redisUrl'),
  prefix: member(webhookOptions, 'keyPrefix'),
  name: 'webhooks',
  concurrency: PLACES,
  logger: services.logger,
});
const waking = { ...scope, queue, wake: member(queue, 'wake') };
const drainQueue = provide(createDrainQueue, {
  ...scope,
  findPlace: provide(createPlaces, { ...waking, findOwner: member(store, 'findOwner') }),
  disableEndpoint: provide(createDisableEndpoint, services),
  post: provide(createGuardedPost, services.guardRules),
  schedule: member(webhookOptions, 'retrySchedule'),
  attempts: member(services.metrics, 'webhookAttempts'),
});

export const webhooksModule = defineModule(cases, {
  migrations: [webhookMigrations],
  lists: [ENDPOINT_LIST, DELIVERY_LIST, EVENT_LIST],
  consumers: [WEBHOOK_CONSUMER, RECOVERY_CONSUMER],
  outboxReaders: [
    outboxReader(WEBHOOK_CONSUMER.name, provide(createPublishEvents, waking)),
    outboxReader(RECOVERY_CONSUMER.name, provide(createPublishMissed, waking)),
  ],
  routes: [webhookEndpointRoutes, webhookLogRoutes],
  removals: [createWebhookRemoval],
  loops: [provide(createSendingLoop, { ...waking, drainQueue })],
});
