import { notFound } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { StoredMethod } from './stored-method.ts';

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/** Finds a payment method of the seller in this environment; 404 for any other. */
export type FindStoredMethod = (
  id: string,
  seller: Seller,
  tenantId: TenantId | null,
) => Promise<StoredMethod>;

export const createFindStoredMethod =
  (deps: { readonly findMethod: FindById<StoredMethod> }): FindStoredMethod =>
  async (id, seller, tenantId) => {
    const method = await deps.findMethod(id, tenantId);
    if (method?.merchantId !== seller.merchantId || method.livemode !== seller.livemode)
      throw notFound('Payment method');
    return method;
  };

/** For a gateway that has stored no cards, such as the one that seeds a history: every method is unknown. */
export const NO_STORED_METHODS: FindStoredMethod = async () => {
  throw notFound('Payment method');
};
