import { asMerchant } from '../../../kernel/principal.ts';
import { defineList } from '../../../platform/http/list.ts';
import { tenantCondition } from '../../../platform/read-store/scope.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { documentAnswer } from '../documents.schemas.ts';
import { ADMIN_TAG, MASTERS_ONLY, submerchantParams, TAG } from '../submerchants.schemas.ts';
import { DOCUMENT_TYPES } from '../write/document.ts';
import type { Marketplace } from '../write/marketplace.ts';
import { presentDocument, SUBMERCHANT_DOCUMENTS_VIEW } from './document.view.ts';

const of = ({ id, masterId }: Pick<Merchant, 'id' | 'masterId'>) => [
  ...tenantCondition(masterId ?? id),
  { term: { merchantId: id } },
];

type Needs = { readonly marketplace: Pick<Marketplace, 'findSubmerchant' | 'findForOperator'> };

export const DOCUMENT_LIST = defineList({
  view: SUBMERCHANT_DOCUMENTS_VIEW,
  what: 'documents',
  answer: documentAnswer,
  show: (documents) => documents.map(presentDocument),
  sort: ['id', 'type', 'fileName', 'contentType', 'size', 'createdAt'],
  filter: { type: { valid: DOCUMENT_TYPES }, createdAt: {} },
  routes: [
    {
      operationId: 'listSubmerchantDocuments',
      path: '/v1/submerchants/{id}/documents',
      params: submerchantParams,
      tag: TAG,
      summary: "List a sub-merchant's documents",
      description: 'Shows the documents to the master and to the sub-merchant itself.',
      access: { merchant: 'submerchants.manage' },
      refusals: MASTERS_ONLY,
      errors: [404],
      within: async ({ principal, params: { id = '' } }, { marketplace }: Needs) =>
        of(await marketplace.findSubmerchant(asMerchant(principal), id)),
    },
    {
      operationId: 'listSubmerchantDocumentsAsOperator',
      path: '/v1/admin/submerchants/{id}/documents',
      params: submerchantParams,
      tag: ADMIN_TAG,
      summary: "List a sub-merchant's documents",
      access: { operator: 'admin.merchants.read' },
      errors: [404],
      within: async ({ params: { id = '' } }, { marketplace }: Needs) =>
        of(await marketplace.findForOperator(id)),
    },
  ],
});
