import Joi from 'joi';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { DOCUMENT_TYPES } from '../write/document.ts';
import { type PublicDocument, presentDocument, SUBMERCHANT_DOCUMENTS_VIEW } from './document.view.ts';

export const DOCUMENT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    type: { field: 'type', kind: 'keyword' },
    fileName: { field: 'fileName', kind: 'keyword' },
    contentType: { field: 'contentType', kind: 'keyword' },
    size: { field: 'size', kind: 'number' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    type: { field: 'type', kind: 'keyword', schema: Joi.string().valid(...DOCUMENT_TYPES) },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListDocuments = (
  submerchant: Merchant,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicDocument>>;

export const createListDocuments =
  (readView: ReadView): ListDocuments =>
  ({ id }, query, consistencyToken) =>
    readView.page(
      { list: DOCUMENT_LIST, view: SUBMERCHANT_DOCUMENTS_VIEW, present: presentDocument },
      [{ term: { merchantId: id } }],
      query,
      consistencyToken,
    );
