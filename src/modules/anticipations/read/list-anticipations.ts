import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { listedAnswer, READERS, TAG } from '../anticipations.schemas.ts';
import { ANTICIPATIONS_VIEW } from './anticipation.view.ts';

export const ANTICIPATION_LIST = defineList({
  view: ANTICIPATIONS_VIEW,
  what: 'anticipations without their parts',
  answer: listedAnswer,
  label: 'AnticipationPage',
  csv: { name: 'anticipations', without: ['livemode'] },
  sort: ['id', 'merchantId', 'amount', 'fee', 'netAmount', 'currency', 'createdAt'],
  filter: {
    merchantId: BY_MERCHANT,
    chargeId: {
      field: 'chargeIds',
      description: 'Only anticipations that took parts of this charge, `chg_…`.',
    },
    currency: BY_CURRENCY,
    createdAt: {},
  },
  routes: [
    {
      operationId: 'listAnticipations',
      path: '/v1/anticipations',
      tag: TAG,
      summary: 'List anticipations',
      description:
        'Shows a merchant its own anticipations and those of its sub-merchants, and shows an operator all.',
      access: READERS,
    },
  ],
});
