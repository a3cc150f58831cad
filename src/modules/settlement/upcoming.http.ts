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
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import type { GetUpcoming } from './read/get-upcoming.ts';
import { totalsOf } from './read/upcoming.ts';

const sums = {
  currency: currency().required(),
  amount: money('Amount that becomes available, in this currency.').required(),
  parts: number().integer().required().description('Number of parts of charges in the amount.'),
};

const upcomingAnswer = object({
  merchantId: resourceId('mer').required().description('The merchant that gets the money.'),
  data: arrayOf(
    object({
      day: string()
        .pattern(/^\d{4,}-\d{2}-\d{2}$/)
        .required()
        .description('Day in `timeZone`. Parts of a past day are settled within moments.'),
      ...sums,
    }).label('UpcomingSettlement'),
  )
    .required()
    .description('Rows in the order of days and currencies; days without money are left out.'),
  totals: arrayOf(object(sums))
    .required()
    .description('The sums of the rows for each currency; currencies are never added together.'),
}).label('UpcomingSettlements');

const limit = (text: string) =>
  dateSchema.description(
    `${text} A date is that whole day in \`timeZone\`; a date-time without an offset is local to it.`,
  );

const query = object({
  from: limit('The first day or instant.'),
  to: limit('The last day, or the instant before which the agenda ends.'),
  timeZone: timeZone.default('UTC').description('Time zone of the days.'),
  merchantId: characters<MerchantId>(256).description(
    'A sub-merchant of the caller; by default the caller itself. Any other merchant is answered with 403.',
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
  route({
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
