import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import type { FindReasons } from '../../adjustments/write/adjustments.store.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../../ledger/write/journal.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { statementLine } from '../statement.schemas.ts';
import { type LineAnswer, STATEMENT_VIEW, type StatementDocument } from './statement.view.ts';

/** Adds the reasons of adjustments, which lines do not carry. A reason never changes. */
const withReasons = async (
  documents: readonly StatementDocument[],
  { findReasons }: { readonly findReasons: FindReasons },
): Promise<readonly LineAnswer[]> => {
  const lines = documents.map(STATEMENT_VIEW.present);
  const ids = lines.flatMap((line) => (line.referenceType === 'adjustment' ? [line.referenceId] : []));
  if (ids.length === 0) return lines;
  const reasons = await findReasons(ids);
  return lines.map((line) => ({ ...line, description: reasons.get(line.referenceId) ?? line.description }));
};

export const STATEMENT_LIST = defineList({
  view: STATEMENT_VIEW,
  what: 'entries',
  answer: statementLine,
  show: withReasons,
  csv: { name: 'statement' },
  orderBy: '-createdAt',
  sort: ['createdAt', 'amount', 'movement_type', 'referenceType'],
  // Lines with the same time or amount follow each other in the order of the statement, in either direction.
  ties: { by: 'seq', in: ['createdAt', 'amount'] },
  filter: {
    movement_type: { valid: MOVEMENT_TYPES, description: 'Why the money moved.' },
    referenceType: { valid: REFERENCE_TYPES, description: 'Kind of record that the entry is about.' },
    referenceId: {
      description: 'Id of the record that the entry is about; for a settlement that of its charge.',
    },
    chargeId: { description: 'Only entries of this charge, `chg_…`.' },
    currency: BY_CURRENCY,
    bucket: {
      valid: ['reserved', 'available'],
      description:
        '`reserved`: money that is paid and not settled yet; `available`: money that can be paid out.',
    },
    merchantId: BY_MERCHANT,
    createdAt: {},
  },
  // A merchant lists its own account unless it names another one; an operator lists all of them.
  defaults: (principal) => (principal.kind === 'operator' ? {} : { merchantId: principal.merchantId }),
  routes: [
    {
      operationId: 'listStatement',
      path: '/v1/statement',
      tag: 'Ledger',
      summary: 'Read the statement',
      description:
        "Shows the entries of the caller's own account, or of the sub-merchant that `merchantId` names (403 for any other merchant). The sum of the entries is the balance.",
      access: { merchant: 'statement.read' },
    },
    {
      operationId: 'listStatementAsOperator',
      path: '/v1/admin/statement',
      tag: 'Reports',
      summary: 'Read the statements of all merchants',
      description: 'Shows the entries of `GET /v1/statement` for all merchants of the environment.',
      access: { operator: 'admin.reports.read' },
    },
  ],
});
