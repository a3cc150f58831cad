import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import {
  currency,
  dateTime,
  livemode,
  money,
  nullable,
  oneOf,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import {
  CLEARING_METHODS,
  CLEARING_STATUSES,
  SUSPENSE_REASONS,
  SUSPENSE_STATUSES,
} from './write/suspense.ts';

export const TAG = 'Suspense (administration)';
export const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

const METHOD =
  '`give_back`: the provider gives the money back to the payer; `merchant`: the money is booked to the `available` balance of ' +
  '`merchantId`, or out of it if the money left the provider; `gateway`: the money is income of the gateway, or its loss. Money on a ' +
  'merchant’s own account can only be given back or left with that `merchant`, whose balance then does not change.';

const clearing = object({
  method: oneOf(CLEARING_METHODS).description(METHOD),
  merchantId: nullable(resourceId('mer')).description('Null unless the method is `merchant`.'),
  reason: string().required().description('Reason of the clearing, by its author.'),
  status: oneOf(CLEARING_STATUSES).description(
    'The money moves when the clearing is `approved`; `failed`: the provider refused to give the money back.',
  ),
  proposedByUserId: resourceId('usr')
    .required()
    .description('The author of the clearing, who may not approve it.'),
  proposedAt: dateTime().required().description('When the clearing was proposed.'),
  processedByUserId: nullable(resourceId('usr')).description(
    'Operator who approved or rejected it; null before.',
  ),
  processedAt: nullable(dateTime()).description('When it was approved or rejected; null before.'),
  rejectionReason: nullable(string()).description(
    'Reason of the rejection; null unless the clearing was rejected with one.',
  ),
}).label('SuspenseClearing');

export const suspenseItem = object({
  id: resourceId('sus').required(),
  livemode: livemode().required(),
  status: oneOf(SUSPENSE_STATUSES).description(
    '`held`: the money waits for a clearing; `returning`: the provider was asked to give it back; `returned`; ' +
      '`booking`: the money is on its way to the merchant’s balance; `booked`.',
  ),
  reason: oneOf(SUSPENSE_REASONS).description(
    'Why the money is in suspense. A `late_payment` is given back at once; a `chargeback_reversed` is the money of a dispute that was won.',
  ),
  direction: string()
    .valid('in', 'out')
    .required()
    .description('`in`: the money came to the provider; `out`: the money left the provider.'),
  amount: money('Above zero.').required(),
  currency: currency().required(),
  provider: string().required().description('Name of the provider.'),
  reference: string()
    .required()
    .description("The reference of the payment or refund in the provider's report."),
  pspRefId: nullable(string()).description("The provider's own reference."),
  chargeId: nullable(resourceId('chg')).description('The charge to which the money seems to belong.'),
  merchantId: nullable(resourceId('mer')).description('The merchant of that charge.'),
  accountOwnerId: nullable(resourceId('mer')).description(
    "The merchant whose own account at the provider holds the money; null if it is the gateway's account.",
  ),
  clearing: clearing.allow(null).required().description('The clearing that was proposed last; null before.'),
  returnFailure: nullable(string()).description('Why the provider refused to give the money back.'),
  pspRefundRefId: nullable(string()).description("The provider's reference of the return."),
  ...timestamps,
}).label('SuspenseItem');

export const newClearing = object({
  method: oneOf(CLEARING_METHODS).description(METHOD),
  merchantId: text<MerchantId>(64)
    .when('method', { is: 'merchant', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('Merchant, `mer_…`, with the method `merchant` and only then.'),
  reason: text(1024)
    .required()
    .description('Reason, for the operator who approves it and for the audit log.'),
})
  .example({ method: 'give_back', reason: 'paid twice, says the payer' })
  .label('SuspenseClearingRequest');
