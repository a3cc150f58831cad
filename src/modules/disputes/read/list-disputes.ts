import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { DISPUTE_READERS, disputeAnswer, TAG } from '../disputes.schemas.ts';
import { DISPUTE_KINDS, DISPUTE_STATES } from '../write/dispute.ts';
import { DISPUTES_VIEW } from './dispute.view.ts';

export const DISPUTE_LIST = defineList({
  view: DISPUTES_VIEW,
  answer: disputeAnswer,
  sort: [
    'id',
    'kind',
    'state',
    'chargeId',
    'merchantId',
    'amount',
    'currency',
    'closedAt',
    'createdAt',
    'updatedAt',
  ],
  filter: {
    kind: { valid: DISPUTE_KINDS },
    state: { valid: DISPUTE_STATES },
    chargeId: { description: 'A charge, `chg_…`, has one dispute at most.' },
    merchantId: BY_MERCHANT,
    currency: BY_CURRENCY,
    amount: {
      description: "Decimal, compared with the amount of each dispute in that dispute's own currency.",
    },
    closedAt: {},
    createdAt: {},
    updatedAt: {},
  },
  routes: [
    {
      operationId: 'listDisputes',
      path: '/v1/disputes',
      tag: TAG,
      summary: 'List disputes',
      description:
        'Shows the disputes of charges. A charge has a dispute as soon as it has a chargeback alert or a chargeback.',
      access: DISPUTE_READERS,
    },
  ],
});
