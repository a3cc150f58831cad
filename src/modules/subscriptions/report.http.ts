import { acceptsCsv, CSV, columnsOf, csvReply } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Routes, route } from '../../platform/http/route.ts';
import {
  count,
  currency,
  knownCurrency,
  listOf,
  money,
  resourceId,
  timeZone,
} from '../../platform/http/schemas.ts';
import { number, object, string } from '../../platform/http/typed.ts';
import type { GetSubscriptionReport, SubscriptionRow } from './read/report-subscriptions.ts';
import { TAG } from './subscriptions.schemas.ts';

const query = object({
  months: number()
    .integer()
    .min(1)
    .max(24)
    .default(12)
    .description('How many months, the present one included.'),
  timeZone: timeZone.default('UTC').description('The zone whose months are meant.'),
  merchantId: resourceId('mer').description('Only this merchant.'),
  currency: knownCurrency().description('Only this currency: an ISO 4217 code.'),
});

const row = object({
  month: string().meta({ format: 'date' }).required().description('First day of the month.'),
  planId: resourceId('plan').allow(null).required().description('Null for subscriptions without a plan.'),
  currency: currency().required(),
  active: count('Subscriptions that were activated and had not ended when the month did, or now.'),
  new: count('Subscriptions that were activated in the month.'),
  lost: count('Subscriptions that ended in the month after they had been activated.'),
  monthlyRevenue: money(
    'Sum of the monthly prices of `active`: a year has twelve months or fifty-two weeks.',
  ).required(),
  pastDue: number()
    .integer()
    .allow(null)
    .required()
    .description('How many of `active` have an unpaid cycle now; null for a month that is over.'),
}).label('SubscriptionReportRow');

const figures = {
  mandates: object({
    pending: count('Mandates that wait for their payer.'),
    active: count('Mandates that can be charged.'),
    failed: count('Mandates that were rejected, or not approved in time.'),
    expired: count('Mandates whose last day is over.'),
    revoked: count('Mandates that payer or merchant have cancelled.'),
  })
    .required()
    .description('Mandates of Pix Automático as they stand now, whatever the months and the currency.'),
  plannedCharges: object({
    waiting: count('Charges of cycles that are handed in, and wait for the bank of their payer.'),
    overdue: count('How many of those have no outcome two days after the bank was to pay.'),
  })
    .required()
    .description('Charges under mandates as they stand now.'),
};

const COLUMNS = columnsOf<SubscriptionRow>(
  'month',
  'planId',
  'currency',
  'active',
  'new',
  'lost',
  'monthlyRevenue',
  'pastDue',
);

async function* inOneBatch(rows: readonly SubscriptionRow[]): AsyncGenerator<readonly SubscriptionRow[]> {
  yield rows;
}

export const subscriptionReportRoutes: Routes<{ getSubscriptionReport: GetSubscriptionReport }> = (deps) => [
  route({
    method: 'get',
    operationId: 'getSubscriptionReport',
    path: '/v1/reports/subscriptions',
    tag: TAG,
    summary: 'Count subscriptions by month and plan',
    description:
      "Active, new and lost subscriptions and the monthly recurring revenue, with the prices of today; besides, mandates of Pix Automático and the charges that they are to pay. A master's report has its sub-merchants' subscriptions, too; operators name a merchant by `merchantId`. With `Accept: text/csv` the rows come as CSV.",
    access: { merchant: 'subscriptions.manage', operator: 'admin.reports.read' },
    query,
    consistent: true,
    responses: {
      200: {
        description: 'The report.',
        schema: listOf(row, 'In the order of the months.').keys(figures).label('SubscriptionReport'),
        otherTypes: [CSV],
      },
    },
    async handle(request) {
      const { principal, headers } = request;
      const report = await deps.getSubscriptionReport(principal, request.query, consistencyTokenOf(request));
      if (!acceptsCsv(headers)) return { status: 200, body: report };
      return csvReply('subscriptions', COLUMNS, inOneBatch(report.data));
    },
  }),
];
