import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { CHARGEBACK_ALERTS_VIEW, type PublicAlert, presentAlert } from './alert.view.ts';

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

export type ListAlerts = ListFor<PublicAlert>;

export const createListAlerts =
  (readView: ReadView): ListAlerts =>
  (principal, query, consistencyToken) =>
    readView.page(
      { list: ALERT_LIST, view: CHARGEBACK_ALERTS_VIEW, present: presentAlert },
      principal,
      query,
      consistencyToken,
    );
