import Joi from 'joi';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
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
    livemode: { kind: 'keyword', field: 'livemode', schema: Joi.string().valid('true', 'false') },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListApiKeys = (
  merchantId: string,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<ApiKeyAnswer>>;

export const listApiKeys = (deps: {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
  readonly getMerchant: GetMerchant;
}): ListApiKeys => {
  return async (merchantId, query, consistency) => {
    await deps.getMerchant(merchantId);
    await deps.viewReady(API_KEYS_VIEW);
    await deps.awaitConsistency(API_KEYS_VIEW, consistency);
    const page = await apiKeyList.search<ApiKeyAnswer>(deps.readStore, API_KEYS_VIEW, query, [
      { term: { merchantId } },
    ]);
    return { ...page, data: page.data.map(toApiKeyAnswer) };
  };
};
