import Joi from 'joi';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { REFUND_STATUSES } from '../write/refund.ts';
import { type PublicRefund, presentRefund, REFUNDS_VIEW, type RefundDocument } from './refund.view.ts';

export const REFUND_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    chargeId: { field: 'chargeId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    chargeId: { field: 'chargeId', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword', schema: Joi.string().valid(...REFUND_STATUSES) },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListRefunds = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicRefund>>;

export const createListRefunds =
  (deps: {
    readonly readStore: ReadStore;
    readonly viewReady: (view: View) => Promise<void>;
    readonly awaitConsistency: AwaitConsistency;
  }): ListRefunds =>
  async (principal, query, consistencyToken) => {
    await deps.viewReady(REFUNDS_VIEW);
    await deps.awaitConsistency(REFUNDS_VIEW, consistencyToken);
    const scope = scopeOf(principal);
    const page = await REFUND_LIST.search<RefundDocument>(deps.readStore, REFUNDS_VIEW, query, scope);
    return { ...page, data: page.data.map(presentRefund) };
  };
