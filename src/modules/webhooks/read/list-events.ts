import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT } from '../../merchants/read/list-visible.ts';
import { SENT_NAMES } from '../write/event-kinds.ts';
import { EVENTS_VIEW, type EventDocument, type PublicEvent, presentEvent } from './event.view.ts';
import type { FindEvents } from './find-events.ts';
import type { ListReadable } from './list-readable.ts';

export const EVENT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    event: { field: 'event', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    resourceId: { field: 'resourceId', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    event: {
      field: 'event',
      kind: 'keyword',
      schema: Joi.string().valid(...SENT_NAMES),
      description: 'Name of the event.',
    },
    merchantId: BY_MERCHANT,
    resourceId: {
      field: 'resourceId',
      kind: 'keyword',
      description: 'Id of the charge, refund, payout request or sub-merchant that the event is about.',
    },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListEvents = ListFor<PublicEvent>;

const LISTING = { list: EVENT_LIST, view: EVENTS_VIEW, present: ({ id }: EventDocument) => id };

/** Bodies come from the write store; an event that was removed there in between is left out. */
export const createListEvents =
  (listReadable: ListReadable, findEvents: FindEvents): ListEvents =>
  async (principal, query, consistencyToken) => {
    const page = await listReadable(LISTING, principal, query, consistencyToken);
    const events = await findEvents(page.data);
    return {
      ...page,
      data: page.data.flatMap((id) => {
        const event = events.get(id);
        return event ? [presentEvent(event)] : [];
      }),
    };
  };
