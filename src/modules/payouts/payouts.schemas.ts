import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { dateTime, livemode, oneOf, resourceId, timestamps } from '../../platform/http/schemas.ts';
import { PAYOUT_STATUSES, TRANSFER_STATUSES } from './write/payout-request.ts';

export const TAG = 'Payouts';
export const ADMIN_TAG = 'Payouts (administration)';

export const READERS = {
  merchant: 'payouts.read',
  operator: 'admin.payout_requests.read',
  schemes: ['bearer'],
} as const;

const cents = (description: string): Joi.NumberSchema =>
  Joi.number().integer().required().description(`${description} In cents.`);

export const newPayoutRequest = Joi.object({
  amount: cents('Amount debited, the fee included.').min(1).max(MAX_AMOUNT),
})
  .example({ amount: 150000 })
  .label('PayoutRequestRequest');

export const payoutRequestAnswer = Joi.object({
  id: resourceId('po').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid out.'),
  livemode: livemode().required(),
  amount: cents('Gross amount.'),
  currency: Joi.string().valid('BRL').required().description('Payouts are in BRL only.'),
  payoutFee: cents("By the merchant's fee definition of type `payout`."),
  netAmount: cents('Amount transferred.'),
  status: oneOf(PAYOUT_STATUSES).description('Decision of the gateway; `approved` debits the balance.'),
  externalAccountDetails: Joi.object({
    type: Joi.string().valid('pix').required().description('Payouts are made by Pix.'),
    pixKey: Joi.string()
      .required()
      .description('Company tax id of the merchant when it asked, without punctuation.'),
  })
    .required()
    .description('Where the money goes.'),
  rejectionReason: Joi.string()
    .allow(null)
    .required()
    .description("The operator's words, or `cancelled by the merchant`; null unless it was rejected."),
  transferStatus: Joi.string()
    .valid(...TRANSFER_STATUSES)
    .allow(null)
    .required()
    .label('TransferStatus')
    .description('Of the bank transfer; null until the request is approved.'),
  transferReference: Joi.string()
    .allow(null)
    .required()
    .description("The bank's name of the transfer; null if unsaid."),
  transferFailureReason: Joi.string()
    .allow(null)
    .required()
    .description('Why the transfer failed, by the operator; null otherwise.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null before.'),
  ...timestamps,
}).label('PayoutRequest');
