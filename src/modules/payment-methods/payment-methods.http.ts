import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import type { ListPaymentMethods } from './list-payment-methods.ts';

const names = arrayOf(string());

const paymentMethod = object({
  type: oneOf(PAYMENT_TYPES).description('The `type` of the payment method in a charge.'),
  currencies: names.required().description('ISO 4217 codes.'),
  installments: object({
    min: number().integer().required().description('Fewest monthly payments.'),
    max: number().integer().required().description('Most monthly payments.'),
  })
    .required()
    .description('Bounds of `installments` in a charge; 1 to 1 for every method but cards.'),
  brands: names.description('Card networks, by the names that fee definitions use; only for cards.'),
  wallets: names.description('Device wallets that can be the source of a card; absent if there are none.'),
  identifyTypes: names.description('Values of `identifyType` that the method accepts, if it needs one.'),
}).label('PaymentMethodOffer');

export const paymentMethodRoutes: Routes<{ listPaymentMethods: ListPaymentMethods }> = (deps) => [
  route({
    method: 'get',
    operationId: 'listPaymentMethods',
    path: '/v1/payment-methods',
    tag: 'Charges',
    summary: 'List the payment methods that can be used',
    description:
      'Shows the payment methods that the provider of the environment supports and that the fee definitions of the merchant allow. With a live key, a method needs a fee definition. Rows of one method differ in brands, currencies, installments, wallets or identifiers of payers, and all combinations within a row work. A public key is enough.',
    access: { merchant: 'any', publicKey: true },
    responses: {
      200: {
        description: 'The payment methods.',
        schema: object({
          data: arrayOf(paymentMethod)
            .required()
            .description('All payment methods that the caller can use, without pages.'),
        }).label('PaymentMethodOffers'),
      },
    },
    async handle({ principal }) {
      return { status: 200, body: { data: await deps.listPaymentMethods(asMerchant(principal)) } };
    },
  }),
];
