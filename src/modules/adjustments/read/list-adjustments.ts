import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { ADJUSTMENT_STATUSES } from '../write/adjustment.ts';
import { ADJUSTMENTS_VIEW, type PublicAdjustment, presentAdjustment } from './adjustment.view.ts';

export const ADJUSTMENT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    amount: { field: 'comparableAmount', kind: 'number' },
    currency: { field: 'currency', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    processedAt: { field: 'processedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    merchantId: {
      field: 'merchantId',
      kind: 'keyword',
      description: 'Only those of this merchant, `mer_…`.',
    },
    currency: { field: 'currency', kind: 'keyword', description: 'ISO 4217 code.' },
    status: {
      field: 'status',
      kind: 'keyword',
      schema: Joi.string().valid(...ADJUSTMENT_STATUSES),
      description: '`pending` finds what waits for a second operator.',
    },
    processedAt: { field: 'processedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListAdjustments = ListFor<PublicAdjustment>;

export const createListAdjustments =
  (readView: ReadView): ListAdjustments =>
  (principal, query, consistencyToken) =>
    readView.page(
      { list: ADJUSTMENT_LIST, view: ADJUSTMENTS_VIEW, present: presentAdjustment },
      principal,
      query,
      consistencyToken,
    );
