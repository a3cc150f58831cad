import { currency, dateTime, instant, money, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { REFUND_STATUSES } from '../refunds/write/refund.ts';

export const TAG = 'Chargebacks (administration)';
export const ALERT_READERS = ['admin.chargeback_alerts.create', 'admin.charges.read'] as const;

export const alertRequest = object({
  chargeId: text(64).required().description('A `paid` charge without an alert, `chg_…`.'),
  reason: text(1024).allow(null).description('Reason of the announced chargeback, in words.'),
  externalId: text(128)
    .allow(null)
    .description('Reference of the party that announced the chargeback; need not be unique.'),
  receivedAt: instant()
    .allow(null)
    .description('When the chargeback was announced: ISO 8601 date-time with a time zone.'),
})
  .example({
    chargeId: 'chg_01a1fe9cad9175e79603dda268ed6486',
    reason: 'fraud',
    externalId: 'alert-77',
    receivedAt: '2026-11-21T12:00:00Z',
  })
  .label('ChargebackAlertRequest');

export const alertAnswer = object({
  id: resourceId('cba').required(),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required(),
  status: string()
    .valid('registered')
    .required()
    .description('Never changes; `charge.status` tells whether the chargeback was confirmed.'),
  externalId: string()
    .allow(null)
    .required()
    .description('Reference of the party that announced the chargeback; null without one.'),
  reason: string()
    .allow(null)
    .required()
    .description('Reason of the announced chargeback; null if none was given.'),
  receivedAt: dateTime()
    .allow(null)
    .required()
    .description('When the chargeback was announced, as the operator entered it; null if no time was given.'),
  refund: object({
    id: resourceId('ref').required(),
    mode: string()
      .valid('automatic', 'manual')
      .required()
      .description('`manual`: the provider did not refund, so finance has to; see `manualRefundRequestId`.'),
    status: oneOf(REFUND_STATUSES).description(
      'Status of the refund at the provider; the merchant was debited whatever the status is.',
    ),
    reason: string()
      .allow(null)
      .required()
      .description('Why the provider did not refund, such as `refund_not_supported`; null otherwise.'),
    pspRefundRefId: string()
      .allow(null)
      .required()
      .description('Reference of the refund at the provider; null without one.'),
  })
    .required()
    .description('The refund that the alert requested from the provider.'),
  fee: object({
    amount: money('Amount debited.').required(),
    currency: currency().required(),
    ledgerEntryId: resourceId('led').required(),
  })
    .required()
    .description(
      "Fee of the alert, debited from the merchant's `available` balance in the currency of the fee.",
    ),
  charge: object({
    id: resourceId('chg').required(),
    status: string()
      .valid('pre_chargeback', 'chargeback')
      .required()
      .description('`chargeback` once the acquirer has confirmed it.'),
  })
    .required()
    .description('The charge after the alert.'),
  manualRefundRequestId: resourceId('mrr')
    .allow(null)
    .required()
    .description('The manual refund request for finance; null while the provider may still refund.'),
  createdAt: dateTime().required(),
}).label('ChargebackAlert');
