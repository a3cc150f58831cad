import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { REFUND_STATUSES } from '../write/refund.ts';
import { type PublicRefund, presentRefund, REFUNDS_VIEW } from './refund.view.ts';

export const REFUND_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    chargeId: { field: 'chargeId', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    amount: { field: 'comparable.amount', kind: 'number' },
    currency: { field: 'currency', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    chargeId: {
      field: 'chargeId',
      kind: 'keyword',
      description: 'All refunds of this charge, `chg_…`: the failed ones and the one that counts.',
    },
    status: { field: 'status', kind: 'keyword', schema: Joi.string().valid(...REFUND_STATUSES) },
    merchantId: BY_MERCHANT,
    currency: { field: 'currency', kind: 'keyword', description: 'ISO 4217 code.' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
});

export type ListRefunds = ListFor<PublicRefund>;

export const createListRefunds =
  (visible: ListVisible): ListRefunds =>
  (principal, query, consistencyToken) =>
    visible.page(
      { list: REFUND_LIST, view: REFUNDS_VIEW, present: presentRefund },
      principal,
      query,
      consistencyToken,
    );
