import { tenantOf } from '../../../kernel/tenant.ts';
import { BODIES_BYTES } from '../../../platform/http/expanded.ts';
import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { forBoth, sentEventAnswer } from '../webhooks.schemas.ts';
import { SENT_NAMES } from '../write/event-kinds.ts';
import { EVENTS_VIEW, presentEvent } from './event.view.ts';
import type { FindEvents } from './find-events.ts';
import { OF_READABLE_EVENTS } from './readable.ts';

export const EVENT_LIST = defineList({
  view: EVENTS_VIEW,
  what: 'events',
  answer: sentEventAnswer,
  pageBytes: BODIES_BYTES,
  // Bodies come from the write store. An event that was removed there in the meantime is left out.
  async show(documents, { findEvents }: { readonly findEvents: FindEvents }) {
    const events = await findEvents(
      documents.map((document) => ({ value: document.id, tenantId: tenantOf(document) })),
    );
    return documents.flatMap(({ id }) => {
      const event = events.get(id);
      return event ? [presentEvent(event)] : [];
    });
  },
  sort: ['id', 'event', 'merchantId', 'resourceId', 'createdAt'],
  filter: {
    event: { valid: SENT_NAMES, description: 'Name of the event.' },
    merchantId: BY_MERCHANT,
    resourceId: {
      description: 'Id of the charge, refund, payout request or sub-merchant that the event is about.',
    },
    createdAt: {},
  },
  within: OF_READABLE_EVENTS,
  routes: forBoth({
    method: 'get',
    operationId: 'listEvents',
    path: '/events',
    holdsSecret: true,
    summary: 'List events',
    description:
      'Shows every event, whether or not there was an endpoint for it. Each caller sees events of charges, refunds, payout requests and sub-merchants that it may read. A body is fixed when it is first sent, and only the erasure of a customer changes it. Events and deliveries stay as long as the gateway is configured to keep them.',
  }),
});
