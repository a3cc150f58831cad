import { defineList, EVERYTHING } from '../../../platform/http/list.ts';
import { tidied } from '../../../platform/http/schemas.ts';
import { merchantAnswer, TAG } from '../merchants.schemas.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES, parseCompanyTaxId } from '../write/merchant.ts';
import { MERCHANTS_VIEW } from './merchant.view.ts';

export const BY_TAX_ID = {
  schema: tidied(24).custom((value: string) => parseCompanyTaxId(value) ?? value),
  description: 'CNPJ or CPF, with or without punctuation.',
};

export const MERCHANT_LIST = defineList({
  view: MERCHANTS_VIEW,
  answer: merchantAnswer,
  sort: ['id', 'legalName', 'email', 'role', 'status', 'createdAt', 'updatedAt'],
  filter: {
    legalName: { isTyped: true },
    email: { description: 'The whole address, in upper or lower case.' },
    role: {
      valid: MERCHANT_ROLES,
      description: '`MerchantMaster` finds merchants that can have sub-merchants.',
    },
    status: { valid: MERCHANT_STATUSES },
    companyTaxId: BY_TAX_ID,
    createdAt: {},
  },
  within: EVERYTHING,
  routes: [
    {
      operationId: 'listMerchants',
      path: '/v1/admin/merchants',
      tag: TAG,
      summary: 'List merchants',
      access: { operator: 'admin.merchants.read' },
    },
  ],
});
