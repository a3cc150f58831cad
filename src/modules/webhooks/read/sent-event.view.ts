import type { View } from '../../../platform/read-store/view.ts';
import { SENT_EVENTS, type SentEvent } from '../write/sent-event.ts';
import { EVENTS_VIEW_NAME, WEBHOOKS } from '../write/webhooks.store.ts';

export type SentEventDocument = Omit<SentEvent, 'version'>;

export const SENT_EVENTS_VIEW: View<SentEvent, SentEventDocument> = {
  name: EVENTS_VIEW_NAME,
  version: 1,
  source: SENT_EVENTS,
  feed: { after: WEBHOOKS, field: 'id' },
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    event: { type: 'keyword' },
    resourceId: { type: 'keyword' },
    createdAt: { type: 'date' },
  },
  toDocument: ({ version: _, ...sent }) => sent,
};

/** What was sent (decisions 10): `body` to the letter, `data` as it is in there. */
export const presentSentEvent = (sent: SentEventDocument) => {
  const envelope = JSON.parse(sent.body) as { readonly data?: object };
  return {
    id: sent.id,
    event: sent.event,
    livemode: sent.livemode,
    merchantId: sent.merchantId,
    resourceId: sent.resourceId,
    data: envelope.data ?? envelope,
    body: sent.body,
    createdAt: sent.createdAt,
  };
};
export type PublicSentEvent = ReturnType<typeof presentSentEvent>;
