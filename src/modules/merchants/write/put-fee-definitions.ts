import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { FEE_DEFINITIONS, type FeeDefinition, type FeeDefinitions, replaceFeeDefinitions } from './fees.ts';
import { MERCHANTS } from './merchant.ts';

type PutFeeDefinitionsCommand = {
  readonly merchantId: string;
  readonly definitions: readonly FeeDefinition[];
};
export type PutFeeDefinitions = Command<PutFeeDefinitionsCommand, FeeDefinitions>;

export const createPutFeeDefinitions = (deps: Changing): PutFeeDefinitions => {
  return ({ merchantId, definitions }, context) =>
    deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
      const previous = await tx.get(FEE_DEFINITIONS, merchant.id);
      const decision = replaceFeeDefinitions(merchant.id, definitions, deps.clock());
      return tx.record(FEE_DEFINITIONS, previous, decision);
    });
};
