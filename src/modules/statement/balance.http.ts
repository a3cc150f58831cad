import { toDecimal } from '../../kernel/money.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { currency, money } from '../../platform/http/schemas.ts';
import { arrayOf, object } from '../../platform/http/typed.ts';
import type { GetBalance } from './read/get-balance.ts';
import { ofAccount } from './statement.schemas.ts';

const balanceAnswer = object({
  data: arrayOf(
    object({
      currency: currency().required(),
      available: money('Settled money; may be negative.').required(),
      reserved: money('Money that was paid and is not settled yet.').required(),
    }),
  )
    .required()
    .description('One element for each currency in which the merchant ever had an entry.'),
}).label('Balance');

export const balanceRoutes = ({ getBalance }: { readonly getBalance: GetBalance }): readonly Route[] => [
  route({
    method: 'get',
    operationId: 'getBalance',
    path: '/v1/balance',
    tag: 'Ledger',
    summary: 'Read the balances',
    description:
      'Shows one decimal entry for each currency, equal to the sums of the statement. `merchantId` names one of the sub-merchants of the caller. Reads the write store, so the answer is never behind.',
    access: { merchant: 'statement.read' },
    query: object({ merchantId: ofAccount() }),
    responses: { 200: { description: 'The balances.', schema: balanceAnswer } },
    async handle({ principal, query }) {
      const balances = await getBalance(principal, query.merchantId);
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
