import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import {
  DEFAULT_SPLITS,
  type DefaultSplit,
  type DefaultSplitEntries,
  participantsOf,
  replaceDefaultSplit,
} from './default-split.ts';

/** 404 for an unknown merchant, 422 SPLIT_NOT_ALLOWED. */
export type PutDefaultSplit = Command<
  { readonly merchantId: string; readonly split: DefaultSplitEntries },
  DefaultSplit
>;

export const createPutDefaultSplit =
  (deps: Changing & { readonly findMerchants: FindMerchants }): PutDefaultSplit =>
  async ({ merchantId, split }, context) => {
    const receivers = await deps.findMerchants(participantsOf(split));
    return deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
      const previous = await tx.get(DEFAULT_SPLITS, merchant.id);
      const decision = replaceDefaultSplit(merchant, split, receivers, deps.clock());
      return tx.record(DEFAULT_SPLITS, previous, decision);
    });
  };
