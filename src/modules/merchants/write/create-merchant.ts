import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { MERCHANTS, type Merchant, type NewMerchant, openMerchant } from './merchant.ts';

export type CreateMerchant = (command: NewMerchant, context: CommandContext) => Promise<Merchant>;

export const createMerchant = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
}): CreateMerchant => {
  return async (command, context) => {
    const decision = openMerchant(command, deps.newId('mer'), deps.clock());
    return deps.transact(context, (tx) => tx.record(MERCHANTS, null, decision));
  };
};
