import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { BY_ANY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { adjustmentAnswer, READERS, TAG } from '../adjustments.schemas.ts';
import { ADJUSTMENT_STATUSES } from '../write/adjustment.ts';
import { ADJUSTMENTS_VIEW } from './adjustment.view.ts';

export const ADJUSTMENT_LIST = defineList({
  view: ADJUSTMENTS_VIEW,
  answer: adjustmentAnswer,
  sort: ['id', 'merchantId', 'amount', 'currency', 'status', 'processedAt', 'createdAt'],
  filter: {
    merchantId: BY_ANY_MERCHANT,
    currency: BY_CURRENCY,
    status: {
      valid: ADJUSTMENT_STATUSES,
      description: '`pending` finds adjustments that wait for a second operator.',
    },
    processedAt: {},
    createdAt: {},
  },
  routes: [
    {
      operationId: 'listAdjustments',
      path: '/v1/admin/adjustments',
      tag: TAG,
      summary: 'List adjustments',
      access: { operator: READERS },
    },
  ],
});
