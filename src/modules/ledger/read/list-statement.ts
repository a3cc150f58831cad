import Joi from 'joi';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../write/journal.ts';
import { type PublicLine, presentLine, STATEMENT_VIEW, type StatementDocument } from './statement.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });

/** Decisions 7. Lines of one moment are in the order of their balances, in either direction. */
export const STATEMENT_LIST = defineList({
  orderBy: '-createdAt',
  sortable: {
    createdAt: { field: 'createdAt', kind: 'date', within: 'seq' },
    amount: { field: 'comparable.amount', kind: 'number', within: 'seq' },
    movement_type: keyword('movement_type'),
    referenceType: keyword('referenceType'),
  },
  filters: {
    movement_type: { ...keyword('movement_type'), schema: Joi.string().valid(...MOVEMENT_TYPES) },
    referenceType: { ...keyword('referenceType'), schema: Joi.string().valid(...REFERENCE_TYPES) },
    referenceId: keyword('referenceId'),
    currency: keyword('currency'),
    bucket: { ...keyword('bucket'), schema: Joi.string().valid('reserved', 'available') },
    merchantId: keyword('merchantId'),
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

type Deps = {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
  readonly findMerchants: FindMerchants;
};

export type ListStatement = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicLine>>;

export const createListStatement =
  (deps: Deps): ListStatement =>
  async (principal, query, consistencyToken) => {
    await prepare(deps, principal, query, consistencyToken);
    const scope = scopeOf(principal);
    const page = await STATEMENT_LIST.search<StatementDocument>(deps.readStore, STATEMENT_VIEW, query, scope);
    return { ...page, data: page.data.map(presentLine) };
  };

/** The whole filtered statement, batch by batch. */
export type ScanStatement = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<AsyncIterable<readonly PublicLine[]>>;

export const createScanStatement =
  (deps: Deps): ScanStatement =>
  async (principal, query, consistencyToken) => {
    await prepare(deps, principal, query, consistencyToken);
    return presentBatches(
      STATEMENT_LIST.scan<StatementDocument>(deps.readStore, STATEMENT_VIEW, query, scopeOf(principal)),
    );
  };

async function* presentBatches(
  batches: AsyncIterable<readonly StatementDocument[]>,
): AsyncGenerator<readonly PublicLine[]> {
  for await (const batch of batches) yield batch.map(presentLine);
}

const prepare = async (
  deps: Deps,
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
): Promise<void> => {
  await assertMayNameMerchant(principal, query.merchantId as MerchantId | undefined, deps.findMerchants);
  await deps.viewReady(STATEMENT_VIEW);
  await deps.awaitConsistency(STATEMENT_VIEW, consistencyToken);
};
