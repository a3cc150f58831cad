import { currency, dateTime, money, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { MANUAL_REFUND_STATUSES } from './write/manual-refund-request.ts';

export const MANUAL_REFUNDS_TAG = 'Manual refunds (administration)';

export const manualRefundAnswer = object({
  id: resourceId('mrr').required(),
  chargeId: resourceId('chg').required(),
  chargebackAlertId: resourceId('cba').required(),
  merchant: object({
    id: resourceId('mer').required(),
    name: string().allow(null).required().description('Registered name; null if it is not known.'),
    email: string().allow(null).required().description('E-mail address; null if it is not known.'),
  })
    .required()
    .description('The present data of the merchant of the charge.'),
  amount: money('Amount that the payer gets back.').required(),
  currency: currency().required(),
  pspRefId: string().allow(null).required().description("The payment's reference at the provider."),
  status: oneOf(MANUAL_REFUND_STATUSES).description(
    '`resolved` once somebody has marked the refund as made, or a confirmed chargeback made it unnecessary.',
  ),
  createdAt: dateTime().required(),
  resolved_by_user_id: resourceId('usr')
    .allow(null)
    .required()
    .description(
      'The operator who marked the refund as made, or whose confirmation of the chargeback closed the request; null before, and if no operator closed it.',
    ),
  resolved_at: dateTime().allow(null).required().description('When it was resolved; null before.'),
  notes: string()
    .allow(null, '')
    .required()
    .description(
      'Note of the operator, or the reason for which a confirmed chargeback closed the request; null without one.',
    ),
}).label('ManualRefundRequest');
