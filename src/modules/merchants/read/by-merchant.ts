import type { Within } from '../../../platform/http/list.ts';
import type { GetMerchant } from './get-merchant.ts';

/** A filter for lists that merchants can call; 403 for a merchant that the caller may not name. */
export const BY_MERCHANT = {
  ofMerchant: true,
  description: 'The caller or one of its sub-merchants, for an operator any merchant; 403 for others.',
} as const;

/** A filter for lists that only operators can call. */
export const BY_ANY_MERCHANT = { description: 'Only those of this merchant, `mer_…`.' } as const;

/** The scope of lists below the path of a merchant, given the view's field for the merchant; 404 for an unknown one. */
export const inPathOfMerchant =
  (
    field: 'merchantId' | 'owner',
    ...others: Awaited<ReturnType<Within>>
  ): Within<{ readonly getMerchant: GetMerchant }> =>
  async ({ params: { id = '' } }, { getMerchant }) => [
    { term: { [field]: (await getMerchant(id)).id } },
    ...others,
  ];
