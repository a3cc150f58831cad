import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { SENT_NAMES } from '../write/event-kinds.ts';
import { type PublicSentEvent, presentSentEvent, SENT_EVENTS_VIEW } from './sent-event.view.ts';

export const SENT_EVENT_LIST = defineList({
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
      description: 'Name of the event as it was sent.',
    },
    merchantId: BY_MERCHANT,
    resourceId: {
      field: 'resourceId',
      kind: 'keyword',
      description: 'Id of the charge, payout request or sub-merchant that the event is about.',
    },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListSentEvents = ListFor<PublicSentEvent>;

export const createListSentEvents =
  (visible: ListVisible): ListSentEvents =>
  (principal, query, consistencyToken) =>
    visible.page(
      { list: SENT_EVENT_LIST, view: SENT_EVENTS_VIEW, present: presentSentEvent },
      principal,
      query,
      consistencyToken,
    );
