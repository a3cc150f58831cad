import { invalidInput } from '../../kernel/errors.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import { toDecimal } from '../../kernel/money.ts';
import type { Principal } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Routes, route } from '../../platform/http/route.ts';
import type { GetExplanation } from './read/get-explanation.ts';
import type { GetStatementChain } from './read/get-statement-chain.ts';
import type { Buckets, SumMovements } from './read/sum-movements.ts';
import {
  chainAnswer,
  chainQuery,
  explanationAnswer,
  summaryAnswer,
  summaryQuery,
} from './statement.schemas.ts';

const tag = 'Ledger';

/** The merchant whose statement is asked for, by default the caller. 400 for an operator who names none. */
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
  route({
    method: 'get',
    operationId: 'getStatementSummary',
    path: '/v1/statement/summary',
    tag,
    summary: 'Sum up the statement',
    description:
      'Shows opening balance, sums by movement type and closing balance of one merchant, by currency, between two moments. ' +
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
  route({
    method: 'get',
    operationId: 'getStatementChain',
    path: '/v1/statement/chain',
    tag,
    summary: 'Read the hash chain of the statement',
    description:
      'Shows the entries of one currency in the order of their places, each with the text that was hashed. ' +
      'Recomputing the SHA-256 of each `content` reveals a changed entry; the first member of `content`, the hash before it, reveals a missing entry.',
    access: { merchant: 'statement.read', operator: 'admin.reports.read' },
    query: chainQuery,
    responses: { 200: { description: 'Entries after the given place.', schema: chainAnswer } },
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
      'Shows every figure from which the amount was computed: gross amount, fee definition and version, installment, split rule and odd cents.',
    access: { merchant: 'statement.read', operator: 'admin.reports.read' },
    responses: {
      200: { description: 'The figures from which the amount was computed.', schema: explanationAnswer },
    },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getExplanation(principal, params.id) };
    },
  }),
];

const present = ({ available, reserved }: Buckets, currency: string) => ({
  available: toDecimal(available, currency),
  reserved: toDecimal(reserved, currency),
  total: toDecimal(available + reserved, currency),
});
