import Joi from 'joi';
import type { MerchantId } from '../../../kernel/ids.ts';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { BY_MERCHANT } from '../../merchants/read/list-visible.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { type PublicEndpoint, presentEndpoint, WEBHOOK_ENDPOINTS_VIEW } from './endpoint.view.ts';

export const ENDPOINT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    url: { field: 'url', kind: 'keyword' },
    enabled: { field: 'enabled', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    merchantId: BY_MERCHANT,
    enabled: {
      field: 'enabled',
      kind: 'keyword',
      schema: Joi.string().valid('true', 'false'),
      description: '`false` finds those that were disabled, by hand or after five days of failures.',
    },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListEndpoints = ListFor<PublicEndpoint>;

/** Without those that were deleted: their documents stay, so that a late one cannot bring them back. */
export const createListEndpoints =
  (readView: ReadView, findMerchants: FindMerchants): ListEndpoints =>
  async (principal, query, consistencyToken) => {
    await assertMayNameMerchant(principal, query.merchantId as MerchantId | undefined, findMerchants);
    return readView.page(
      { list: ENDPOINT_LIST, view: WEBHOOK_ENDPOINTS_VIEW, present: presentEndpoint },
      [...scopeOf(principal), { bool: { must_not: [{ exists: { field: 'deletedAt' } }] } }],
      query,
      consistencyToken,
    );
  };
