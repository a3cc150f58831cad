import Joi from 'joi';
import { currency, dateTime, instant, money, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { REFUND_STATUSES } from '../refunds/write/refund.ts';

export const TAG = 'Chargebacks (administration)';
export const ALERT_READERS = ['admin.chargeback_alerts.create', 'admin.charges.read'] as const;

export const alertRequest = Joi.object({
  chargeId: text(64).required().description('A `paid` charge without an alert, `chg_…`.'),
  reason: text(1024).allow(null).description('Why the chargeback is to come, in words.'),
  externalId: text(128).allow(null).description("The announcer's own reference; need not be unique."),
  receivedAt: instant()
    .allow(null)
    .description('When the announcement came: ISO 8601 date-time with a time zone.'),
})
  .example({
    chargeId: 'chg_01a1fe9cad9175e79603dda268ed6486',
    reason: 'fraud',
    externalId: 'alert-77',
    receivedAt: '2026-11-21T12:00:00Z',
  })
  .label('ChargebackAlertRequest');

export const alertAnswer = Joi.object({
  id: resourceId('cba').required(),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required(),
  status: Joi.string()
    .valid('registered')
    .required()
    .description('Never changes; `charge.status` tells whether the chargeback was confirmed.'),
  externalId: Joi.string()
    .allow(null)
    .required()
    .description("The announcer's own reference; null without one."),
  reason: Joi.string().allow(null).required().description('Why the chargeback is to come; null if unsaid.'),
  receivedAt: dateTime()
    .allow(null)
    .required()
    .description("When the announcement came, by the operator's word; null if unsaid."),
  refund: Joi.object({
    id: resourceId('ref').required(),
    mode: Joi.string()
      .valid('automatic', 'manual')
      .required()
      .description('`manual`: the provider did not refund; finance does, see `manualRefundRequestId`.'),
    status: oneOf(REFUND_STATUSES).description('At the provider; the merchant was debited whatever it is.'),
    reason: Joi.string()
      .allow(null)
      .required()
      .description('Why the provider did not refund, such as `refund_not_supported`; null otherwise.'),
    pspRefundRefId: Joi.string()
      .allow(null)
      .required()
      .description('Reference of the refund at the provider; null without one.'),
  })
    .required()
    .description('The refund that the alert asked the provider for.'),
  fee: Joi.object({
    amount: money('Amount debited.').required(),
    currency: currency().required(),
    ledgerEntryId: resourceId('led').required(),
  })
    .required()
    .description("Debited from the merchant's `available` balance in its own currency."),
  charge: Joi.object({
    id: resourceId('chg').required(),
    status: Joi.string()
      .valid('pre_chargeback', 'chargeback')
      .required()
      .description('`chargeback` once the acquirer has confirmed it.'),
  })
    .required()
    .description('The charge as it stands after the alert.'),
  manualRefundRequestId: resourceId('mrr')
    .allow(null)
    .required()
    .description('The refund that finance has to make; null while the provider may still do it.'),
  createdAt: dateTime().required(),
}).label('ChargebackAlert');
