import type { Command } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS, type Merchant, type NewMerchant, openMerchant } from './merchant.ts';

export type CreateMerchant = Command<NewMerchant, Merchant>;

export const createMerchantHandler = (deps: Creating): CreateMerchant => {
  return async (command, context) => {
    const decision = openMerchant(command, deps.newId('mer'), deps.clock());
    return deps.transact(context, (tx) => tx.record(MERCHANTS, null, decision));
  };
};
