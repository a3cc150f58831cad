import type { Store } from '../../../kernel/store.ts';
import { date, flag, from, hidden, keyword } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { ADJUSTMENTS_VIEW } from '../../adjustments/read/adjustment.view.ts';
import { ANTICIPATIONS_VIEW } from '../../anticipations/read/anticipation.view.ts';
import { CHARGES_VIEW } from '../../charges/read/charge.view.ts';
import { CHECKOUT_SESSIONS_VIEW } from '../../checkout/read/checkout-session.view.ts';
import { MERCHANTS_VIEW } from '../../merchants/read/merchant.view.ts';
import { PAYOUT_REQUESTS_VIEW } from '../../payouts/read/payout-request.view.ts';
import { REFUNDS_VIEW } from '../../refunds/read/refund.view.ts';
import { STORED_METHODS_VIEW } from '../../stored-methods/read/stored-method.view.ts';
import { SUBSCRIPTIONS_VIEW } from '../../subscriptions/read/subscription.view.ts';
import { type EventHead, SENT_EVENTS, type SentEvent } from '../write/sent-event.ts';
import { EVENTS_VIEW_NAME, WEBHOOKS } from '../write/webhooks.store.ts';
import { eventHeadOf } from './envelope.ts';

/** Views need only the heads of events, not their bodies. */
const EVENT_HEADS: Store<EventHead> = SENT_EVENTS;

/**
 * Every event, sent or not, without its body. The body is in the write store, frozen or derivable from the domain
 * event. So this view holds nothing of a customer, and an event costs no outbox row of its own.
 */
export const EVENTS_VIEW = defineView({
  name: EVENTS_VIEW_NAME,
  version: 6,
  source: EVENT_HEADS,
  tenants: 'routed',
  feed: { after: WEBHOOKS, field: 'id' },
  fromEvents: {
    beside: [
      CHARGES_VIEW,
      REFUNDS_VIEW,
      PAYOUT_REQUESTS_VIEW,
      MERCHANTS_VIEW,
      ANTICIPATIONS_VIEW,
      ADJUSTMENTS_VIEW,
      STORED_METHODS_VIEW,
      SUBSCRIPTIONS_VIEW,
      CHECKOUT_SESSIONS_VIEW,
    ].map(({ name }) => name),
    of: eventHeadOf,
  },
  fields: {
    id: keyword(),
    livemode: flag(),
    merchantId: keyword(),
    masterId: keyword(),
    event: keyword(),
    resourceId: keyword(),
    /** Leads from a request to its records, when somebody asks about it. */
    requestId: hidden(from(keyword(), ({ requestId }: EventHead) => requestId ?? null)),
    createdAt: date(),
  },
});

/** An event as the API answers it: `body` is the exact text, `data` the member of that name in it. */
export const presentEvent = (event: SentEvent) => {
  const envelope = JSON.parse(event.body) as { readonly data?: object };
  return {
    id: event.id,
    event: event.event,
    livemode: event.livemode,
    merchantId: event.merchantId,
    resourceId: event.resourceId,
    data: envelope.data ?? envelope,
    body: event.body,
    createdAt: event.createdAt,
  };
};
