import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ScanFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../write/journal.ts';
import { type PublicLine, presentLine, STATEMENT_VIEW } from './statement.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });

/** Decisions 7. Lines of one moment are in the order of their balances, in either direction. */
export const STATEMENT_LIST = defineList({
  orderBy: '-createdAt',
  sortable: {
    createdAt: { field: 'createdAt', kind: 'date', within: 'seq' },
    amount: { field: 'comparable.amount', kind: 'number', within: 'seq' },
    movement_type: keyword('movement_type'),
    referenceType: keyword('referenceType'),
  },
  filters: {
    movement_type: {
      ...keyword('movement_type'),
      schema: Joi.string().valid(...MOVEMENT_TYPES),
      description: 'Why the money moved.',
    },
    referenceType: {
      ...keyword('referenceType'),
      schema: Joi.string().valid(...REFERENCE_TYPES),
      description: 'What kind of record the entry is about.',
    },
    referenceId: {
      ...keyword('referenceId'),
      description: 'Id of the record that the entry is about; for a settlement that of its charge.',
    },
    currency: { ...keyword('currency'), description: 'ISO 4217 code.' },
    bucket: {
      ...keyword('bucket'),
      schema: Joi.string().valid('reserved', 'available'),
      description: '`reserved`: paid and not settled yet; `available`: can be paid out.',
    },
    merchantId: BY_MERCHANT,
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

const LISTING = { list: STATEMENT_LIST, view: STATEMENT_VIEW, present: presentLine };

export type ListStatement = ListFor<PublicLine>;
export type ScanStatement = ScanFor<PublicLine>;

export const createListStatement =
  (visible: ListVisible): ListStatement =>
  (principal, query, consistencyToken) =>
    visible.page(LISTING, principal, query, consistencyToken);

export const createScanStatement =
  (visible: ListVisible): ScanStatement =>
  (principal, query, consistencyToken) =>
    visible.all(LISTING, principal, query, consistencyToken);
