import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { FEE_DEFINITIONS, type FeeDefinition, type FeeDefinitions, replaceFeeDefinitions } from './fees.ts';
import { MERCHANTS } from './merchant.ts';

export type PutFeeDefinitionsCommand = {
  readonly merchantId: string;
  readonly definitions: readonly FeeDefinition[];
};
export type PutFeeDefinitions = (
  command: PutFeeDefinitionsCommand,
  context: CommandContext,
) => Promise<FeeDefinitions>;

export const putFeeDefinitions = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
}): PutFeeDefinitions => {
  return ({ merchantId, definitions }, context) =>
    deps.transact(context, async (tx) => {
      const merchant = await tx.get(MERCHANTS, merchantId);
      if (!merchant) throw notFound('Merchant');
      const previous = await tx.get(FEE_DEFINITIONS, merchant.id);
      const decision = replaceFeeDefinitions(merchant.id, definitions, deps.clock());
      return tx.record(FEE_DEFINITIONS, previous, decision);
    });
};
