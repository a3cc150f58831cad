import { date, flag, from, hidden, integer, keyword, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { DELIVERIES, type WebhookDelivery } from '../write/delivery.ts';
import { DELIVERIES_VIEW_NAME, RECOVERY, WEBHOOKS } from '../write/webhooks.store.ts';

const lastStatusOf = ({ attempts }: WebhookDelivery): string | null =>
  attempts.at(-1)?.statusCode?.toString() ?? null;

export const DELIVERIES_VIEW = defineView({
  name: DELIVERIES_VIEW_NAME,
  version: 3,
  source: DELIVERIES,
  tenants: 'routed',
  feed: { after: [WEBHOOKS, RECOVERY], field: 'id' },
  fields: {
    id: keyword(),
    livemode: flag(),
    merchantId: keyword(),
    masterId: hidden(keyword()),
    eventId: keyword(),
    event: keyword(),
    endpointId: keyword(),
    channel: keyword(),
    url: stored(),
    status: keyword(),
    sequence: integer(),
    attempts: stored(),
    /** HTTP status of the latest answer. */
    statusCode: hidden(from(keyword(), lastStatusOf)),
    nextAttemptAt: from(date(), ({ begunAt, dueAt }: WebhookDelivery) => (begunAt === null ? dueAt : null)),
    createdAt: date(),
  },
});

/** A delivery as the API answers it. */
export const presentDelivery = (delivery: WebhookDelivery) =>
  DELIVERIES_VIEW.present(DELIVERIES_VIEW.toDocument(delivery));
