import Joi from 'joi';
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
import {
  CLEARING_METHODS,
  CLEARING_STATUSES,
  SUSPENSE_REASONS,
  SUSPENSE_STATUSES,
} from './write/suspense.ts';

export const TAG = 'Suspense (administration)';
export const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

const METHOD =
  '`give_back`: the provider gives it back to whoever paid; `merchant`: it is booked to the `available` balance of ' +
  '`merchantId`, out of it where the money left the provider; `gateway`: it is income of the gateway, or its loss. Money on a ' +
  'merchant’s own account can only be given back or left with that `merchant`, whose balance then does not change.';

const clearing = Joi.object({
  method: oneOf(CLEARING_METHODS).description(METHOD),
  merchantId: nullable(resourceId('mer')).description('Null unless the method is `merchant`.'),
  reason: Joi.string().required().description('Why it is to be done.'),
  status: oneOf(CLEARING_STATUSES).description(
    'Money moves once it is `approved`; `failed`: the provider would not give it back.',
  ),
  proposedByUserId: resourceId('usr').required().description('The author, who may not approve it.'),
  proposedAt: dateTime().required().description('When it was proposed.'),
  processedByUserId: nullable(resourceId('usr')).description(
    'Operator who approved or rejected it; null before.',
  ),
  processedAt: nullable(dateTime()).description('When it was approved or rejected; null before.'),
  rejectionReason: nullable(Joi.string()).description('Null unless it was rejected with a reason.'),
}).label('SuspenseClearing');

export const suspenseItem = Joi.object({
  id: resourceId('sus').required(),
  livemode: livemode().required(),
  status: oneOf(SUSPENSE_STATUSES).description(
    '`held`: it waits to be placed; `returning`: the provider is to give it back; `returned`; ' +
      '`booking`: it is on its way to the merchant’s balance; `booked`.',
  ),
  reason: oneOf(SUSPENSE_REASONS).description(
    'Why it belongs to nobody. A `late_payment` is given back at once; a `chargeback_reversed` came back with a dispute that was won.',
  ),
  direction: Joi.string()
    .valid('in', 'out')
    .required()
    .description('`in`: it came to the provider; `out`: it left it.'),
  amount: money('Above zero.').required(),
  currency: currency().required(),
  provider: Joi.string().required().description('Name of the provider.'),
  reference: Joi.string().required().description('Of the payment or the refund, as the provider names it.'),
  pspRefId: nullable(Joi.string()).description("The provider's own reference."),
  chargeId: nullable(resourceId('chg')).description('The charge that it seems to be about.'),
  merchantId: nullable(resourceId('mer')).description('The merchant of that charge.'),
  accountOwnerId: nullable(resourceId('mer')).description(
    "The merchant on whose own account at the provider the money is; null where it is the gateway's account.",
  ),
  clearing: clearing.allow(null).required().description('The clearing that was proposed last; null before.'),
  returnFailure: nullable(Joi.string()).description('Why the provider would not give it back.'),
  pspRefundRefId: nullable(Joi.string()).description("The provider's reference of the return."),
  ...timestamps,
}).label('SuspenseItem');

export const newClearing = Joi.object({
  method: oneOf(CLEARING_METHODS).description(METHOD),
  merchantId: text(64)
    .when('method', { is: 'merchant', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('With the method `merchant`, and only then: `mer_…`.'),
  reason: text(1024).required().description('For whoever approves it, and for the audit.'),
})
  .example({ method: 'give_back', reason: 'paid twice, says the payer' })
  .label('SuspenseClearingRequest');
