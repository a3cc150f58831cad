import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { knownCurrency, oneOf } from '../../platform/http/schemas.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { CARD_BRANDS, MAX_INSTALLMENTS } from './write/fees.ts';

/** The operations by which a merchant reads its own terms. */
export const TERMS_TAG = 'Fees and settings';

const percentage = Joi.number().min(0).max(100).description('Per cent, with at most 4 decimals.');

const methodFee = {
  fee_type: Joi.string()
    .valid('tx_spread', 'anticipation')
    .required()
    .description(
      '`tx_spread`: what the gateway keeps of a charge; `anticipation`: what it keeps of parts that are made available before they are due.',
    ),
  currency_code: knownCurrency().required(),
  definition: Joi.object({
    fixed: Joi.number().min(0).max(MAX_AMOUNT).required().description('Decimal units of the currency.'),
    percentages: Joi.array()
      .items(percentage)
      .min(1)
      .max(MAX_INSTALLMENTS)
      .required()
      .description(
        'Index n − 1 is for n. For `tx_spread` n counts installments, so index 0 is one payment and index 11 is 12. For `anticipation` n counts periods of 30 days until the part is due. Index 0 is up to 30 days, index 1 up to 60. The percentage is the price at the end of its period.',
      ),
  })
    .required()
    .description(
      '`tx_spread`: fixed + amount × percentage / 100, rounded half up once. `anticipation`: fixed for each charge, and amount × percentage / 100 × days / (30 × n) for each part, rounded half up. `days` are left until the part is due, and end in period n.',
    ),
};

const cardFee = Joi.object({
  payment_method: Joi.string()
    .valid('credit_card')
    .required()
    .description('Cards of one brand or of every one: see `brand`.'),
  brand: Joi.string()
    .valid(...CARD_BRANDS)
    .label('CardBrand')
    .allow(null)
    .default(null)
    .description('Card network that the fee is for; null: every one without a fee of its own.'),
  ...methodFee,
}).label('CardFee');

const otherFee = Joi.object({
  payment_method: oneOf(PAYMENT_TYPES.filter((type) => type !== 'credit_card')).description(
    'Its charges have one payment, so only the first percentage of `tx_spread` counts.',
  ),
  brand: Joi.valid(null)
    .default(null)
    .messages({ 'any.only': '{{#label}} must be null for a payment method without cards' })
    .description('Null, because only cards have brands.'),
  ...methodFee,
}).label('MethodFee');

const payoutFee = Joi.object({
  fee_type: Joi.string().valid('payout').required().description('Fee of a payout.'),
  currency_code: Joi.string().valid('BRL').required().description('Payouts are in BRL only.'),
  definition: Joi.object({
    fixed: Joi.number().integer().min(0).max(MAX_AMOUNT).required().description('Cents.'),
    variable: percentage.required(),
  })
    .required()
    .description('Fee = fixed + amount × variable / 100, rounded half up once.'),
}).label('PayoutFee');

export const definitions = Joi.array()
  .items(
    Joi.alternatives()
      .conditional('.fee_type', {
        is: 'payout',
        then: payoutFee,
        otherwise: Joi.alternatives().conditional('.payment_method', {
          is: 'credit_card',
          then: cardFee,
          otherwise: otherFee,
        }),
      })
      .meta({ title: 'FeeDefinition' }),
  )
  .max(1000)
  .example([
    {
      fee_type: 'tx_spread',
      payment_method: 'credit_card',
      currency_code: 'BRL',
      brand: null,
      definition: { fixed: 0.39, percentages: [2.99, 3.49, 3.99] },
    },
    { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0.5 } },
  ])
  .label('FeeDefinitions');
