import Joi from 'joi';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { ADJUSTMENT_STATUSES } from '../write/adjustment.ts';
import {
  ADJUSTMENTS_VIEW,
  type AdjustmentDocument,
  type PublicAdjustment,
  presentAdjustment,
} from './adjustment.view.ts';

export const ADJUSTMENT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    amount: { field: 'comparableAmount', kind: 'number' },
    currency: { field: 'currency', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    processedAt: { field: 'processedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    merchantId: { field: 'merchantId', kind: 'keyword' },
    currency: { field: 'currency', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword', schema: Joi.string().valid(...ADJUSTMENT_STATUSES) },
    processedAt: { field: 'processedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListAdjustments = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicAdjustment>>;

export const createListAdjustments =
  (deps: {
    readonly readStore: ReadStore;
    readonly viewReady: (view: View) => Promise<void>;
    readonly awaitConsistency: AwaitConsistency;
  }): ListAdjustments =>
  async (principal, query, consistencyToken) => {
    await deps.viewReady(ADJUSTMENTS_VIEW);
    await deps.awaitConsistency(ADJUSTMENTS_VIEW, consistencyToken);
    const page = await ADJUSTMENT_LIST.search<AdjustmentDocument>(
      deps.readStore,
      ADJUSTMENTS_VIEW,
      query,
      scopeOf(principal),
    );
    return { ...page, data: page.data.map(presentAdjustment) };
  };
