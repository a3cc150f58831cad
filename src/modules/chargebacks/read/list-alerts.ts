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
    chargeId: {
      field: 'chargeId',
      kind: 'keyword',
      description: 'A charge, `chg_…`, has one alert at most.',
    },
    merchantId: {
      field: 'merchantId',
      kind: 'keyword',
      description: 'Only those of this merchant, `mer_…`.',
    },
    externalId: {
      field: 'externalId',
      kind: 'keyword',
      description: "The announcer's own reference, whole.",
    },
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
