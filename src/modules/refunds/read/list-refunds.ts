import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { refundAnswer } from '../refunds.schemas.ts';
import { REFUND_STATUSES } from '../write/refund.ts';
import { REFUNDS_VIEW } from './refund.view.ts';

export const REFUND_LIST = defineList({
  view: REFUNDS_VIEW,
  answer: refundAnswer,
  sort: ['id', 'chargeId', 'merchantId', 'status', 'amount', 'currency', 'createdAt', 'updatedAt'],
  filter: {
    chargeId: {
      description: 'Only refunds of this charge, `chg_…`, including failed ones.',
    },
    status: { valid: REFUND_STATUSES },
    merchantId: BY_MERCHANT,
    currency: BY_CURRENCY,
    createdAt: {},
    updatedAt: {},
  },
  routes: [
    {
      operationId: 'listRefunds',
      path: '/v1/refunds',
      tag: 'Refunds',
      summary: 'List refunds',
      access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    },
  ],
});
