import { notFound } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import type { ChargeBody, ChargeRequest } from './charge-request.ts';

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/**
 * The request with the facts about its payer, as it brings them itself or as the seller's customer has them now. 404
 * for a customer that is not the seller's in this environment, or that is deleted.
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
  // Both are gone once a customer is deleted.
  if (name === null || email === null) throw notFound('Customer');
  const country = address && { country: address.country };
  return { ...request, customerId: id, customer: { name, email, phone, document, address: country } };
};
