import Joi from 'joi';
import type { Principal } from '../../kernel/principal.ts';
import { acceptsCsv, CSV, columnsOf, csvReply, inZone } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Reply, type Route, type Routes, route } from '../../platform/http/route.ts';
import {
  currency as currencyCode,
  dateTime,
  knownCurrency,
  money,
  nullable,
  resourceId,
  timeZone,
} from '../../platform/http/schemas.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import { OWN_VOLUME, PAYOUTS, REVENUE, VOLUME } from './read/flow-reports.ts';
import type { GetReconciliation, ReconciliationQuery } from './read/get-reconciliation.ts';
import type { GetReport, ReportName, ReportQuery } from './read/get-report.ts';
import type { GetVolume } from './read/get-volume.ts';
import { csvColumns, MAX_REPORT_ROWS, type Measures, type ReportAnswer } from './read/report.ts';
import { BALANCE_MEASURES } from './read/report-balances.ts';
import { type GroupBy, groupsOf } from './read/report-flow.ts';

const tag = 'Reports';
const access = { operator: 'admin.reports.read' } as const;

const limit = (text: string): Joi.Schema =>
  dateSchema.description(
    `${text} A date is that whole day in \`timeZone\`; a date-time without an offset is local to it.`,
  );

const reportQuery = (groups: readonly string[], interval: Joi.StringSchema): Joi.ObjectSchema =>
  Joi.object({
    from: limit('The first day or instant.'),
    to: limit('The last day, or the instant before which the report ends.'),
    timeZone: timeZone.default('UTC').description('The zone whose days, weeks and months are meant.'),
    interval: interval.valid('day', 'week', 'month'),
    groupBy: Joi.string()
      .valid(...groups)
      .description(
        `One row for each value of a field: ${groups.map((group) => `\`${group}\``).join(', ')}. \`group\` is the value.`,
      ),
    merchantId: resourceId('mer').description('Only this merchant.'),
    currency: knownCurrency().description('Only this currency: an ISO 4217 code.'),
  });

/** The columns of a report are described where they are computed. */
const reportAnswer = (label: string, measures: Measures): Joi.ObjectSchema => {
  const figures = Object.fromEntries(
    Object.entries(measures).map(([name, { kind, description }]) => [
      name,
      (kind === 'count' ? Joi.number().integer().description(description) : money(description)).required(),
    ]),
  );
  const currency = currencyCode().required().description('ISO 4217 code; amounts of the row are in it.');
  return Joi.object({
    data: Joi.array()
      .items(
        Joi.object({
          period: Joi.string()
            .pattern(/^\d{4,}-\d{2}-\d{2}$/)
            .required()
            .description('First day of the period, in `timeZone`. Weeks begin on Monday.'),
          group: Joi.string().allow(null).required().description('Null without `groupBy`.'),
          currency,
          ...figures,
        }),
      )
      .required()
      .description('In the order of period, currency and group.'),
    totals: Joi.array()
      .items(Joi.object({ currency, ...figures }))
      .required()
      .description('The sums of the rows of each currency; never across currencies.'),
  }).label(label);
};

type Definition<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly summary: string;
  readonly description: string;
  readonly groups: readonly GroupBy[];
  readonly interval: Joi.StringSchema;
  readonly measures: Measures;
};

const DAILY = Joi.string().default('day').description('Length of a period.');

