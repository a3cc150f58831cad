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
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import { OWN_VOLUME, PAYOUTS, REVENUE, VOLUME } from './read/flow-reports.ts';
import type { GetReconciliation } from './read/get-reconciliation.ts';
import type { GetReport, ReportName, ReportQuery } from './read/get-report.ts';
import type { GetVolume } from './read/get-volume.ts';
import { csvColumns, MAX_REPORT_ROWS, type Measures, type ReportAnswer } from './read/report.ts';
import { BALANCE_MEASURES } from './read/report-balances.ts';
import { type GroupBy, groupsOf } from './read/report-flow.ts';

const tag = 'Reports';
const access = { operator: 'admin.reports.read' } as const;

const interval = () => string().valid('day', 'week', 'month');
const DAILY = interval().default('day').description('Length of a period.');
type IntervalSchema = ReturnType<typeof interval>;

const limit = (text: string) =>
  dateSchema.description(
    `${text} A date is that whole day in \`timeZone\`; a date-time without an offset is local to it.`,
  );

const reportQuery = <const Group extends string>(groups: readonly Group[], interval: IntervalSchema) =>
  object({
    from: limit('The first day or instant.'),
    to: limit('The last day, or the instant before which the report ends.'),
    timeZone: timeZone.default('UTC').description('Time zone of days, weeks and months.'),
    interval,
    groupBy: string()
      .valid(...groups)
      .description(
        `One row for each value of a field: ${groups.map((group) => `\`${group}\``).join(', ')}. \`group\` is the value.`,
      ),
    merchantId: resourceId('mer').description('Only this merchant.'),
    currency: knownCurrency().description('Only this currency: an ISO 4217 code.'),
  });

/** The schema of a report's answer. Each report describes its own columns. */
const reportAnswer = (label: string, measures: Measures) => {
  const figures = Object.fromEntries(
    Object.entries(measures).map(([name, { kind, description }]) => [
      name,
      (kind === 'count' ? number().integer().description(description) : money(description)).required(),
    ]),
  );
  const currency = currencyCode().required().description('ISO 4217 code; amounts of the row are in it.');
  return object({
    data: arrayOf(
      object({
        period: string()
          .pattern(/^\d{4,}-\d{2}-\d{2}$/)
          .required()
          .description('First day of the period, in `timeZone`. Weeks begin on Monday.'),
        group: string()
          .allow(null)
          .required()
          .description('Value of the `groupBy` field; null without `groupBy`.'),
        currency,
        ...figures,
      }),
    )
      .required()
      .description('Rows in the order of period, currency and group.'),
    totals: arrayOf(object({ currency, ...figures }))
      .required()
      .description('The sums of the rows for each currency; currencies are never added together.'),
  }).label(label);
};

type Definition<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly summary: string;
  readonly description: string;
  readonly groups: readonly GroupBy[];
  readonly interval: IntervalSchema;
  readonly measures: Measures;
};

const REPORTS: readonly Definition<ReportName>[] = [
  {
    name: 'volume',
    label: 'VolumeReport',
    summary: 'Sum up the charges of all merchants by period',
    description: 'Sums charges of every status by the time of their creation.',
    groups: groupsOf(VOLUME),
    interval: DAILY,
    measures: VOLUME.measures,
  },
  {
    name: 'revenue',
    label: 'RevenueReport',
    summary: 'Sum up the revenue of the gateway by period',
    description:
      'Sums spreads and the fees of chargeback alerts, payouts and anticipations by the time at which they were booked, less reversals. The ledger entries are `charge_spread`, `chargeback_alert_fee`, `payout_fee`, `payout_fee_reversal` and `anticipation_fee`. A refund returns no spread, so it does not reduce the revenue. Grouped by `status` or `paymentMethod`, the report has only spreads, by the time of payment, and no fees.',
    groups: groupsOf(REVENUE),
    interval: DAILY,
    measures: REVENUE.measures,
  },
  {
    name: 'balances',
    label: 'BalanceReport',
    summary: 'Read the balances of the merchants',
    description:
      'Shows the balances of each merchant at `to`, or now without it. With `interval` there is a row for the end of each period from `from` on, and `totals` are those of the last period. Rows are grouped by merchant unless `groupBy` says `currency`.',
    groups: ['currency', 'merchantId'],
    interval: interval().description(
      'Length of a period, with a row for the end of each; without it there is one row at `to`.',
    ),
    measures: BALANCE_MEASURES,
  },
  {
    name: 'payouts',
    label: 'PayoutReport',
    summary: 'Sum up payouts by period',
    description:
      'Sums the entries `payout`, `payout_fee`, `payout_reversal` and `payout_fee_reversal` by the time at which they were booked. An approval books a payout, and a failed transfer reverses it. Pending and rejected requests do not count. Amounts are decimal, as in all reports.',
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
  route({
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

const count = number().integer().required();
const differenceCurrency = nullable(currencyCode()).description('ISO 4217 code; null if it is not known.');
const concerned = nullable(number()).description(
  'Decimal amount of the record concerned, not of the difference; null if there is none.',
);

const reconciliationAnswer = object({
  checkedUpTo: nullable(dateTime()).description(
    'Time up to which all records have been checked; null until everything was checked once.',
  ),
  fullCheckAt: nullable(dateTime()).description(
    'When the last complete check of the whole ledger began; null before the first one.',
  ),
  data: arrayOf(
    object({
      period: nullable(string()).description(
        'First day of the period in which the record was created; null if that is not known.',
      ),
      group: nullable(string()).description(
        'Value of the `groupBy` field; null without `groupBy`, or if the value is not known.',
      ),
      currency: differenceCurrency,
      count: count.description('Always 1, because a row is one difference.'),
      amount: concerned,
      merchantId: nullable(string()).description(
        'Merchant of the record or balance; null if it is not known.',
      ),
      kind: string()
        .required()
        .description(
          'Kind of record that differs (a balance, a charge, a refund, …), or `suspense` for money to place. `unchecked`: ' +
            'the record cannot be judged.',
        ),
      subject: string().required().description('Id of the record, or name of the balance.'),
      message: string().required().description('Description of the difference.'),
      foundAt: dateTime().required().description('When the difference was found.'),
      lastSeenAt: dateTime().required().description('When a check last found that the difference holds.'),
      resolvedAt: nullable(dateTime()).description(
        'When a check found that the difference no longer holds; null while it is open.',
      ),
    }),
  )
    .required()
    .description('Open differences before resolved ones, and the latest first.'),
  totals: arrayOf(
    object({
      currency: differenceCurrency,
      count: count.description('Number of open differences.'),
      amount: nullable(number()).description(
        'Decimal sum of the records concerned; null if the currency is not known.',
      ),
    }),
  )
    .required()
    .description('The open differences for each currency; currencies are never added together.'),
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
  route({
    method: 'get',
    operationId: 'getReconciliationReport',
    path: '/v1/admin/reports/reconciliation',
    tag,
    summary: 'List differences between the ledger and the records',
    description:
      'Shows one row for each difference between the ledger and balances, statements, charges, refunds, alerts, adjustments and payout requests. Workers check each record seconds after a change, and everything once an hour. A resolved difference stays listed, with `resolvedAt`. `from` and `to` limit the creation of the record; differences without a known time, merchant or currency are always listed. `X-Consistency-Token` waits until everything recorded before the request has been checked. With `Accept: text/csv` the rows come as CSV, without totals.',
    access,
    query: reportQuery(['currency', 'merchantId'], DAILY).keys({
      status: string()
        .valid('open', 'resolved')
        .description('`open` finds differences that hold, `resolved` those that no longer do.'),
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
