import Joi from 'joi';
import { characters } from '../../../platform/http/schemas.ts';
import { defineList, type ListFilter, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES, parseCompanyTaxId } from '../write/merchant.ts';
import { MERCHANTS_VIEW, type MerchantAnswer, toMerchantAnswer } from './merchant.view.ts';

export const BY_TAX_ID: ListFilter = {
  kind: 'keyword',
  field: 'companyTaxId',
  schema: characters(24).custom((value: string) => parseCompanyTaxId(value) ?? value),
  description: 'CNPJ or CPF, with or without punctuation.',
};

export const merchantList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    legalName: { field: 'legalName', kind: 'keyword' },
    email: { field: 'email', kind: 'keyword' },
    role: { field: 'role', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    email: { kind: 'keyword', field: 'email', description: 'The whole address, in upper or lower case.' },
    role: {
      kind: 'keyword',
      field: 'role',
      schema: Joi.string().valid(...MERCHANT_ROLES),
      description: '`MerchantMaster`: those that can have sub-merchants.',
    },
    status: { kind: 'keyword', field: 'status', schema: Joi.string().valid(...MERCHANT_STATUSES) },
    companyTaxId: BY_TAX_ID,
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListMerchants = (query: ListQuery, consistency: string | null) => Promise<Page<MerchantAnswer>>;

export const listMerchants =
  (readView: ReadView): ListMerchants =>
  (query, consistency) =>
    readView.page(
      { list: merchantList, view: MERCHANTS_VIEW, present: toMerchantAnswer },
      [],
      query,
      consistency,
    );
