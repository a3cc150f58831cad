import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  currency,
  dateTime,
  email,
  httpUrl,
  knownCurrency,
  livemode,
  metadata,
  money,
  nullable,
  oneOf,
  resourceId,
  text,
  textOrNone,
  timestamps,
} from '../../platform/http/schemas.ts';
import { arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';
import { itemsAnswer, itemsRequest, splitEntries } from '../charges/charges.schemas.ts';
import { customerDocument } from '../customers/customers.schemas.ts';
import { MAX_INSTALLMENTS } from '../merchants/write/fees.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import {
  CANCEL_REASONS,
  LOCALES,
  SAVE_METHODS,
  SESSION_MODES,
  SESSION_STATUSES,
} from './write/checkout-session.ts';

export const TAG = 'Checkout';

/** The parameter of a path below a session. */
export const sessionParams = { id: 'Id of the checkout session, `chk_…`.' };

const DAY_SECONDS = 86_400;
const LONGEST_DAYS = 30;
const SHORTEST_SECONDS = 60;

const customerRequest = object({
  name: text(255).allow(null).description('Full name of the payer.'),
  email: email().allow(null),
  phone: text(32).allow(null).description('In any notation.'),
  document: customerDocument().description('National identifier of the payer.'),
  address: object({ country: text(64).required().description('Code or name.') })
    .label('CustomerAddressRequest')
    .allow(null)
    .description('Where the payer lives.'),
})
  .label('CheckoutCustomerRequest')
  .allow(null)
  .default(null)
  .description('Facts about the payer that are known; the page asks for those that are missing.');

const text1024 = () => textOrNone(1_024).allow(null).default(null);
const url = () => httpUrl().allow(null).default(null);

