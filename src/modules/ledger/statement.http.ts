import type { MerchantId } from '../../kernel/ids.ts';
import { toDecimal } from '../../kernel/money.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { acceptsCsv, CSV, type CsvColumns, csvReply } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { GetExplanation } from './read/get-explanation.ts';
import type { Buckets, ListMovementSums, SummaryQuery } from './read/list-movement-sums.ts';
import { type ListStatement, type ScanStatement, STATEMENT_LIST } from './read/list-statement.ts';
import type { PublicLine } from './read/statement.view.ts';
import { explanationAnswer, statementLine, summaryAnswer, summaryQuery } from './statement.schemas.ts';

const tag = 'Ledger';

export const STATEMENT_COLUMNS: CsvColumns<PublicLine> = {
  id: ({ id }) => id,
  merchantId: ({ merchantId }) => merchantId,
  movement_type: ({ movement_type }) => movement_type,
  referenceType: ({ referenceType }) => referenceType,
  referenceId: ({ referenceId }) => referenceId,
  chargeId: ({ chargeId }) => chargeId,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  bucket: ({ bucket }) => bucket,
  balanceAfter: ({ balanceAfter }) => balanceAfter,
  description: ({ description }) => description,
  createdAt: ({ createdAt }) => createdAt,
};

export const statementRoutes = (deps: {
  readonly listStatement: ListStatement;
  readonly scanStatement: ScanStatement;
  readonly listMovementSums: ListMovementSums;
  readonly getExplanation: GetExplanation;
}): readonly Route[] => [
  route<undefined, ListQuery>({
    method: 'get',
    path: '/v1/statement',
    tag,
    summary: 'Read the statement',
    description:
      "Newest first unless `orderBy` says otherwise. The caller's own account; `merchantId` names one of its " +
      'sub-merchants instead (403 for others). ' +
      'With `Accept: text/csv` the whole filtered statement, whatever `page` and `size`. ' +
      'The sum of the entries is the balance.',
    access: { merchant: 'statement.read' },
    query: STATEMENT_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of entries.',
        schema: pageOf(statementLine).label('Statement'),
        otherTypes: [CSV],
      },
    },
    async handle(request) {
      const { principal, query, headers } = request;
      const token = consistencyTokenOf(request);
      if (acceptsCsv(headers))
        return csvReply('statement', STATEMENT_COLUMNS, await deps.scanStatement(principal, query, token));
      return { status: 200, body: await deps.listStatement(principal, query, token) };
    },
  }),
  route<undefined, SummaryQuery>({
    method: 'get',
    path: '/v1/statement/summary',
    tag,
    summary: 'Sum up the statement',
    description:
      'Opening balance, sums by movement type and closing balance of one merchant, by currency, between two moments. ' +
      '`from` is included and `to` is not, so that adjacent summaries count every entry once.',
    access: { merchant: 'statement.read' },
    query: summaryQuery,
    consistent: true,
    responses: { 200: { description: 'The summary.', schema: summaryAnswer } },
    async handle(request) {
      const { principal, query } = request;
      const merchantId: MerchantId = query.merchantId ?? asMerchant(principal).merchantId;
      const sums = await deps.listMovementSums(principal, merchantId, query, consistencyTokenOf(request));
      return {
        status: 200,
        body: {
          merchantId,
          from: query.from ?? null,
          to: query.to ?? null,
          data: sums.map(({ currency, opening, movements, closing }) => ({
            currency,
            openingBalance: present(opening, currency),
            movements: movements.map(({ movement_type, count, ...amounts }) => ({
              movement_type,
              count,
              ...present(amounts, currency),
            })),
            closingBalance: present(closing, currency),
          })),
        },
      };
    },
  }),
  route({
    method: 'get',
    path: '/v1/statement/{id}/explain',
    params: { id: 'Id of the entry, `led_…`.' },
    tag,
    summary: 'Explain an entry',
    description:
      'Every figure that it takes to compute the amount again by hand: gross, fee definition and version, ' +
      'installment, split rule and who got the odd cent.',
    access: { merchant: 'statement.read', operator: 'admin.reports.read' },
    responses: { 200: { description: 'How the amount came about.', schema: explanationAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getExplanation(principal, params.id ?? '') };
    },
  }),
];

const present = ({ available, reserved }: Buckets, currency: string) => ({
  available: toDecimal(available, currency),
  reserved: toDecimal(reserved, currency),
  total: toDecimal(available + reserved, currency),
});
