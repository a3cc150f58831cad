import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  currency,
  dateTime,
  instant,
  knownCurrency,
  livemode,
  nullable,
  oneOf,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { itemsAnswer } from '../charges/charges.schemas.ts';
import { methodsRequest, saleAnswer, saleRequest } from './checkout.schemas.ts';
import { LINK_FIELDS, LINK_STATUSES } from './write/payment-link.ts';

export const LINK_TAG = 'Payment links';

/** The parameter of a path below a link. */
export const linkParams = { id: 'Id of the payment link, `plk_…`.' };

const MAX_OWN_FIELDS = 3;
const MOST_PAYMENTS = 1_000;

const amountRequest = () => number().greater(0).max(MAX_AMOUNT);
const description = () =>
  text(255).description('The purchase in words for the payer: the heading of the page.');
const expiresAt = () => instant().allow(null).description('Until when a payment may begin; null for no end.');

export const newLink = object({
  ...saleRequest,
  methods: methodsRequest().description(
    'Methods to offer; all that the merchant can use by default. With `maxPayments` neither voucher nor bank transfer are offered, because they would hold a place for days.',
  ),
  amount: amountRequest().description('Decimal; either this, or `amountRange`, or `planId`.'),
  planId: resourceId('plan').description(
    'Sells a plan: each payer subscribes, by card, in a session of `mode: subscription`. Any number may, and `maxPayments` is null. Needs the permission `subscriptions.manage` as well.',
  ),
  amountRange: object({
    min: amountRequest().required().description('The least that a payer may choose.'),
    max: amountRequest().min(Joi.ref('min')).required().description('The most that a payer may choose.'),
  })
    .label('AmountRangeRequest')
    .description('Lets the payer choose the amount, as for a donation.'),
  currency: knownCurrency()
    .when('planId', { not: Joi.exist(), then: Joi.required() })
    .description('ISO 4217; by default that of the plan.'),
  description: description().required(),
  maxPayments: number()
    .integer()
    .min(1)
    .max(MOST_PAYMENTS)
    .allow(null)
    .default(1)
    .when('planId', { is: Joi.exist(), then: Joi.valid(null).default(null) })
    .description('How often it can be paid; null for any number. A refund frees no place.'),
  fields: arrayOf(oneOf(LINK_FIELDS).optional())
    .max(LINK_FIELDS.length)
    .unique()
    .default([])
    .description(
      'Facts that the page asks every payer for; name and e-mail are asked for anyway where he pays.',
    ),
  ownFields: arrayOf(text(64))
    .max(MAX_OWN_FIELDS)
    .unique()
    .default([])
    .description(
      'Questions of your own; the answers are in `answers` of the metadata of the charge, which has to have room for 800 bytes each.',
    ),
  expiresAt: expiresAt().default(null),
})
  .xor('amount', 'amountRange', 'planId')
  .example({ amount: 49.9, currency: 'BRL', description: 'Ticket for Saturday', maxPayments: null })
  .label('NewPaymentLink');

export const linkChanges = object({
  status: string().valid('active', 'paused').description('`paused` takes no payments until it is `active`.'),
  description: description(),
  expiresAt: expiresAt(),
})
  .min(1)
  .example({ status: 'paused' })
  .label('PaymentLinkChanges');

export const listedLink = object({
  ...saleAnswer,
  id: resourceId('plk').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid.'),
  livemode: livemode().required(),
  status: oneOf(LINK_STATUSES)
    .label('PaymentLinkStatus')
    .description('`completed`: it was paid as often as it may be.'),
  url: string().required().description('Address of the page, to send to payers.'),
  planId: nullable(resourceId('plan')).description(
    'The plan that it sells; null where each payer pays once.',
  ),
  amount: nullable(number()).description(
    'Amount that a payer pays, for each cycle of a plan; null where he chooses it.',
  ),
  amountRange: nullable(
    object({
      min: number().required().description('The least.'),
      max: number().required().description('The most.'),
    }).label('AmountRange'),
  ).description('The amounts between which a payer chooses; null where there is one.'),
  currency: currency().required(),
  description: string().required().description('The purchase in words for the payer.'),
  maxPayments: nullable(number().integer()).description('How often it can be paid; null for any number.'),
  payments: number().integer().required().description('How often it was paid, or how many have subscribed.'),
  fields: arrayOf(string().valid(...LINK_FIELDS))
    .required()
    .description('Facts that the page asks every payer for.'),
  ownFields: arrayOf(string()).required().description("Questions of the merchant's own."),
  expiresAt: nullable(dateTime()).description('Until when a payment may begin; null for no end.'),
  ...timestamps,
}).label('ListedPaymentLink');

export const linkAnswer = listedLink
  .keys({ items: itemsAnswer().required().description('As sent; null without any.') })
  .label('PaymentLink');
