import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { CLEARING_STATUSES, SUSPENSE_REASONS, SUSPENSE_STATUSES } from '../write/suspense.ts';
import { type PublicSuspenseItem, presentSuspenseItem, SUSPENSE_VIEW } from './suspense-item.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });
const date = (field: string) => ({ field, kind: 'date' as const });

export const SUSPENSE_LIST = defineList({
  sortable: {
    id: keyword('id'),
    status: keyword('status'),
    reason: keyword('reason'),
    amount: { field: 'comparableAmount', kind: 'number' },
    currency: keyword('currency'),
    merchantId: keyword('merchantId'),
    createdAt: date('createdAt'),
    updatedAt: date('updatedAt'),
  },
  filters: {
    status: {
      ...keyword('status'),
      schema: Joi.string().valid(...SUSPENSE_STATUSES),
      description: '`held` finds what waits for somebody to place it.',
    },
    clearingStatus: {
      ...keyword('clearing.status'),
      schema: Joi.string().valid(...CLEARING_STATUSES),
      description: '`pending` finds what waits for a second operator.',
    },
    reason: {
      ...keyword('reason'),
      schema: Joi.string().valid(...SUSPENSE_REASONS),
      description: 'Why the money is here.',
    },
    direction: {
      ...keyword('direction'),
      schema: Joi.string().valid('in', 'out'),
      description: '`in`: it came to the provider; `out`: it left it.',
    },
    provider: { ...keyword('provider'), description: 'Name of the provider.' },
    currency: { ...keyword('currency'), description: 'ISO 4217 code.' },
    merchantId: { ...keyword('merchantId'), description: 'Only those of charges of this merchant, `mer_…`.' },
    chargeId: { ...keyword('chargeId'), description: 'Only those about this charge, `chg_…`.' },
    createdAt: date('createdAt'),
    updatedAt: date('updatedAt'),
  },
});

export type ListSuspenseItems = ListFor<PublicSuspenseItem>;

export const createListSuspenseItems =
  (readView: ReadView): ListSuspenseItems =>
  (principal, query, consistencyToken) =>
    readView.page(
      { list: SUSPENSE_LIST, view: SUSPENSE_VIEW, present: presentSuspenseItem },
      principal,
      query,
      consistencyToken,
    );
