import type { View } from '../../../platform/read-store/view.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from '../write/payout-request.ts';

export type PayoutRequestDocument = Omit<PayoutRequest, 'version'>;

export const PAYOUT_REQUESTS_VIEW: View<PayoutRequest, PayoutRequestDocument> = {
  name: 'payout-requests',
  version: 1,
  source: PAYOUT_REQUESTS,
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    amount: { type: 'long' },
    payoutFee: { type: 'long' },
    netAmount: { type: 'long' },
    currency: { type: 'keyword' },
    status: { type: 'keyword' },
    transferStatus: { type: 'keyword' },
    sentAt: { type: 'date' },
    returnedAt: { type: 'date' },
    processedAt: { type: 'date' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: ({ version: _, ...request }) => request,
};

/** A payout request as the API answers it (specification 2.8): amounts are integers in cents. */
export const presentPayoutRequest = (request: PayoutRequestDocument) => ({
  id: request.id,
  merchantId: request.merchantId,
  livemode: request.livemode,
  amount: request.amount,
  currency: request.currency,
  payoutFee: request.payoutFee,
  netAmount: request.netAmount,
  status: request.status,
  externalAccountDetails: request.externalAccountDetails,
  rejectionReason: request.rejectionReason,
  transferStatus: request.transferStatus,
  transferReference: request.transferReference,
  transferFailureReason: request.transferFailureReason,
  processedAt: request.processedAt,
  createdAt: request.createdAt,
  updatedAt: request.updatedAt,
});
export type PublicPayoutRequest = ReturnType<typeof presentPayoutRequest>;
