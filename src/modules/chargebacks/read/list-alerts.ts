import { defineList } from '../../../platform/http/list.ts';
import { BY_ANY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { ALERT_READERS, alertAnswer, TAG } from '../chargebacks.schemas.ts';
import { CHARGEBACK_ALERTS_VIEW, presentAlert } from './alert.view.ts';

export const ALERT_LIST = defineList({
  view: CHARGEBACK_ALERTS_VIEW,
  what: 'alerts',
  answer: alertAnswer,
  show: (documents) => documents.map(presentAlert),
  sort: ['id', 'chargeId', 'merchantId', 'createdAt'],
  filter: {
    chargeId: { description: 'A charge, `chg_…`, has one alert at most.' },
    merchantId: BY_ANY_MERCHANT,
    externalId: { description: 'The whole reference of the party that announced the chargeback.' },
    createdAt: {},
  },
  routes: [
    {
      operationId: 'listChargebackAlerts',
      path: '/v1/admin/chargeback-alerts',
      tag: TAG,
      summary: 'List chargeback alerts',
      access: { operator: ALERT_READERS },
    },
  ],
});
