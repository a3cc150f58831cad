import type { MerchantId } from '../../../kernel/ids.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { ListQuery, Page } from '../../../platform/read-store/list.ts';
import type { Listing, ReadView } from '../../../platform/read-store/read-view.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { readableEvents } from '../write/event-readers.ts';

/** Pages of what is about events, as far as the caller may read the resources of these events. */
export type ListReadable = <D, P>(
  listing: Listing<D, P>,
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<P>>;

export const createListReadable =
  (readView: ReadView, findMerchants: FindMerchants): ListReadable =>
  async (listing, principal, query, consistencyToken) => {
    await assertMayNameMerchant(principal, query.merchantId as MerchantId | undefined, findMerchants);
    const readable = { terms: { event: [...readableEvents(principal)] } };
    return readView.page(listing, [...scopeOf(principal), readable], query, consistencyToken);
  };
