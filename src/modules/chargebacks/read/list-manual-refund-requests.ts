import Joi from 'joi';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
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
      description: '`all` for those that wait and those that are resolved.',
    },
    merchantId: {
      field: 'merchantId',
      kind: 'keyword',
      description: 'Only those of this merchant, `mer_…`.',
    },
    chargeId: { field: 'chargeId', kind: 'keyword', description: 'Only those of this charge, `chg_…`.' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ManualRefundPage = Page<PublicManualRefund> & {
  /** How many wait in all, whatever the query. */
  readonly pendingCount: number;
};

export type ListManualRefunds = (
  ...request: Parameters<ListFor<PublicManualRefund>>
) => Promise<ManualRefundPage>;

const LISTING = {
  list: MANUAL_REFUND_LIST,
  view: MANUAL_REFUND_REQUESTS_VIEW,
  present: (document: ManualRefundDocument) => document,
};

export const createListManualRefunds =
  (deps: { readonly readView: ReadView; readonly findMerchants: FindMerchants }): ListManualRefunds =>
  async (principal, query, consistencyToken) => {
    const { status, ...rest } = query;
    const asked = (status === ALL ? rest : query) as ListQuery;
    const page = await deps.readView.page(LISTING, principal, asked, consistencyToken);
    const pending = { status: 'pending', page: 1, size: 1 };
    const { total: pendingCount } = await deps.readView.page(LISTING, principal, pending, null);
    const ids = [...new Set(page.data.map((request) => request.merchantId))];
    const merchants = new Map(
      (ids.length === 0 ? [] : await deps.findMerchants(ids)).map((merchant) => [merchant.id, merchant]),
    );
    const data = page.data.map((request) =>
      presentManualRefund(request, merchants.get(request.merchantId) ?? null),
    );
    return { ...page, data, pendingCount };
  };
