import { asMerchant } from '../../../kernel/principal.ts';
import { defineList } from '../../../platform/http/list.ts';
import { ACTIVE } from '../../../platform/read-store/scope.ts';
import { TERMS_TAG } from '../fees.schemas.ts';
import { merchantParams } from '../merchants.schemas.ts';
import { SETTINGS_TAG, settingAnswer } from '../settings.schemas.ts';
import { inPathOfMerchant } from './by-merchant.ts';
import { GATEWAY_OWNER, SETTINGS_VIEW } from './setting.view.ts';

export const SETTING_LIST = defineList({
  view: SETTINGS_VIEW,
  answer: settingAnswer,
  sort: ['id', 'name', 'createdAt', 'updatedAt'],
  filter: {
    name: { description: 'The whole name, such as `enable_connect`.' },
    createdAt: {},
  },
  routes: [
    {
      operationId: 'listMerchantSettings',
      path: '/v1/merchants/{id}/settings',
      params: merchantParams,
      tag: SETTINGS_TAG,
      summary: "List a merchant's own settings",
      description: 'Shows the settings of the merchant, without the gateway-wide defaults.',
      access: { operator: 'admin.merchants.read' },
      errors: [404],
      within: inPathOfMerchant('owner', ACTIVE),
    },
    {
      operationId: 'listDefaultSettings',
      path: '/v1/admin/settings',
      tag: SETTINGS_TAG,
      summary: 'List the gateway-wide defaults',
      access: { operator: 'admin.merchants.read' },
      within: () => [{ term: { owner: GATEWAY_OWNER } }, ACTIVE],
    },
    {
      operationId: 'listOwnSettings',
      path: '/v1/settings',
      tag: TERMS_TAG,
      summary: "List one's own settings",
      description:
        'Shows the settings that an operator has made for the merchant of the key. For a setting that is absent, the default of the gateway counts, which is not shown.',
      access: { merchant: 'any' },
      within: ({ principal }) => [{ term: { owner: asMerchant(principal).merchantId } }, ACTIVE],
    },
  ],
});
