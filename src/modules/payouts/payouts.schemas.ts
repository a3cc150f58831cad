import { MAX_AMOUNT } from '../../kernel/money.ts';
import { dateTime, livemode, oneOf, resourceId, timestamps } from '../../platform/http/schemas.ts';
import { number, object, string } from '../../platform/http/typed.ts';
import { PAYOUT_STATUSES, TRANSFER_STATUSES } from './write/payout-request.ts';

export const TAG = 'Payouts';
export const ADMIN_TAG = 'Payouts (administration)';

export const READERS = {
  merchant: 'payouts.read',
  operator: 'admin.payout_requests.read',
  schemes: ['bearer'],
} as const;

const cents = (description: string) => number().integer().required().description(`${description} In cents.`);

export const newPayoutRequest = object({
  amount: cents('Amount that is debited, including the fee.').min(1).max(MAX_AMOUNT),
})
  .example({ amount: 150000 })
  .label('NewPayoutRequest');

export const payoutRequestAnswer = object({
  id: resourceId('po').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid out.'),
  livemode: livemode().required(),
  amount: cents('Gross amount.'),
  currency: string().valid('BRL').required().description('Payouts are in BRL only.'),
  payoutFee: cents("Fee by the merchant's fee definition of type `payout`."),
  netAmount: cents('Amount transferred.'),
  status: oneOf(PAYOUT_STATUSES).description('Decision of the gateway; `approved` debits the balance.'),
  externalAccountDetails: object({
    type: string().valid('pix').required().description('Payouts are made by Pix.'),
    pixKey: string()
      .required()
      .description('Company tax id of the merchant at the time of the request, without punctuation.'),
  })
    .required()
    .description('Destination of the money.'),
  rejectionReason: string()
    .allow(null)
    .required()
    .description(
      'Reason that the operator gave, or `cancelled by the merchant`; null unless the request was rejected.',
    ),
  transferStatus: string()
    .valid(...TRANSFER_STATUSES)
    .allow(null)
    .required()
    .label('TransferStatus')
    .description('The state of the bank transfer; null until the request is approved.'),
  transferReference: string()
    .allow(null)
    .required()
    .description("The bank's reference of the transfer; null if none was given."),
  transferFailureReason: string()
    .allow(null)
    .required()
    .description('Why the transfer failed, as the operator reported it; null otherwise.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null before.'),
  ...timestamps,
}).label('PayoutRequest');
