import { timestamp } from '../../../kernel/clock.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { DeliveriesStore } from './deliveries.store.ts';
import { deliveryToEndpoint, type WebhookDelivery } from './delivery.ts';
import { ALL_EVENTS, type WebhookEndpoint } from './endpoint.ts';
import type { WebhookEvent } from './event-kinds.ts';
import { ownEndpoint } from './manage-endpoints.ts';
import { assertEnabled, audit } from './send-again.ts';
import type { SentEvent } from './sent-event.ts';

/** Sends an endpoint a sample of the named kind, or else of the first kind that it wants. */
export type SendTestEvent = Command<
  { readonly id: string; readonly event: WebhookEvent | null; readonly principal: Principal },
  WebhookDelivery
>;

/** A sample event of this kind for this endpoint. */
export type SampleOf = (
  endpoint: WebhookEndpoint,
  event: WebhookEvent,
  id: SentEvent['id'],
  now: Date,
) => Pick<SentEvent, 'resourceId' | 'body'>;

export const createSendTestEvent =
  (
    deps: Creating & {
      readonly store: Pick<DeliveriesStore, 'addInTransaction'>;
      readonly sampleOf: SampleOf;
    },
  ): SendTestEvent =>
  async ({ id, event, principal }, context) => {
    const eventId = deps.newId('evt');
    return deps.transact(context, async (tx) => {
      const endpoint = await ownEndpoint(tx, principal, id);
      assertEnabled(endpoint);
      const now = deps.clock();
      const kind = event ?? endpoint.events.find((one) => one !== ALL_EVENTS) ?? 'charge.paid';
      const sent: SentEvent = {
        id: eventId,
        version: 1,
        livemode: endpoint.livemode,
        merchantId: endpoint.merchantId,
        masterId: endpoint.masterId,
        event: kind,
        ...deps.sampleOf(endpoint, kind, eventId, now),
        createdAt: timestamp(now),
      };
      const delivery = { ...deliveryToEndpoint(sent, endpoint, now), isTest: true };
      await deps.store.addInTransaction(tx, sent, delivery);
      await audit(tx, context, 'webhook_endpoint.tested', endpoint);
      return delivery;
    });
  };
