import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import type { FindReasons } from '../../adjustments/write/adjustments.store.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../../ledger/write/journal.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { statementLine } from '../statement.schemas.ts';
import { type LineAnswer, STATEMENT_VIEW, type StatementDocument } from './statement.view.ts';

/** A line does not carry the reason of its adjustment, which never changes. */
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
  // Lines that are alike in what is asked for are in the order of their balances, in either direction.
  ties: { by: 'seq', in: ['createdAt', 'amount'] },
  filter: {
    movement_type: { valid: MOVEMENT_TYPES, description: 'Why the money moved.' },
    referenceType: { valid: REFERENCE_TYPES, description: 'Kind of record that the entry belongs to.' },
    referenceId: {
      description: 'Id of the record that the entry is about; for a settlement that of its charge.',
    },
    chargeId: { description: 'Only entries of this charge, `chg_…`.' },
    currency: BY_CURRENCY,
    bucket: {
      valid: ['reserved', 'available'],
      description: '`reserved`: paid and not settled yet; `available`: can be paid out.',
    },
    merchantId: BY_MERCHANT,
    createdAt: {},
  },
  // A merchant asks for one account: its own unless it names another; an operator asks for all of them.
  defaults: (principal) => (principal.kind === 'operator' ? {} : { merchantId: principal.merchantId }),
  routes: [
    {
      operationId: 'listStatement',
      path: '/v1/statement',
      tag: 'Ledger',
      summary: 'Read the statement',
      description:
        "The caller's own account; `merchantId` names one of its sub-merchants instead (403 for others). The sum of the entries is the balance.",
      access: { merchant: 'statement.read' },
    },
    {
      operationId: 'listStatementAsOperator',
      path: '/v1/admin/statement',
      tag: 'Reports',
      summary: 'Read the statements of all merchants',
      description: 'The entries of `GET /v1/statement` over all merchants of the environment.',
      access: { operator: 'admin.reports.read' },
    },
  ],
});
