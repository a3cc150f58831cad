import type { MerchantId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { ListFilter, ListQuery, Page } from '../../../platform/read-store/list.ts';
import type { Listing, ReadView } from '../../../platform/read-store/read-view.ts';
import { assertMayNameMerchant, type FindMerchants } from '../write/find-merchants.store.ts';

/** The filter of such a list by merchant. */
export const BY_MERCHANT: ListFilter = {
  kind: 'keyword',
  field: 'merchantId',
  description: 'The caller or one of its sub-merchants, for an operator any merchant; 403 for others.',
};

/** Lists that merchants see; a `merchantId` in the query that the caller may not name is a 403 (decisions 2). */
export type ListVisible = {
  page<D, P>(
    listing: Listing<D, P>,
    principal: Principal,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<Page<P>>;
  all<D, P>(
    listing: Listing<D, P>,
    principal: Principal,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<AsyncIterable<readonly P[]>>;
};

export const createListVisible = ({
  readView,
  findMerchants,
}: {
  readonly readView: ReadView;
  readonly findMerchants: FindMerchants;
}): ListVisible => {
  const assertMayAsk = (principal: Principal, query: ListQuery): Promise<void> =>
    assertMayNameMerchant(principal, query.merchantId as MerchantId | undefined, findMerchants);
  return {
    async page(listing, principal, query, consistencyToken) {
      await assertMayAsk(principal, query);
      return readView.page(listing, principal, query, consistencyToken);
    },
    async all(listing, principal, query, consistencyToken) {
      await assertMayAsk(principal, query);
      return readView.all(listing, principal, query, consistencyToken);
    },
  };
};
