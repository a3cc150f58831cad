import Joi from 'joi';
import type { Principal } from '../../../kernel/principal.ts';
import { defineList, type ListQuery } from '../../../platform/read-store/list.ts';
import type { ListFor, ScanFor } from '../../../platform/read-store/read-view.ts';
import type { FindReasons } from '../../adjustments/write/adjustments.store.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../write/journal.ts';
import { type PublicLine, presentLine, STATEMENT_VIEW } from './statement.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });

/** Lines that are alike in what is asked for are in the order of their balances, in either direction. */
export const STATEMENT_LIST = defineList({
  orderBy: '-createdAt',
  sortable: {
    createdAt: { field: 'createdAt', kind: 'date', within: 'seq' },
    amount: { field: 'comparable.amount', kind: 'number', within: 'seq' },
    movement_type: keyword('movement_type'),
    referenceType: keyword('referenceType'),
  },
  filters: {
    movement_type: {
      ...keyword('movement_type'),
      schema: Joi.string().valid(...MOVEMENT_TYPES),
      description: 'Why the money moved.',
    },
    referenceType: {
      ...keyword('referenceType'),
      schema: Joi.string().valid(...REFERENCE_TYPES),
      description: 'What kind of record the entry is about.',
    },
    referenceId: {
      ...keyword('referenceId'),
      description: 'Id of the record that the entry is about; for a settlement that of its charge.',
    },
    chargeId: { ...keyword('chargeId'), description: 'All that a charge, `chg_…`, has moved.' },
    currency: { ...keyword('currency'), description: 'ISO 4217 code.' },
    bucket: {
      ...keyword('bucket'),
      schema: Joi.string().valid('reserved', 'available'),
      description: '`reserved`: paid and not settled yet; `available`: can be paid out.',
    },
    merchantId: BY_MERCHANT,
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

const LISTING = { list: STATEMENT_LIST, view: STATEMENT_VIEW, present: presentLine };

export type ListStatement = ListFor<PublicLine>;
export type ScanStatement = ScanFor<PublicLine>;

export const createListStatement =
  (visible: ListVisible, findReasons: FindReasons): ListStatement =>
  async (principal, query, consistencyToken) => {
    const page = await visible.page(LISTING, principal, ofAccount(principal, query), consistencyToken);
    return { ...page, data: await withReasons(page.data, findReasons) };
  };

export const createScanStatement =
  (visible: ListVisible, findReasons: FindReasons): ScanStatement =>
  async (principal, query, consistencyToken) =>
    explained(
      await visible.all(LISTING, principal, ofAccount(principal, query), consistencyToken),
      findReasons,
    );

/** A merchant asks for one account: its own unless it names another; an operator asks for all of them. */
const ofAccount = (principal: Principal, query: ListQuery): ListQuery =>
  principal.kind === 'operator' ? query : { merchantId: principal.merchantId, ...query };

async function* explained(
  batches: AsyncIterable<readonly PublicLine[]>,
  findReasons: FindReasons,
): AsyncGenerator<readonly PublicLine[]> {
  for await (const batch of batches) yield withReasons(batch, findReasons);
}

/** A line does not carry the reason of its adjustment, which never changes. */
const withReasons = async (
  lines: readonly PublicLine[],
  findReasons: FindReasons,
): Promise<readonly PublicLine[]> => {
  const ids = lines.flatMap((line) => (line.referenceType === 'adjustment' ? [line.referenceId] : []));
  if (ids.length === 0) return lines;
  const reasons = await findReasons(ids);
  return lines.map((line) => ({ ...line, description: reasons.get(line.referenceId) ?? line.description }));
};
