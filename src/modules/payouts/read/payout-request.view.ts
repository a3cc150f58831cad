import {
  date,
  each,
  hidden,
  integer,
  keyword,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PAYOUT_REQUESTS } from '../write/payout-request.ts';

/** Amounts are integers in cents of BRL, in answers as well. */
export const PAYOUT_REQUESTS_VIEW = defineView({
  name: 'payout-requests',
  version: 3,
  source: PAYOUT_REQUESTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    amount: integer(),
    currency: keyword(),
    ...each(integer(), 'payoutFee', 'netAmount'),
    status: keyword(),
    ...each(stored(), 'externalAccountDetails', 'rejectionReason'),
    transferStatus: keyword(),
    ...each(stored(), 'transferReference', 'transferFailureReason'),
    ...each(hidden(date()), 'sentAt', 'returnedAt'),
    processedAt: date(),
    ...timestamps,
  },
});

/** A payout request as the API answers it. */
export const presentPayoutRequest = PAYOUT_REQUESTS_VIEW.present;
export type PayoutRequestAnswer = ReturnType<typeof presentPayoutRequest>;
