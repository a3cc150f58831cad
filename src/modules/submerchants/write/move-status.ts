import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import { moveStatus, type StatusMove } from './submerchant.ts';

/**
 * Moves the status of a sub-merchant. Of several concurrent calls for the same move exactly one makes it; the others
 * get 422, or 409 where they name the version.
 */
export type MoveStatus = Command<StatusMove & { readonly id: string }, Merchant>;

export const createMoveStatus =
  (deps: Changing): MoveStatus =>
  ({ id, ...move }, context) =>
    deps.transact(context, async (tx) => {
      const submerchant = await tx.get(MERCHANTS, id);
      if (!submerchant || submerchant.masterId === null) throw notFound('Sub-merchant');
      return tx.record(MERCHANTS, submerchant, moveStatus(submerchant, move, deps.clock()));
    });
