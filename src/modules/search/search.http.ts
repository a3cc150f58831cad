import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { currency, dateTime, listOf, money, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { type FindMatches, MATCH_TYPES, MATCHES_OF_A_TYPE } from './read/find-matches.ts';

const match = Joi.object({
  type: oneOf(MATCH_TYPES).description('Kind of record.'),
  id: Joi.string().required().description('Id of the record.'),
  merchantId: resourceId('mer').required().description('Owner of the record, or the merchant itself.'),
  title: Joi.string()
    .required()
    .description("The payer's or the merchant's name; of a refund its charge, of a payout its merchant."),
  status: Joi.string().required().description('Where the record stands.'),
  amount: money('Null for merchants. Payouts are decimal here, too.').allow(null).required(),
  currency: currency().allow(null).required().description('ISO 4217 code; null for merchants.'),
  createdAt: dateTime().required(),
}).label('SearchMatch');

export const searchRoutes = ({ findMatches }: { readonly findMatches: FindMatches }): readonly Route[] => [
  route<undefined, { readonly q: string }>({
    method: 'get',
    operationId: 'search',
    path: '/v1/search',
    tag: 'Search',
    summary: 'Search records by anything that names them',
    description: `Finds charges by id, reference, the provider's reference, e-mail, document, last four digits, end-to-end identifier and words. Finds refunds and payout requests by id. Finds sub-merchants, and for operators merchants, by id, e-mail, tax id and name. Finds what a request changed by its \`X-Request-Id\`, as long as its events are kept. Each type needs the permission of its list, and a key finds no payout requests. Answers ${MATCHES_OF_A_TYPE} of each type at most, the newest first.`,
    access: { merchant: 'any', operator: 'any' },
    query: Joi.object({
      q: text(256)
        .min(2)
        .required()
        .description('The whole of an id or number, or whole words.')
        .example('Ana Souza'),
    }),
    consistent: true,
    responses: {
      200: {
        description: 'The records that were found.',
        schema: listOf(match, 'Matches, by type.').label('SearchMatches'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      return {
        status: 200,
        body: { data: await findMatches(principal, query.q, consistencyTokenOf(request)) },
      };
    },
  }),
];
