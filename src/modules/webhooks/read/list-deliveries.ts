import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT } from '../../merchants/read/list-visible.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '../write/delivery.ts';
import { DELIVERIES_VIEW, type DeliveryDocument, type PublicDelivery } from './delivery.view.ts';
import type { ListReadable } from './list-readable.ts';

export const DELIVERY_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    event: { field: 'event', kind: 'keyword' },
    endpointId: { field: 'endpointId', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    channel: { field: 'channel', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    sequence: { field: 'sequence', kind: 'number' },
    nextAttemptAt: { field: 'nextAttemptAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    eventId: { field: 'eventId', kind: 'keyword', description: 'All deliveries of this event, `evt_…`.' },
    endpointId: {
      field: 'endpointId',
      kind: 'keyword',
      description: 'All deliveries to this endpoint, `whe_…`; no postback has one.',
    },
    merchantId: BY_MERCHANT,
    status: {
      field: 'status',
      kind: 'keyword',
      schema: Joi.string().valid(...DELIVERY_STATUSES),
      description: '`failed` finds what can be sent again.',
    },
    channel: {
      field: 'channel',
      kind: 'keyword',
      schema: Joi.string().valid(...DELIVERY_CHANNELS),
      description: 'By what way it goes; see `channel` of a delivery.',
    },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListDeliveries = ListFor<PublicDelivery>;

export const createListDeliveries =
  (listReadable: ListReadable): ListDeliveries =>
  (principal, query, consistencyToken) =>
    listReadable(
      { list: DELIVERY_LIST, view: DELIVERIES_VIEW, present: withoutMaster },
      principal,
      query,
      consistencyToken,
    );

const withoutMaster = ({ masterId: _, ...delivery }: DeliveryDocument): PublicDelivery => delivery;
