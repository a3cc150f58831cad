import { asMerchant } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { defineList } from '../../../platform/http/list.ts';
import { tenantCondition } from '../../../platform/read-store/scope.ts';
import { BY_TAX_ID } from '../../merchants/read/list-merchants.ts';
import { MERCHANTS_VIEW } from '../../merchants/read/merchant.view.ts';
import { MERCHANT_STATUSES } from '../../merchants/write/merchant.ts';
import { ADMIN_TAG, MASTERS_ONLY, submerchantAnswer, TAG } from '../submerchants.schemas.ts';
import type { Marketplace } from '../write/marketplace.ts';
import { presentSubmerchant } from './submerchant.view.ts';

const SORT = ['id', 'legalName', 'email', 'companyTaxId', 'status', 'createdAt', 'updatedAt'] as const;
const FILTER = {
  status: { valid: MERCHANT_STATUSES },
  legalName: { isTyped: true },
  email: { description: 'The whole e-mail address, in upper or lower case.' },
  companyTaxId: BY_TAX_ID,
  createdAt: {},
  updatedAt: {},
} as const;

const SHARED = {
  view: MERCHANTS_VIEW,
  what: 'sub-merchants',
  answer: submerchantAnswer,
  show: (documents: readonly Parameters<typeof presentSubmerchant>[0][]) => documents.map(presentSubmerchant),
};

/** A master lists its sub-merchants in the environment of its credentials; a sub-merchant finds only itself. */
export const SUBMERCHANT_LIST = defineList({
  ...SHARED,
  sort: SORT,
  filter: FILTER,
  async within(asked, { marketplace }: { readonly marketplace: Pick<Marketplace, 'requireMaster'> }) {
    const principal = asMerchant(asked.principal);
    const { merchantId, masterId, livemode } = principal;
    if (masterId === null) await marketplace.requireMaster(principal);
    const own = masterId === null ? { masterId: merchantId } : { id: merchantId };
    return [...tenantCondition(tenantOf(principal)), { term: own }, { term: { livemode } }];
  },
  routes: [
    {
      operationId: 'listSubmerchants',
      path: '/v1/submerchants',
      tag: TAG,
      summary: 'List sub-merchants',
      description:
        'Shows the sub-merchants of the calling master in the environment of its key; a sub-merchant finds only itself. `legalName` finds names that contain all given words, the last of which may be the beginning of one.',
      refusals: MASTERS_ONLY,
      access: { merchant: 'submerchants.manage' },
    },
  ],
});

/** Operators see the sub-merchants of both environments and of every master. */
export const ADMIN_SUBMERCHANT_LIST = defineList({
  ...SHARED,
  sort: [...SORT, 'masterId', 'livemode'],
  filter: {
    ...FILTER,
    masterId: { description: 'Only sub-merchants of this master, `mer_…`.' },
    livemode: { description: '`true`: production, `false`: sandbox.' },
  },
  within: () => [{ exists: { field: 'masterId' } }],
  routes: [
    {
      operationId: 'listSubmerchantsAsOperator',
      path: '/v1/admin/submerchants',
      tag: ADMIN_TAG,
      summary: 'List the sub-merchants of all masters',
      description: 'Shows both environments unless `livemode` names one.',
      access: { operator: 'admin.merchants.read' },
    },
  ],
});
