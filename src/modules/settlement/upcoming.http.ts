import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { toDecimal } from '../../kernel/money.ts';
import { rangeOf } from '../../kernel/time-range.ts';
import { acceptsCsv, CSV, columnsOf, csvReply } from '../../platform/http/csv.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import {
  characters,
  currency,
  knownCurrency,
  money,
  resourceId,
  timeZone,
} from '../../platform/http/schemas.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import type { GetUpcoming } from './read/get-upcoming.ts';
import { totalsOf } from './read/upcoming.ts';

const sums = {
  currency: currency().required(),
  amount: money('Sum that becomes available, in this currency.').required(),
  parts: Joi.number().integer().required().description('Parts of charges that it comes from.'),
};

const upcomingAnswer = Joi.object({
  merchantId: resourceId('mer').required().description('The merchant that gets the money.'),
  data: Joi.array()
    .items(
      Joi.object({
        day: Joi.string()
          .pattern(/^\d{4,}-\d{2}-\d{2}$/)
          .required()
          .description('The day in `timeZone`. Parts of a day in the past are settled within moments.'),
        ...sums,
      }).label('UpcomingSettlement'),
    )
    .required()
    .description('In the order of days and currencies; days without money are left out.'),
  totals: Joi.array()
    .items(Joi.object(sums))
    .required()
    .description('The sums of the rows of each currency; never across currencies.'),
}).label('UpcomingSettlements');

type Query = {
  readonly from?: string;
  readonly to?: string;
  readonly timeZone: string;
  readonly merchantId?: MerchantId;
  readonly currency?: string;
};

const limit = (text: string): Joi.Schema =>
  dateSchema.description(
    `${text} A date is that whole day in \`timeZone\`; a date-time without an offset is local to it.`,
  );

const query = Joi.object({
  from: limit('The first day or instant.'),
  to: limit('The last day, or the instant before which the agenda ends.'),
  timeZone: timeZone.default('UTC').description('The zone whose days are meant.'),
  merchantId: characters(256).description(
    'A sub-merchant of the caller; the caller itself without it. 403 for others.',
  ),
  currency: knownCurrency().description('Only this currency: an ISO 4217 code.'),
});

type Row = {
  readonly day: string;
  readonly currency: string;
  readonly amount: number;
  readonly parts: number;
};
const COLUMNS = columnsOf<Row>('day', 'currency', 'amount', 'parts');

export const upcomingRoutes: Routes<{ getUpcoming: GetUpcoming }> = (deps) => [
  route<undefined, Query>({
    method: 'get',
    operationId: 'getUpcomingSettlements',
    path: '/v1/settlements/upcoming',
    tag: 'Ledger',
    summary: 'Read the receivables agenda',
    description:
      "Shows on which day how much of the `reserved` balance becomes `available`: the parts of the merchant's own charges and its parts of others' splits. Anticipated parts are available already. Parts that a pending refund may take are left out. Without `from`, `to` and `currency` the totals are the `reserved` balances. Reads the write store, so the answer is never behind. With `Accept: text/csv` the rows come as CSV, without totals.",
    access: { merchant: 'statement.read' },
    query,
    responses: { 200: { description: 'The agenda.', schema: upcomingAnswer, otherTypes: [CSV] } },
    async handle({ principal, query, headers }) {
      const { merchantId, currency, ...days } = query;
      const found = await deps.getUpcoming(principal, {
        range: rangeOf(days),
        ...(merchantId === undefined ? {} : { merchantId }),
        ...(currency === undefined ? {} : { currency }),
      });
      const decimal = <T extends { readonly amount: number; readonly currency: string }>(row: T): T => ({
        ...row,
        amount: toDecimal(row.amount, row.currency),
      });
      const data = found.rows.map(decimal);
      if (acceptsCsv(headers)) return csvReply('upcoming-settlements', COLUMNS, inOneBatch(data));
      const totals = totalsOf(found.rows).map(decimal);
      return { status: 200, body: { merchantId: found.merchantId, data, totals } };
    },
  }),
];

async function* inOneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