/** Members that requests for sessions and for links have alike. */
export const saleRequest = {
  items: itemsRequest()
    .default(null)
    .description(
      'Goods or services, which the page lists and the charges keep; with `metadata` at most 32 KiB as JSON, and not compared with the amount.',
    ),
  maxInstallments: number()
    .integer()
    .min(1)
    .max(MAX_INSTALLMENTS)
    .default(MAX_INSTALLMENTS)
    .description('The most instalments by card; the fees of the merchant may allow fewer.'),
  returnUrl: url().description(
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
};

/** The methods that a page offers. */
export const methodsRequest = () =>
  arrayOf(oneOf(PAYMENT_TYPES).optional())
    .min(1)
    .max(PAYMENT_TYPES.length)
    .unique()
    .allow(null)
    .default(null)
    .description('Methods to offer; all that the merchant can use by default.');

export const newSession = object({
  ...saleRequest,
  methods: methodsRequest(),
  mode: string()
    .valid(...SESSION_MODES)
    .default('payment')
    .description(
      '`setup` has a card kept for later payments and takes no `amount`: the payer agrees on the page, and becomes a customer of the merchant where `customerId` names none. `subscription` goes on to subscribe him to `planId`, with the first charge on the page; it needs the permission `subscriptions.manage` as well.',
    ),
  amount: number()
    .greater(0)
    .max(MAX_AMOUNT)
    .when('mode', { is: 'payment', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('Decimal, with at most the digits of the currency; at most 10^12 of its smallest units.'),
  currency: knownCurrency().when('mode', { not: 'subscription', then: Joi.required() }),
  planId: resourceId('plan')
    .when('mode', { is: 'subscription', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('With `subscription`: the plan, which has the price and the currency.'),
  description: text1024().description('The purchase in words for the payer: the heading of the page.'),
  customer: customerRequest,
  customerId: resourceId('cus')
    .allow(null)
    .default(null)
    .description('The payer as a customer of the merchant, in place of `customer`.'),
  saveMethod: string()
    .valid(...SAVE_METHODS)
    .default('never')
    .description(
      'Whether the card is kept for later payments of `customerId`: `ask` lets the payer decide, `always` tells him. Once the charge is paid, the card is one of its stored payment methods.',
    ),
  showSaved: boolean()
    .default(false)
    .description(
      'Whether the page offers the stored cards of `customerId`, each with its security code. Only where you have signed the payer in yourself: whoever has the address sees which cards there are.',
    ),
  locale: string()
    .valid(...LOCALES)
    .allow(null)
    .default(null)
    .description('Language of the page; that of the browser by default.'),
  cancelUrl: url().description('Where the page leads back to without a payment; https with live keys.'),
  postbackUrl: url().description('Receives notifications about the charges of the session.'),
  expiresIn: number()
    .integer()
    .min(SHORTEST_SECONDS)
    .max(LONGEST_DAYS * DAY_SECONDS)
    .default(DAY_SECONDS)
    .description('Seconds for which a payment may begin; a day by default, at most 30.'),
})
  .custom((value: { readonly customer: object | null; readonly customerId: string | null }, helpers) =>
    value.customer !== null && value.customerId !== null
      ? helpers.message({ custom: 'customerId must not be there beside customer' })
      : value,
  )
  .example({
    amount: 129.9,
    currency: 'BRL',
    description: 'Order 1001',
    items: [{ title: 'Helmet', unit_price: 129.9, quantity: 1 }],
    reference: 'order-1001',
    returnUrl: 'https://shop.example.com/thanks',
  })
  .label('NewCheckoutSession');

/** A split as it was asked for; its parts are known once a charge is made. */
const splitAnswer = () =>
  nullable(
    arrayOf(
      object({
        merchantId: string().required().description('The participant.'),
        percentage: number().required().description('Per cent of the net amount.'),
      }).label('CheckoutSplit'),
    ),
  ).description("As sent; null for the merchant's default split.");

/** Members that answers of sessions and of links have alike. */
export const saleAnswer = {
  methods: nullable(arrayOf(string().valid(...PAYMENT_TYPES))).description(
    'Methods to offer; null for all that the merchant can use.',
  ),
  maxInstallments: number().integer().required().description('The most instalments by card.'),
  returnUrl: nullable(string()).description('Where the page leads back to after the payment.'),
  split: splitAnswer(),
  reference: nullable(string()).description("The merchant's own reference; null without one."),
  metadata: nullable(metadata()).description('As sent; null without any.'),
};

const answerFields = {
  ...saleAnswer,
  id: resourceId('chk').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid.'),
  livemode: livemode().required(),
  status: oneOf(SESSION_STATUSES)
    .label('CheckoutStatus')
    .description(
      '`open`: a payment may begin. `processing`: a charge is under way. `completed`: it is paid. `expired` and `cancelled`: nobody can pay any more.',
    ),
  url: string()
    .required()
    .description('Address of the page for the payer, which opens for anybody who knows it.'),
  paymentLinkId: nullable(resourceId('plk')).description(
    'The payment link that it was opened by; null for one that the merchant opened itself.',
  ),
  mode: oneOf(SESSION_MODES)
    .label('CheckoutMode')
    .description('Whether the payer pays, has a card kept, or subscribes.'),
  amount: nullable(
    money('Amount that the payer pays, for each cycle of a subscription; null where nothing is paid.'),
  ),
  planId: nullable(resourceId('plan')).description('The plan that the payer subscribes to; null otherwise.'),
  subscriptionId: nullable(resourceId('sub')).description(
    'The subscription that has begun, or whose first charge is under way, or whose cycle is paid; null otherwise.',
  ),
  cycleNumber: nullable(number().integer()).description(
    'The cycle of the subscription that is paid on the page; null otherwise.',
  ),
  currency: currency().required(),
  description: nullable(string()).description('The purchase in words for the payer.'),
  customerId: nullable(resourceId('cus')).description('The customer who pays; null without one.'),
  saveMethod: oneOf(SAVE_METHODS).description('Whether the card is kept for later payments.'),
  showSaved: boolean().required().description('Whether the page offers the stored cards of the customer.'),
  locale: nullable(string().valid(...LOCALES)).description(
    'Language of the page; null for that of the browser.',
  ),
  cancelUrl: nullable(string()).description('Where the page leads back to without a payment.'),
  postbackUrl: nullable(string()).description('Receives notifications about the charges.'),
  chargeId: nullable(resourceId('chg')).description(
    'The charge that is under way, or that has paid; null while another may begin.',
  ),
  chargeIds: arrayOf(resourceId('chg')).required().description('Every charge of the session, oldest first.'),
  paymentMethodId: nullable(resourceId('pm')).description(
    'The card that is being kept, or was, with `setup` and `subscription`; null otherwise.',
  ),
  consent: nullable(
    object({
      text: string().required().description('The words on the page, in the language of the payer.'),
      at: dateTime().required().description('When the payer agreed.'),
    }).label('CheckoutConsent'),
  ).description(
    'The words with which the payer agreed that a card is kept; null where no card was to be kept.',
  ),
  refusals: number().integer().required().description('Cards that were refused; the fifth cancels it.'),
  cancelReason: nullable(string().valid(...CANCEL_REASONS)).description(
    'Why it was cancelled; null otherwise. `not_awaited`: the subscription whose cycle was to be paid on it was paused or has ended, or the cycle was paid otherwise.',
  ),
  completedAt: nullable(dateTime()).description('When it was paid; null before.'),
  expiresAt: dateTime().required().description('Until when a payment may begin.'),
  ...timestamps,
};

const customerAnswer = nullable(
  object({
    name: nullable(string()).description('Full name.'),
    email: nullable(string()).description('E-mail address.'),
    phone: nullable(string()).description('In any notation.'),
    document: nullable(
      object({
        type: string().required().description('Kind of document, in lower case.'),
        id: string().required().description('Its number; a CPF or CNPJ is without punctuation.'),
      }).label('CheckoutCustomerDocument'),
    ).description('National identifier.'),
    address: nullable(
      object({ country: string().required().description('Code or name.') }).label('CheckoutCustomerAddress'),
    ).description('Where the payer lives.'),
  }).label('CheckoutCustomer'),
).description('Facts about the payer that the merchant has sent; null without any, and once erased.');

/** A session in an event. */
export const sentSession = object(answerFields).label('SentCheckoutSession');

export const listedSession = object({ ...answerFields, customer: customerAnswer }).label(
  'ListedCheckoutSession',
);

export const sessionAnswer = listedSession
  .keys({ items: itemsAnswer().required().description('As sent; null without any.') })
  .label('CheckoutSession');
