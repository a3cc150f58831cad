import Joi from 'joi';
import { currency, dateTime, money, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { MANUAL_REFUND_STATUSES } from './write/manual-refund-request.ts';

export const MANUAL_REFUNDS_TAG = 'Manual refunds (administration)';

export const manualRefundAnswer = Joi.object({
  id: resourceId('mrr').required(),
  chargeId: resourceId('chg').required(),
  chargebackAlertId: resourceId('cba').required(),
  merchant: Joi.object({
    id: resourceId('mer').required(),
    name: Joi.string().allow(null).required().description('Registered name; null where it is not known.'),
    email: Joi.string().allow(null).required().description('Null where it is not known.'),
  })
    .required()
    .description("The charge's merchant, as it is now."),
  amount: money('Amount that the payer gets back.').required(),
  currency: currency().required(),
  pspRefId: Joi.string().allow(null).required().description("The payment's reference at the provider."),
  status: oneOf(MANUAL_REFUND_STATUSES).description(
    '`resolved` once somebody has marked it as made, or a confirmed chargeback made it needless.',
  ),
  createdAt: dateTime().required(),
  resolved_by_user_id: resourceId('usr')
    .allow(null)
    .required()
    .description(
      'The operator who marked it as made, or whose confirmation of the chargeback closed it; null before, and where no operator did.',
    ),
  resolved_at: dateTime().allow(null).required().description('When it was resolved; null before.'),
  notes: Joi.string()
    .allow(null, '')
    .required()
    .description('Note of the operator, or why a confirmed chargeback closed it; null without one.'),
}).label('ManualRefundRequest');
