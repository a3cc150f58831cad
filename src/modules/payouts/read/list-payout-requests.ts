import { columnsOf } from '../../../platform/http/csv.ts';
import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { payoutRequestAnswer, READERS, TAG } from '../payouts.schemas.ts';
import { PAYOUT_STATUSES, TRANSFER_STATUSES } from '../write/payout-request.ts';
import { PAYOUT_REQUESTS_VIEW, type PayoutRequestAnswer } from './payout-request.view.ts';

/** All amounts are cents of one currency, so lists compare them without conversion. */
const AMOUNTS = ['amount', 'payoutFee', 'netAmount'] as const;

/** Columns of the CSV file for the bank run. */
const COLUMNS = columnsOf<PayoutRequestAnswer>(
  'id',
  'merchantId',
  ...AMOUNTS,
  'currency',
  'status',
  {
    accountType: ({ externalAccountDetails }) => externalAccountDetails.type,
    pixKey: ({ externalAccountDetails }) => externalAccountDetails.pixKey,
  },
  'transferStatus',
  'transferReference',
  'rejectionReason',
  'processedAt',
  'createdAt',
);

export const PAYOUT_REQUEST_LIST = defineList({
  view: PAYOUT_REQUESTS_VIEW,
  answer: payoutRequestAnswer,
  csv: { columns: COLUMNS },
  sort: [
    'id',
    'merchantId',
    ...AMOUNTS,
    'currency',
    'status',
    'transferStatus',
    'processedAt',
    'createdAt',
    'updatedAt',
  ],
  filter: {
    merchantId: BY_MERCHANT,
    status: { valid: PAYOUT_STATUSES },
    transferStatus: {
      valid: TRANSFER_STATUSES,
      description:
        'State of the bank transfer; `pending` finds approved requests that still have to be transferred.',
    },
    currency: { description: 'Always BRL, so any other code finds nothing.' },
    createdAt: {},
    processedAt: {},
  },
  routes: [
    {
      operationId: 'listPayoutRequests',
      path: '/v1/payout-requests',
      tag: TAG,
      summary: 'List payout requests',
      description:
        'Shows a merchant its own requests and those of its sub-merchants, and shows an operator all.',
      access: READERS,
    },
  ],
});
