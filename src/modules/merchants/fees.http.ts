import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { knownCurrency, oneOf } from '../../platform/http/schemas.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { merchantParams } from './merchants.schemas.ts';
import type { GetFeeDefinitions } from './read/get-fee-definitions.ts';
import { CARD_BRANDS, type FeeDefinition, MAX_INSTALLMENTS } from './write/fees.ts';
import type { PutFeeDefinitions } from './write/put-fee-definitions.ts';

const TAG = 'Fees (administration)';

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

const definitions = Joi.array()
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

export const feeRoutes: Routes<{
  putFeeDefinitions: PutFeeDefinitions;
  getFeeDefinitions: GetFeeDefinitions;
}> = (deps) => [
  route<readonly FeeDefinition[]>({
    method: 'put',
    operationId: 'replaceFeeDefinitions',
    path: '/v1/admin/merchants/{id}/fee-definitions',
    params: merchantParams,
    summary: "Replace a merchant's fee definitions",
    description: `Replaces the entire list. The spread of a charge is fixed + amount × percentages[installments − 1] / 100, and never above the amount. The definition of the brand counts before that of the method. A live charge without a definition is refused (422 \`FEES_NOT_CONFIGURED\`), a test charge has spread 0. Definitions are versioned; a charge keeps the version that it used. Fees of type \`anticipation\` are applied by \`POST /v1/anticipations\`. Two definitions for the same fee type, method, currency and brand: 400.`,
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: definitions,
    responses: { 200: { description: 'The definitions as stored.', schema: definitions } },
    errors: [404],
    async handle({ params, body, context }) {
      const command = { merchantId: params.id ?? '', definitions: body };
      const stored = await deps.putFeeDefinitions(command, context);
      return { status: 200, body: stored.definitions };
    },
  }),
  route({
    method: 'get',
    operationId: 'getFeeDefinitions',
    path: '/v1/admin/merchants/{id}/fee-definitions',
    params: merchantParams,
    summary: "Read a merchant's fee definitions",
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    responses: {
      200: {
        description: 'The definitions as stored; an empty list where there are none.',
        schema: definitions,
      },
    },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: await deps.getFeeDefinitions(params.id ?? '') };
    },
  }),
];
