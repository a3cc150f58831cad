import { notFound } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import type { ChargeBody, ChargeRequest } from './charge-request.ts';

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/**
 * The request with the facts about its payer, which are taken from the request itself or from the seller's customer as
 * it is now. 404 for a customer of another seller or environment, and for one that is deleted.
 */
export const withPayer = async (
  { customer, customerId, ...request }: ChargeBody,
  seller: Seller,
  findCustomer: FindById<CustomerRecord>,
  tenantId: TenantId | null,
): Promise<ChargeRequest> => {
  if (customer) return { ...request, customer };
  const found = customerId === undefined ? null : await findCustomer(customerId, tenantId);
  if (!found || found.merchantId !== seller.merchantId || found.livemode !== seller.livemode)
    throw notFound('Customer');
  const { id, name, email, phone, document, address } = found;
  // Both are null once a customer is deleted.
  if (name === null || email === null) throw notFound('Customer');
  return { ...request, customerId: id, customer: { name, email, phone, document, address } };
};
