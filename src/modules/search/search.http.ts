import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { currency, dateTime, listOf, money, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { type FindMatches, MATCH_TYPES, MATCHED, MATCHES_OF_A_TYPE } from './read/find-matches.ts';

const match = object({
  type: oneOf(MATCH_TYPES).description('Kind of record.'),
  id: string().required().description('Id of the record.'),
  merchantId: resourceId('mer')
    .allow(null)
    .required()
    .description(
      'Merchant that owns the record, or the merchant that was found; null for a user who works for the gateway.',
    ),
  title: string()
    .required()
    .description(
      'Name of the payer, the merchant or the user; for a refund its charge, for a payout its merchant, for a note the beginning of its text.',
    ),
  status: string()
    .required()
    .description('Status of the record; for a note the kind of record that it is about.'),
  amount: money('Amount of the record, which is decimal for payouts, too; null for merchants and users.')
    .allow(null)
    .required(),
  currency: currency().allow(null).required().description('ISO 4217 code; null for merchants and users.'),
  resourceId: string()
    .allow(null)
    .required()
    .description('Record that a note is about; null for other types.'),
  matched: oneOf(MATCHED).description(
    'Member that the text was found in: `digits` are the last four of a card or an end-to-end identifier, `record` is the record that another one is about, `request` is the request that changed it.',
  ),
  createdAt: dateTime().required(),
}).label('SearchMatch');

export const searchRoutes = ({ findMatches }: { readonly findMatches: FindMatches }): readonly Route[] => [
  route({
    method: 'get',
    operationId: 'search',
    path: '/v1/search',
    tag: 'Search',
    summary: 'Search records by anything that names them',
    description: `Finds charges by id, reference, the provider's reference, e-mail, document, last four digits, end-to-end identifier and words. Finds refunds and payout requests by id. Finds sub-merchants, and for operators merchants, by id, e-mail, tax id and name. Finds notes by words of their text and by the id of their record. Finds users by id, e-mail and name. Finds the records that a request changed by its \`X-Request-Id\`, as long as the events are kept. Each type needs the permission of its list, and a key finds no payout requests and no users. The answer has ${MATCHES_OF_A_TYPE} matches of each type at most, the newest first.`,
    access: { merchant: 'any', operator: 'any' },
    query: object({
      q: text(256)
        .min(2)
        .required()
        .description('A whole id or number, or whole words.')
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
