import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor } from '../../../platform/read-store/read-view.ts';
import type { ListVisible } from '../../merchants/read/list-visible.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '../write/delivery.ts';
import { DELIVERIES_VIEW, type DeliveryDocument, type PublicDelivery } from './delivery.view.ts';

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
    eventId: { field: 'eventId', kind: 'keyword' },
    endpointId: { field: 'endpointId', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword', schema: Joi.string().valid(...DELIVERY_STATUSES) },
    channel: { field: 'channel', kind: 'keyword', schema: Joi.string().valid(...DELIVERY_CHANNELS) },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListDeliveries = ListFor<PublicDelivery>;

export const createListDeliveries =
  (visible: ListVisible): ListDeliveries =>
  (principal, query, consistencyToken) =>
    visible.page(
      { list: DELIVERY_LIST, view: DELIVERIES_VIEW, present: withoutMaster },
      principal,
      query,
      consistencyToken,
    );

const withoutMaster = ({ masterId: _, ...delivery }: DeliveryDocument): PublicDelivery => delivery;
