import { invalidInput } from '../../kernel/errors.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import { toDecimal } from '../../kernel/money.ts';
import type { Principal } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Routes, route } from '../../platform/http/route.ts';
import type { GetExplanation } from './read/get-explanation.ts';
import type { ChainQuery, GetStatementChain } from './read/get-statement-chain.ts';
import type { Buckets, SumMovements, SummaryQuery } from './read/sum-movements.ts';
import {
  chainAnswer,
  chainQuery,
  explanationAnswer,
  summaryAnswer,
  summaryQuery,
} from './statement.schemas.ts';

const tag = 'Ledger';

/** The merchant whose statement it is: the caller by default. An operator has to name one, else 400. */
const accountOf = (
  principal: Principal,
  { merchantId }: { readonly merchantId?: MerchantId },
): MerchantId => {
  if (merchantId !== undefined) return merchantId;
  if (principal.kind === 'merchant') return principal.merchantId;
  throw invalidInput([{ path: 'merchantId', message: 'merchantId is required' }]);
};

export const statementRoutes: Routes<{
  sumMovements: SumMovements;
  getExplanation: GetExplanation;
  getStatementChain: GetStatementChain;
}> = (deps) => [
  route<undefined, SummaryQuery>({
    method: 'get',
    operationId: 'getStatementSummary',
    path: '/v1/statement/summary',
    tag,
    summary: 'Sum up the statement',
    description:
      'Opening balance, sums by movement type and closing balance of one merchant, by currency, between two moments. ' +
      '`from` is included and `to` is not, so that adjacent summaries count every entry once.',
    access: { merchant: 'statement.read', operator: 'admin.reports.read' },
    query: summaryQuery,
    consistent: true,
    responses: { 200: { description: 'The summary.', schema: summaryAnswer } },
    errors: [404],
    async handle(request) {
      const { principal, query } = request;
      const merchantId = accountOf(principal, query);
      const sums = await deps.sumMovements(principal, merchantId, query, consistencyTokenOf(request));
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
  route<undefined, ChainQuery>({
    method: 'get',
    operationId: 'getStatementChain',
    path: '/v1/statement/chain',
    tag,
    summary: 'Read the hash chain of the statement',
    description:
      'The entries of one currency in the order of their places, each with the text that its hash is of. ' +
      'Recomputing SHA-256 of each `content` shows a changed entry, and its first member, the hash before it, a missing one.',
    access: { merchant: 'statement.read', operator: 'admin.reports.read' },
    query: chainQuery,
    responses: { 200: { description: 'Entries from a place on.', schema: chainAnswer } },
    errors: [404],
    async handle({ principal, query }) {
      const merchantId = accountOf(principal, query);
      return { status: 200, body: await deps.getStatementChain(principal, merchantId, query) };
    },
  }),
  route({
    method: 'get',
    operationId: 'explainStatementEntry',
    path: '/v1/statement/{id}/explain',
    params: { id: 'Id of the entry, `led_…`.' },
    tag,
    summary: 'Explain an entry',
    description:
      'Shows every figure that computes the amount: gross, fee definition and version, installment, split rule and odd cents.',
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
