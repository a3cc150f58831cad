import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  currency,
  dateTime,
  httpUrl,
  instant,
  knownCurrency,
  livemode,
  metadata,
  oneOf,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { itemsAnswer, itemsRequest, splitEntries } from '../charges/charges.schemas.ts';
import { MAX_INSTALLMENTS } from '../merchants/write/fees.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { splitAnswer } from './checkout.schemas.ts';
import { LINK_FIELDS, LINK_STATUSES } from './write/payment-link.ts';

export const LINK_TAG = 'Payment links';

/** The parameter of a path below a link. */
export const linkParams = { id: 'Id of the payment link, `plk_…`.' };

const MAX_OWN_FIELDS = 3;
const MOST_PAYMENTS = 1_000;

const nullable = <T extends Joi.Schema>(schema: T): T => schema.allow(null).required() as T;

const amountRequest = (): Joi.NumberSchema => Joi.number().greater(0).max(MAX_AMOUNT);
const description = (): Joi.StringSchema =>
  text(255).description('The purchase in words for the payer: the heading of the page.');
const expiresAt = (): Joi.StringSchema =>
  instant().allow(null).description('Until when a payment may begin; null for no end.');

export const newLink = Joi.object({
  amount: amountRequest().description('Decimal; either this or `amountRange`.'),
  amountRange: Joi.object({
    min: amountRequest().required().description('The least that a payer may choose.'),
    max: amountRequest().min(Joi.ref('min')).required().description('The most that a payer may choose.'),
  })
    .label('AmountRangeRequest')
    .description('Lets the payer choose the amount, as for a donation.'),
  currency: knownCurrency().required(),
  description: description().required(),
  items: itemsRequest()
    .default(null)
    .description('Goods or services, which the page lists and the charges keep.'),
  methods: Joi.array()
    .items(oneOf(PAYMENT_TYPES).optional())
    .min(1)
    .max(PAYMENT_TYPES.length)
    .unique()
    .allow(null)
    .default(null)
    .description(
      'Methods to offer; all that the merchant can use by default. With `maxPayments` neither voucher nor bank transfer are offered, because they would hold a place for days.',
    ),
  maxInstallments: Joi.number()
    .integer()
    .min(1)
    .max(MAX_INSTALLMENTS)
    .default(MAX_INSTALLMENTS)
    .description('The most instalments by card; the fees of the merchant may allow fewer.'),
  maxPayments: Joi.number()
    .integer()
    .min(1)
    .max(MOST_PAYMENTS)
    .allow(null)
    .default(1)
    .description('How often it can be paid; null for any number. A refund frees no place.'),
  fields: Joi.array()
    .items(oneOf(LINK_FIELDS).optional())
    .max(LINK_FIELDS.length)
    .unique()
    .default([])
    .description(
      'Facts that the page asks every payer for; name and e-mail are asked for anyway where he pays.',
    ),
  ownFields: Joi.array()
    .items(text(64))
    .max(MAX_OWN_FIELDS)
    .unique()
    .default([])
    .description('Questions of your own; the answers are in `answers` of the metadata of the charge.'),
  returnUrl: httpUrl()
    .allow(null)
    .default(null)
    .description(
      'Where the page leads back to after the payment, with `checkout=chk_…` in its query; https with live keys.',
    ),
  split: splitEntries
    .allow(null)
    .default(null)
    .description("Instead of the merchant's default split; an empty array is no split at all."),
  reference: text(64)
    .allow(null)
    .default(null)
    .description("The merchant's own reference, which the charges have as well."),
  metadata: metadata()
    .allow(null)
    .default(null)
    .description('Free-form, at most 16 KiB as JSON; the charges have it as well.'),
  expiresAt: expiresAt().default(null),
})
  .xor('amount', 'amountRange')
  .example({ amount: 49.9, currency: 'BRL', description: 'Ticket for Saturday', maxPayments: null })
  .label('NewPaymentLink');

export const linkChanges = Joi.object({
  status: Joi.string()
    .valid('active', 'paused')
    .description('`paused` takes no payments until it is `active`.'),
  description: description(),
  expiresAt: expiresAt(),
})
  .min(1)
  .example({ status: 'paused' })
  .label('PaymentLinkChanges');

export const listedLink = Joi.object({
  id: resourceId('plk').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid.'),
  livemode: livemode().required(),
  status: oneOf(LINK_STATUSES)
    .label('PaymentLinkStatus')
    .description('`completed`: it was paid as often as it may be.'),
  url: Joi.string().required().description('Address of the page, to send to payers.'),
  amount: nullable(Joi.number()).description('Amount that a payer pays; null where he chooses it.'),
  amountRange: nullable(
    Joi.object({
      min: Joi.number().required().description('The least.'),
      max: Joi.number().required().description('The most.'),
    }).label('AmountRange'),
  ).description('The amounts between which a payer chooses; null where there is one.'),
  currency: currency().required(),
  description: Joi.string().required().description('The purchase in words for the payer.'),
  methods: nullable(Joi.array().items(Joi.string().valid(...PAYMENT_TYPES))).description(
    'Methods to offer; null for all that the merchant can use.',
  ),
  maxInstallments: Joi.number().integer().required().description('The most instalments by card.'),
  maxPayments: nullable(Joi.number().integer()).description('How often it can be paid; null for any number.'),
  payments: Joi.number().integer().required().description('How often it was paid.'),
  fields: Joi.array()
    .items(Joi.string().valid(...LINK_FIELDS))
    .required()
    .description('Facts that the page asks every payer for.'),
  ownFields: Joi.array().items(Joi.string()).required().description("Questions of the merchant's own."),
  returnUrl: nullable(Joi.string()).description('Where the page leads back to after the payment.'),
  split: splitAnswer(),
  reference: nullable(Joi.string()).description("The merchant's own reference; null without one."),
  metadata: nullable(metadata()).description('As sent; null without any.'),
  expiresAt: nullable(dateTime()).description('Until when a payment may begin; null for no end.'),
  ...timestamps,
}).label('ListedPaymentLink');

export const linkAnswer = listedLink
  .keys({ items: itemsAnswer().required().description('As sent; null without any.') })
  .label('PaymentLink');
