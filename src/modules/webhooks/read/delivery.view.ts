import type { View } from '../../../platform/read-store/view.ts';
import { DELIVERIES, type WebhookDelivery } from '../write/delivery.ts';
import { DELIVERIES_VIEW_NAME, RECOVERY, WEBHOOKS } from '../write/webhooks.store.ts';

export type DeliveryDocument = ReturnType<typeof presentDelivery> & { readonly masterId: string | null };

export const DELIVERIES_VIEW: View<WebhookDelivery, DeliveryDocument> = {
  name: DELIVERIES_VIEW_NAME,
  version: 1,
  source: DELIVERIES,
  feed: { after: [WEBHOOKS, RECOVERY], field: 'id' },
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    eventId: { type: 'keyword' },
    event: { type: 'keyword' },
    endpointId: { type: 'keyword' },
    channel: { type: 'keyword' },
    status: { type: 'keyword' },
    sequence: { type: 'long' },
    nextAttemptAt: { type: 'date' },
    createdAt: { type: 'date' },
  },
  toDocument: (delivery) => ({ ...presentDelivery(delivery), masterId: delivery.masterId }),
};

/** A delivery as the API answers it. */
export const presentDelivery = (delivery: WebhookDelivery) => ({
  id: delivery.id,
  livemode: delivery.livemode,
  merchantId: delivery.merchantId,
  eventId: delivery.eventId,
  event: delivery.event,
  endpointId: delivery.endpointId,
  channel: delivery.channel,
  url: delivery.url,
  status: delivery.status,
  sequence: delivery.sequence,
  attempts: delivery.attempts,
  nextAttemptAt: delivery.begunAt === null ? delivery.dueAt : null,
  createdAt: delivery.createdAt,
});
export type PublicDelivery = ReturnType<typeof presentDelivery>;