const REPORTS: readonly Definition<ReportName>[] = [
  {
    name: 'volume',
    label: 'VolumeReport',
    summary: 'Sum up the charges of all merchants by period',
    description: 'Charges by the time of their creation, in every status.',
    groups: groupsOf(VOLUME),
    interval: DAILY,
    measures: VOLUME.measures,
  },
  {
    name: 'revenue',
    label: 'RevenueReport',
    summary: 'Sum up the revenue of the gateway by period',
    description:
      'Sums spreads and the fees of chargeback alerts, payouts and anticipations by the time at which they were booked, less reversals. The ledger entries are `charge_spread`, `chargeback_alert_fee`, `payout_fee`, `payout_fee_reversal` and `anticipation_fee`. A refund returns no spread, so it takes nothing away. Grouped by `status` or `paymentMethod`, it holds spreads by the time of payment, and no fees.',
    groups: groupsOf(REVENUE),
    interval: DAILY,
    measures: REVENUE.measures,
  },
  {
    name: 'balances',
    label: 'BalanceReport',
    summary: 'Read the balances of the merchants',
    description:
      'Shows the balances of each merchant at `to`, or now without it. With `interval` there is a row for the end of each period from `from` on. `totals` belong to the last period. Rows are grouped by merchant unless `groupBy` says `currency`.',
    groups: ['currency', 'merchantId'],
    interval: Joi.string().description('A row for the end of each period; one row at `to` without it.'),
    measures: BALANCE_MEASURES,
  },
  {
    name: 'payouts',
    label: 'PayoutReport',
    summary: 'Sum up payouts by period',
    description:
      'Sums the entries `payout`, `payout_fee`, `payout_reversal` and `payout_fee_reversal` by the time at which they were booked. Approval books a payout, and a failed transfer reverses it. Pending and rejected requests do not count. Amounts are decimal, as everywhere in reports.',
    groups: groupsOf(PAYOUTS),
    interval: DAILY,
    measures: PAYOUTS.measures,
  },
];

type Asked = { readonly principal: Principal; readonly query: ReportQuery; readonly token: string | null };

