import Joi from 'joi';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { API_KEYS_VIEW, type ApiKeyAnswer, toApiKeyAnswer } from './api-key.view.ts';
import type { GetMerchant } from './get-merchant.ts';

export const apiKeyList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    livemode: { field: 'livemode', kind: 'keyword' },
    expiresAt: { field: 'expiresAt', kind: 'date' },
    revokedAt: { field: 'revokedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    livemode: {
      kind: 'keyword',
      field: 'livemode',
      schema: Joi.string().valid('true', 'false'),
      description: '`true`: production, `false`: sandbox.',
    },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListApiKeys = (
  merchantId: string,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<ApiKeyAnswer>>;

export const listApiKeys =
  (deps: { readonly readView: ReadView; readonly getMerchant: GetMerchant }): ListApiKeys =>
  async (merchantId, query, consistency) => {
    await deps.getMerchant(merchantId);
    return deps.readView.page(
      { list: apiKeyList, view: API_KEYS_VIEW, present: toApiKeyAnswer },
      [{ term: { merchantId } }],
      query,
      consistency,
    );
  };
