import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { type AlertDocument, CHARGEBACK_ALERTS_VIEW, type PublicAlert, presentAlert } from './alert.view.ts';

export const ALERT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    chargeId: { field: 'chargeId', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    chargeId: { field: 'chargeId', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    externalId: { field: 'externalId', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListAlerts = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicAlert>>;

export const createListAlerts =
  (deps: {
    readonly readStore: ReadStore;
    readonly viewReady: (view: View) => Promise<void>;
    readonly awaitConsistency: AwaitConsistency;
  }): ListAlerts =>
  async (principal, query, consistencyToken) => {
    await deps.viewReady(CHARGEBACK_ALERTS_VIEW);
    await deps.awaitConsistency(CHARGEBACK_ALERTS_VIEW, consistencyToken);
    const scope = scopeOf(principal);
    const page = await ALERT_LIST.search<AlertDocument>(deps.readStore, CHARGEBACK_ALERTS_VIEW, query, scope);
    return { ...page, data: page.data.map(presentAlert) };
  };
