import { timestamp } from '../../../kernel/clock.ts';
import { asMerchant } from '../../../kernel/principal.ts';
import { defineList } from '../../../platform/http/list.ts';
import { API_KEYS_TAG, listedKey, OWN_ACCESS_TAG } from '../api-keys.schemas.ts';
import { merchantParams } from '../merchants.schemas.ts';
import type { FindUses } from '../write/api-key-uses.store.ts';
import { API_KEYS_VIEW } from './api-key.view.ts';
import { inPathOfMerchant } from './by-merchant.ts';
import type { GetMerchant } from './get-merchant.ts';

type Needs = { readonly getMerchant: GetMerchant; readonly findUses: FindUses };

export const API_KEY_LIST = defineList({
  view: API_KEYS_VIEW,
  what: 'pairs',
  answer: listedKey,
  // The last use of a pair is in no view, so it is read from the write store.
  async show(documents, { findUses }: Needs) {
    const uses = await findUses(documents.map(({ id }) => id));
    return documents.map((document) => {
      const at = uses.get(document.id);
      return { ...API_KEYS_VIEW.present(document), lastUsedAt: at ? timestamp(at) : null };
    });
  },
  sort: ['id', 'description', 'livemode', 'expiresAt', 'revokedAt', 'createdAt'],
  filter: {
    description: { isTyped: true },
    livemode: { description: '`true`: production, `false`: sandbox.' },
    createdAt: {},
  },
  within: inPathOfMerchant('merchantId'),
  routes: [
    {
      operationId: 'listApiKeys',
      path: '/v1/admin/merchants/{id}/api-keys',
      params: merchantParams,
      tag: API_KEYS_TAG,
      summary: "List a merchant's API keys",
      description: 'Shows expired and revoked pairs, too, but no secret keys.',
      access: { operator: 'admin.merchants.read' },
      errors: [404],
    },
    {
      operationId: 'listOwnApiKeys',
      path: '/v1/api-keys',
      tag: OWN_ACCESS_TAG,
      summary: "List one's own API keys",
      description:
        "Shows the merchant's pairs of the token's environment, including expired and revoked pairs, but no secret keys.",
      access: { merchant: 'keys.manage' },
      within: ({ principal }) => {
        const { merchantId, livemode } = asMerchant(principal);
        return [{ term: { merchantId } }, { term: { livemode } }];
      },
    },
  ],
});
