import { BODIES_BYTES } from '../../../platform/http/expanded.ts';
import { defineList } from '../../../platform/http/list.ts';
import { string } from '../../../platform/http/typed.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { deliveryAnswer, forBoth } from '../webhooks.schemas.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '../write/delivery.ts';
import { DELIVERIES_VIEW } from './delivery.view.ts';
import { OF_READABLE_EVENTS } from './readable.ts';

export const DELIVERY_LIST = defineList({
  view: DELIVERIES_VIEW,
  what: 'deliveries',
  answer: deliveryAnswer,
  pageBytes: BODIES_BYTES,
  sort: [
    'id',
    'event',
    'endpointId',
    'merchantId',
    'channel',
    'status',
    'sequence',
    'nextAttemptAt',
    'createdAt',
  ],
  filter: {
    eventId: { description: 'Only deliveries of this event, `evt_…`.' },
    endpointId: { description: 'Only deliveries to this endpoint, `whe_…`, so no postbacks.' },
    merchantId: BY_MERCHANT,
    status: { valid: DELIVERY_STATUSES, description: '`failed` finds deliveries that can be sent again.' },
    channel: {
      valid: DELIVERY_CHANNELS,
      description: 'Channel of the delivery: see its member `channel`.',
    },
    statusCode: {
      schema: string().pattern(/^[1-5]\d\d$/, 'HTTP status'),
      description:
        'HTTP status of the last answer, such as `503`. Deliveries without an answer have no status.',
    },
    createdAt: {},
  },
  within: OF_READABLE_EVENTS,
  routes: forBoth({
    method: 'get',
    operationId: 'listWebhookDeliveries',
    path: '/webhook-deliveries',
    holdsSecret: true,
    summary: 'List webhook deliveries with their attempts',
    description:
      'Shows deliveries of events whose charge, refund, payout request or sub-merchant the caller may read.',
  }),
});
