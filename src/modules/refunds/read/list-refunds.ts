import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { REFUND_STATUSES } from '../write/refund.ts';
import { type PublicRefund, presentRefund, REFUNDS_VIEW } from './refund.view.ts';

export const REFUND_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    chargeId: { field: 'chargeId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    chargeId: {
      field: 'chargeId',
      kind: 'keyword',
      description: 'All refunds of this charge, `chg_…`: the failed ones and the one that counts.',
    },
    status: { field: 'status', kind: 'keyword', schema: Joi.string().valid(...REFUND_STATUSES) },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListRefunds = ListFor<PublicRefund>;

export const createListRefunds =
  (readView: ReadView): ListRefunds =>
  (principal, query, consistencyToken) =>
    readView.page(
      { list: REFUND_LIST, view: REFUNDS_VIEW, present: presentRefund },
      principal,
      query,
      consistencyToken,
    );
