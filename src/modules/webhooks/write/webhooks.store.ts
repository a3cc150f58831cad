import type { IndexDescription } from 'mongodb';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import { store } from '../../../kernel/store.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { DELIVERIES } from './delivery.ts';
import { WEBHOOK_ENDPOINTS } from './endpoint.ts';
import type { QueueOwner } from './sending/slots.ts';
import { SENT_EVENTS } from './sent-event.ts';

/** Name of the outbox consumer whose rows name events, or deliveries that are to be sent again by hand. */
export const WEBHOOKS = 'webhooks';

/** Name of the outbox consumer of missed events; its rows name events, and their key an endpoint. */
export const RECOVERY = 'webhooks-recovery';

/** State of one endpoint's queue. */
export type QueueState = Resource &
  QueueOwner & {
    /** The last number that was given to a delivery. */
    readonly sequence: number;
    /** Since when no delivery has succeeded; null where the last attempt succeeded. */
    readonly failingSince: Timestamp | null;
  };
export const QUEUES = store<QueueState>('webhook_queues', 'webhook_queue');

/** Delivered rows are looked up by id only, so these indexes skip them. */
const UNSENT_OR_FAILED: readonly IndexDescription[] = [
  whereTime('dueAt'),
  whereTime('dueAt', { queue: 1, dueAt: 1 }),
  { key: { endpointId: 1 }, partialFilterExpression: { status: 'failed' } },
];

export const webhookMigrations: readonly Migration[] = [
  collections('160-webhooks', {
    [WEBHOOK_ENDPOINTS.collection]: [
      // A second guard of the limit per merchant: each endpoint takes a place of its own.
      {
        key: { merchantId: 1, livemode: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $gte: 0 } },
        name: 'one_endpoint_a_slot',
      },
      // The index above leaves out deleted endpoints, so it cannot serve every search for a merchant's endpoints.
      { key: { merchantId: 1 } },
    ],
    [DELIVERIES.collection]: UNSENT_OR_FAILED,
    [SENT_EVENTS.collection]: [{ key: { resourceId: 1 } }],
    [QUEUES.collection]: [],
  }),
];

export const EVENTS_VIEW_NAME = 'webhook_events';
export const DELIVERIES_VIEW_NAME = 'webhook_deliveries';
