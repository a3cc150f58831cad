import Joi from 'joi';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { PAYMENT_TYPES } from '../../providers/provider.ts';
import { CHARGE_STATUSES } from '../write/charge.ts';
import { CHARGES_VIEW, type ChargeDocument, type PublicCharge, presentCharge } from './charge.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });
const number = (field: string) => ({ field, kind: 'number' as const });
const date = (field: string) => ({ field, kind: 'date' as const });

/** Specification 4.1 with the filters and sort fields of decisions 3. */
export const CHARGE_LIST = defineList({
  sortable: {
    id: keyword('id'),
    status: keyword('status'),
    amount: number('comparable.amount'),
    currency: keyword('currency'),
    spread: number('comparable.spread'),
    net: number('comparable.net'),
    merchantId: keyword('merchantId'),
    pspRefId: keyword('pspRefId'),
    reference: keyword('reference'),
    'customer.name': keyword('customer.name'),
    'customer.email': keyword('customer.email'),
    'paymentMethod.type': keyword('paymentMethod.type'),
    paidAt: date('paidAt'),
    createdAt: date('createdAt'),
    updatedAt: date('updatedAt'),
  },
  filters: {
    status: { ...keyword('status'), schema: Joi.string().valid(...CHARGE_STATUSES) },
    merchantId: keyword('merchantId'),
    reference: keyword('reference'),
    currency: keyword('currency'),
    paymentMethod: { ...keyword('paymentMethod.type'), schema: Joi.string().valid(...PAYMENT_TYPES) },
    customerEmail: keyword('customer.email'),
    customerDocument: keyword('customer.document'),
    pspRefId: keyword('pspRefId'),
    amount: number('comparable.amount'),
    createdAt: date('createdAt'),
    paidAt: date('paidAt'),
    updatedAt: date('updatedAt'),
    q: { field: 'words', kind: 'words' },
  },
});

export type ListCharges = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicCharge>>;

type Deps = {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
  readonly findMerchants: FindMerchants;
};

export const createListCharges =
  (deps: Deps): ListCharges =>
  async (principal, query, consistencyToken) => {
    await prepare(deps, principal, query, consistencyToken);
    const scope = scopeOf(principal);
    const page = await CHARGE_LIST.search<ChargeDocument>(deps.readStore, CHARGES_VIEW, query, scope);
    return { ...page, data: page.data.map(presentCharge) };
  };

/** All charges that a list is asked for, whatever its page, batch by batch. */
export type ScanCharges = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<AsyncIterable<readonly PublicCharge[]>>;

export const createScanCharges =
  (deps: Deps): ScanCharges =>
  async (principal, query, consistencyToken) => {
    await prepare(deps, principal, query, consistencyToken);
    const scope = scopeOf(principal);
    return presented(CHARGE_LIST.scan<ChargeDocument>(deps.readStore, CHARGES_VIEW, query, scope));
  };

async function* presented(
  batches: AsyncIterable<readonly ChargeDocument[]>,
): AsyncGenerator<readonly PublicCharge[]> {
  for await (const batch of batches) yield batch.map(presentCharge);
}

const prepare = async (
  deps: Deps,
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
): Promise<void> => {
  await assertMayNameMerchant(principal, query.merchantId as MerchantId | undefined, deps.findMerchants);
  await deps.viewReady(CHARGES_VIEW);
  await deps.awaitConsistency(CHARGES_VIEW, consistencyToken);
};
