import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { knownCurrency, oneOf } from '../../platform/http/schemas.ts';
import { arrayOf, number, object, string, typed, type ValueOf } from '../../platform/http/typed.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { CARD_BRANDS, MAX_INSTALLMENTS } from './write/fees.ts';

/** Tag of the operations by which a merchant reads its own terms. */
export const TERMS_TAG = 'Fees and settings';

const percentage = number().min(0).max(100).description('Per cent, with at most 4 decimals.');

const methodFee = {
  fee_type: string()
    .valid('tx_spread', 'anticipation')
    .required()
    .description(
      '`tx_spread`: the fee of a charge; `anticipation`: the fee for parts that are made available before they are due.',
    ),
  currency_code: knownCurrency().required(),
  definition: object({
    fixed: number().min(0).max(MAX_AMOUNT).required().description('Decimal units of the currency.'),
    percentages: arrayOf(percentage)
      .min(1)
      .max(MAX_INSTALLMENTS)
      .required()
      .description(
        'Index n − 1 has the percentage for n. For `tx_spread` n is the number of installments, so index 0 is for one payment and index 11 for 12 installments. For `anticipation` n is the number of periods of 30 days until the part is due, so index 0 is for up to 30 days and index 1 for up to 60. The percentage is the price at the end of the period.',
      ),
  })
    .required()
    .description(
      '`tx_spread`: fixed + amount × percentage / 100, rounded half up once. `anticipation`: fixed for each charge, and amount × percentage / 100 × days / (30 × n) for each part, rounded half up. `days` is the number of days until the part is due, which is in period n.',
    ),
};

const cardFee = object({
  payment_method: string()
    .valid('credit_card')
    .required()
    .description('Fees for cards of one brand, or of every brand if `brand` is null.'),
  brand: string()
    .valid(...CARD_BRANDS)
    .label('CardBrand')
    .allow(null)
    .default(null)
    .description('Card network of the fee; null for every network without a fee of its own.'),
  ...methodFee,
}).label('CardFee');

const otherFee = object({
  payment_method: oneOf(PAYMENT_TYPES.filter((type) => type !== 'credit_card')).description(
    'Charges by this method have one payment, so only the first percentage of `tx_spread` counts.',
  ),
  brand: typed<null>(Joi.valid(null))
    .default(null)
    .messages({ 'any.only': '{{#label}} must be null for a payment method without cards' })
    .description('Always null, because only cards have brands.'),
  ...methodFee,
}).label('MethodFee');

const payoutFee = object({
  fee_type: string().valid('payout').required().description('Fee of a payout.'),
  currency_code: string().valid('BRL').required().description('Payouts are in BRL only.'),
  definition: object({
    fixed: number().integer().min(0).max(MAX_AMOUNT).required().description('Cents.'),
    variable: percentage.required(),
  })
    .required()
    .description('Fee = fixed + amount × variable / 100, rounded half up once.'),
}).label('PayoutFee');

const definition = typed<ValueOf<typeof payoutFee | typeof cardFee | typeof otherFee>>(
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
);

export const definitions = arrayOf(definition)
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
