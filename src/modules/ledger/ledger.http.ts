import Joi from 'joi';
import { toDecimal } from '../../kernel/money.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { currency, money } from '../../platform/http/schemas.ts';
import type { GetBalance } from './read/get-balance.ts';

const balanceAnswer = Joi.object({
  data: Joi.array()
    .items(
      Joi.object({
        currency: currency().required(),
        available: money('Settled; may be negative.').required(),
        reserved: money('Paid and not settled yet.').required(),
      }),
    )
    .required()
    .description('One element for each currency that the merchant ever had an entry in.'),
}).label('Balance');

export const ledgerRoutes = (getBalance: GetBalance): readonly Route[] => [
  route({
    method: 'get',
    path: '/v1/balance',
    tag: 'Ledger',
    summary: 'Read the balances',
    description: 'One entry for each currency, decimal. Read from the write store: never behind.',
    access: { merchant: 'statement.read' },
    responses: { 200: { description: 'The balances.', schema: balanceAnswer } },
    async handle({ principal }) {
      const { merchantId, livemode } = asMerchant(principal);
      const balances = await getBalance(merchantId, livemode);
      return {
        status: 200,
        body: {
          data: balances.map(({ currency, available, reserved }) => ({
            currency,
            available: toDecimal(available, currency),
            reserved: toDecimal(reserved, currency),
          })),
        },
      };
    },
  }),
];
