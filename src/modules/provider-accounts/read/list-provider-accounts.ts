import { defineList } from '../../../platform/http/list.ts';
import { ACTIVE } from '../../../platform/read-store/scope.ts';
import { merchantParams } from '../../merchants/merchants.schemas.ts';
import { inPathOfMerchant } from '../../merchants/read/by-merchant.ts';
import { accountAnswer, TAG } from '../provider-accounts.schemas.ts';
import { PROVIDER_ACCOUNTS_VIEW } from './provider-account.view.ts';

/** Lists leave out accounts that were removed. */
export const PROVIDER_ACCOUNT_LIST = defineList({
  view: PROVIDER_ACCOUNTS_VIEW,
  what: 'accounts at providers',
  answer: accountAnswer,
  sort: ['id', 'provider', 'createdAt', 'updatedAt'],
  filter: { provider: { description: 'The connector.' }, createdAt: {} },
  routes: [
    {
      operationId: 'listProviderAccounts',
      path: '/v1/admin/merchants/{id}/provider-accounts',
      params: merchantParams,
      tag: TAG,
      summary: "List a merchant's accounts at providers",
      description: "Shows the merchant's accounts, without removed ones.",
      access: { operator: 'admin.merchants.read' },
      errors: [404],
      within: inPathOfMerchant('merchantId', ACTIVE),
    },
  ],
});
