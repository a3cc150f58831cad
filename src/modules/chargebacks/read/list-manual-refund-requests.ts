import Joi from 'joi';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { aliasOf, type View } from '../../../platform/read-store/view.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { MANUAL_REFUND_STATUSES } from '../write/manual-refund-request.ts';
import {
  MANUAL_REFUND_REQUESTS_VIEW,
  type ManualRefundDocument,
  type PublicManualRefund,
  presentManualRefund,
} from './manual-refund-request.view.ts';

const ALL = 'all';

export const MANUAL_REFUND_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    currency: { field: 'currency', kind: 'keyword' },
    amount: { field: 'comparableAmount', kind: 'number' },
    createdAt: { field: 'createdAt', kind: 'date' },
    resolved_at: { field: 'resolved_at', kind: 'date' },
  },
  filters: {
    status: {
      field: 'status',
      kind: 'keyword',
      schema: Joi.string()
        .valid(...MANUAL_REFUND_STATUSES, ALL)
        .default('pending'),
    },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    chargeId: { field: 'chargeId', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ManualRefundPage = Page<PublicManualRefund> & {
  /** How many wait in all, whatever the query. */
  readonly pendingCount: number;
};

export type ListManualRefunds = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<ManualRefundPage>;

export const createListManualRefunds =
  (deps: {
    readonly readStore: ReadStore;
    readonly viewReady: (view: View) => Promise<void>;
    readonly awaitConsistency: AwaitConsistency;
    readonly findMerchants: FindMerchants;
  }): ListManualRefunds =>
  async (principal, query, consistencyToken) => {
    const { readStore } = deps;
    const view = MANUAL_REFUND_REQUESTS_VIEW;
    await deps.viewReady(view);
    await deps.awaitConsistency(view, consistencyToken);
    const scope = scopeOf(principal);
    const { status, ...rest } = query;
    const asked = (status === ALL ? rest : query) as ListQuery;
    const [page, pending] = await Promise.all([
      MANUAL_REFUND_LIST.search<ManualRefundDocument>(readStore, view, asked, scope),
      readStore.client.count({
        index: aliasOf(readStore, view),
        query: { bool: { filter: [...scope, { term: { status: 'pending' } }] } },
      }),
    ]);
    const ids = [...new Set(page.data.map((request) => request.merchantId))];
    const merchants = new Map(
      (ids.length === 0 ? [] : await deps.findMerchants(ids)).map((merchant) => [merchant.id, merchant]),
    );
    const data = page.data.map((request) =>
      presentManualRefund(request, merchants.get(request.merchantId) ?? null),
    );
    return { ...page, data, pendingCount: pending.count };
  };
