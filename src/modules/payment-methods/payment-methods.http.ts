import Joi from 'joi';
import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import type { ListPaymentMethods } from './list-payment-methods.ts';

const names = Joi.array().items(Joi.string());

const paymentMethod = Joi.object({
  type: oneOf(PAYMENT_TYPES).description('The `type` of the payment method in a charge.'),
  currencies: names.required().description('ISO 4217 codes.'),
  installments: Joi.object({
    min: Joi.number().integer().required().description('Fewest monthly payments.'),
    max: Joi.number().integer().required().description('Most monthly payments.'),
  })
    .required()
    .description('Bounds of `installments` in a charge; 1 to 1 unless by card.'),
  brands: names.description('Card networks, by the names that fee definitions use; of cards only.'),
  wallets: names.description(
    'Device wallets that can be the source of a card; left out where there are none.',
  ),
  identifyTypes: names.description('Of methods that need an `identifyType`.'),
}).label('PaymentMethodOffer');

export const paymentMethodRoutes: Routes<{ listPaymentMethods: ListPaymentMethods }> = (deps) => [
  route({
    method: 'get',
    operationId: 'listPaymentMethods',
    path: '/v1/payment-methods',
    tag: 'Charges',
    summary: 'List the payment methods that can be used',
    description:
      'Shows the methods that the provider of the environment and the fee definitions of the merchant allow. With a live key there have to be fee definitions. Rows of one method differ in brands, currencies, installments, wallets or identifiers of payers, and all combinations of a row work. A public key is enough.',
    access: { merchant: 'any', publicKey: true },
    responses: {
      200: {
        description: 'The payment methods.',
        schema: Joi.object({
          data: Joi.array()
            .items(paymentMethod)
            .required()
            .description('Methods that the caller can use; not paged.'),
        }).label('PaymentMethodOffers'),
      },
    },
    async handle({ principal }) {
      return { status: 200, body: { data: await deps.listPaymentMethods(asMerchant(principal)) } };
    },
  }),
];
