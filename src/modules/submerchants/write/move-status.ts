import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import { moveStatus, type StatusMove } from './submerchant.ts';

/** Of concurrent calls for the same move exactly one makes it, the others get 422, or 409 where they name the version. */
export type MoveStatus = (
  command: StatusMove & { readonly id: string },
  context: CommandContext,
) => Promise<Merchant>;

export const createMoveStatus =
  (deps: Changing): MoveStatus =>
  ({ id, ...move }, context) =>
    deps.transact(context, async (tx) => {
      const submerchant = await tx.get(MERCHANTS, id);
      if (!submerchant || submerchant.masterId === null) throw notFound('Sub-merchant');
      return tx.record(MERCHANTS, submerchant, moveStatus(submerchant, move, deps.clock()));
    });
