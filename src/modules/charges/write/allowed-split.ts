import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { assertSplitAllowed, type SplitEntry } from './split.ts';

/** The participants of a split, who may receive at the moment; 422 SPLIT_NOT_ALLOWED. */
export const allowedSplit = async (
  findMerchants: FindMerchants,
  merchant: Pick<Merchant, 'id' | 'masterId'>,
  split: readonly SplitEntry[] | null,
  livemode: boolean,
): Promise<readonly SplitEntry[] | null> => {
  if (split === null || split.length === 0) return split;
  const receivers = await findMerchants(split.map(({ merchantId }) => merchantId));
  assertSplitAllowed(merchant, split, receivers, livemode);
  return split;
};
