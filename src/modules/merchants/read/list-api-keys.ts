import Joi from 'joi';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import type { FindUses } from '../write/api-key-uses.store.ts';
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

/** A pair as lists show it: with its last use, which is in no view. */
export type ListedApiKey = ApiKeyAnswer & { readonly lastUsedAt: Timestamp | null };

export type ListApiKeys = (
  merchantId: string,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<ListedApiKey>>;

export const listApiKeys =
  (deps: {
    readonly readView: ReadView;
    readonly getMerchant: GetMerchant;
    readonly findUses: FindUses;
  }): ListApiKeys =>
  async (merchantId, query, consistency) => {
    await deps.getMerchant(merchantId);
    const page = await deps.readView.page(
      { list: apiKeyList, view: API_KEYS_VIEW, present: toApiKeyAnswer },
      [{ term: { merchantId } }],
      query,
      consistency,
    );
    const uses = await deps.findUses(page.data.map(({ id }) => id));
    const lastUse = ({ id }: ApiKeyAnswer): Timestamp | null => {
      const at = uses.get(id);
      return at ? timestamp(at) : null;
    };
    return { ...page, data: page.data.map((key) => ({ ...key, lastUsedAt: lastUse(key) })) };
  };
