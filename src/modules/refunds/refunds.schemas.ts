import { currency, money, oneOf, resourceId, text, timestamps } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { REFUND_STATUSES } from './write/refund.ts';

export const refundRequest = object({
  chargeId: text(64).required().description('A `paid` charge by card or Pix, `chg_…`.'),
  reason: text(1024)
    .required()
    .description('Reason in free text, which is stored for audits and shown as `merchantReason`.'),
})
  .example({ chargeId: 'chg_01a1fe9cad9175e79603dda268ed6486', reason: 'sent back' })
  .label('RefundRequest');

export const refundAnswer = object({
  id: resourceId('ref').required(),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required().description('The merchant of the charge.'),
  status: oneOf(REFUND_STATUSES).description('Status of the refund; only `pending` may still change.'),
  amount: money('The whole amount of the charge.').required(),
  currency: currency().required(),
  merchantReason: string()
    .required()
    .description('`reason` of the request; for the refund of a chargeback alert, `chargeback alert`.'),
  reason: string()
    .allow(null)
    .required()
    .description("The provider's reason for a refusal or failure; null otherwise."),
  pspRefundRefId: string()
    .allow(null)
    .required()
    .description('Reference of the refund at the provider; null without one.'),
  ...timestamps,
}).label('Refund');