const reportRoute = (
  { name, label, summary, description, groups, interval, measures }: Definition<string>,
  about: Pick<Route, 'operationId' | 'path' | 'tag' | 'access'>,
  read: (asked: Asked) => Promise<ReportAnswer>,
): Route =>
  route<undefined, ReportQuery>({
    ...about,
    method: 'get',
    summary,
    description:
      `${description}\n\nCan be grouped by ${groups.map((group) => `\`${group}\``).join(', ')}. Rows are in the order of period, currency and group, ${MAX_REPORT_ROWS} at most (400). ` +
      'With `Accept: text/csv` the rows come as CSV, without totals.',
    query: reportQuery(groups, interval),
    consistent: true,
    responses: {
      200: { description: 'The report.', schema: reportAnswer(label, measures), otherTypes: [CSV] },
    },
    async handle(request): Promise<Reply> {
      const { principal, query, headers } = request;
      const report = await read({ principal, query, token: consistencyTokenOf(request) });
      if (!acceptsCsv(headers)) return { status: 200, body: report };
      return csvReply(name, csvColumns(measures), inOneBatch(report.data));
    },
  });

export const reportRoutes = (deps: { readonly getReport: GetReport }): readonly Route[] =>
  REPORTS.map((report) =>
    reportRoute(
      report,
      { operationId: `get${report.label}`, path: `/v1/admin/reports/${report.name}`, tag, access },
      ({ principal, query, token }) => deps.getReport(report.name, principal.livemode, query, token),
    ),
  );

const VOLUME_OF_CALLER: Definition<'volume'> = {
  name: 'volume',
  label: 'Volume',
  summary: 'Sum up charges by period',
  description:
    "Sums the caller's charges by the time of their creation, with fees and net of the paid ones. A master's report has its sub-merchants' charges, too; `merchantId` names one merchant.",
  groups: groupsOf(OWN_VOLUME),
  interval: DAILY,
  measures: OWN_VOLUME.measures,
};

export const volumeRoutes = ({ getVolume }: { readonly getVolume: GetVolume }): readonly Route[] => [
  reportRoute(
    VOLUME_OF_CALLER,
    {
      operationId: 'getVolume',
      path: '/v1/reports/volume',
      tag: 'Charges',
      access: { merchant: 'charges.read' },
    },
    ({ principal, query, token }) => getVolume(principal, query, token),
  ),
];

const count = Joi.number().integer().required();
const differenceCurrency = nullable(currencyCode()).description('ISO 4217 code; null where it is not known.');
const concerned = nullable(Joi.number()).description(
  'Amount of the record concerned, decimal, not of the difference; null where there is none.',
);

const reconciliationAnswer = Joi.object({
  checkedUpTo: nullable(dateTime()).description(
    'Everything that was recorded before then has been checked; null until everything was checked once.',
  ),
  fullCheckAt: nullable(dateTime()).description(
    'When the last check of the whole ledger that has ended began; null before the first one.',
  ),
  data: Joi.array()
    .items(
      Joi.object({
        period: nullable(Joi.string()).description(
          'First day of the period in which the record was created; null where that is not known.',
        ),
        group: nullable(Joi.string()).description(
          'Value of the `groupBy` field; null without one, or where it is not known.',
        ),
        currency: differenceCurrency,
        count: count.description('1, because a row is one difference.'),
        amount: concerned,
        merchantId: nullable(Joi.string()).description(
          'Merchant of the record or balance; null where it is not known.',
        ),
        kind: Joi.string()
          .required()
          .description(
            'Kind of record that differs (a balance, a charge, a refund, …), or `suspense` for money to place. `unchecked`: ' +
              'the record cannot be judged.',
          ),
        subject: Joi.string().required().description('Id of the record, or name of the balance.'),
        message: Joi.string().required().description('Description of the difference.'),
        foundAt: dateTime().required().description('When it was found.'),
        lastSeenAt: dateTime().required().description('When it was last seen to hold.'),
        resolvedAt: nullable(dateTime()).description(
          'When it was seen to hold no longer; null where it is open.',
        ),
      }),
    )
    .required()
    .description('Open differences before resolved ones, those found last first.'),
  totals: Joi.array()
    .items(
      Joi.object({
        currency: differenceCurrency,
        count: count.description('Open differences.'),
        amount: nullable(Joi.number()).description(
          'Sum of the records concerned, decimal; null where the currency is not known.',
        ),
      }),
    )
    .required()
    .description('The open rows of each currency; never across currencies.'),
}).label('ReconciliationReport');

type DifferenceRow = Awaited<ReturnType<GetReconciliation>>['data'][number];

const DIFFERENCE_TIMES = ['foundAt', 'lastSeenAt', 'resolvedAt'];
const DIFFERENCE_COLUMNS = columnsOf<DifferenceRow>(
  'period',
  'group',
  'currency',
  'count',
  'amount',
  'merchantId',
  'kind',
  'subject',
  'message',
  'foundAt',
  'lastSeenAt',
  'resolvedAt',
);

export const reconciliationRoutes: Routes<{ getReconciliation: GetReconciliation }> = (deps) => [
  route<undefined, ReconciliationQuery>({
    method: 'get',
    operationId: 'getReconciliationReport',
    path: '/v1/admin/reports/reconciliation',
    tag,
    summary: 'List differences between the ledger and the records',
    description:
      'Shows one row for each difference between the ledger and balances, statements, charges, refunds, alerts, adjustments and payout requests. Workers check each record seconds after a change, and everything once an hour. A difference that is gone stays listed, with `resolvedAt`. `from` and `to` limit the creation of the record; differences without a known time, merchant or currency are always listed. `X-Consistency-Token` waits until everything recorded before the request has been checked. With `Accept: text/csv` the rows come as CSV, without totals.',
    access,
    query: reportQuery(['currency', 'merchantId'], DAILY).keys({
      status: Joi.string().valid('open', 'resolved').description('Only differences that hold, or no longer.'),
    }),
    consistent: true,
    responses: {
      200: { description: 'The differences.', schema: reconciliationAnswer, otherTypes: [CSV] },
    },
    async handle(request) {
      const { principal, query, headers } = request;
      const found = await deps.getReconciliation(principal.livemode, query, consistencyTokenOf(request));
      if (!acceptsCsv(headers)) return { status: 200, body: found };
      return csvReply(
        'reconciliation',
        inZone(DIFFERENCE_COLUMNS, DIFFERENCE_TIMES, query.timeZone),
        inOneBatch(found.data),
      );
    },
  }),
];

async function* inOneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
