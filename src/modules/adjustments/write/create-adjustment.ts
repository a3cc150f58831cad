import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { operatorsOnly, type Principal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { ADJUSTMENTS, type Adjustment, type NewAdjustment, openAdjustment } from './adjustment.ts';

/** Proposes an adjustment in the caller's environment; 404 for a merchant that does not exist there. */
export type CreateAdjustment = Command<NewAdjustment & { readonly principal: Principal }, Adjustment>;

export const createAdjustmentHandler =
  (deps: Creating): CreateAdjustment =>
  async ({ principal, ...command }, context) => {
    if (principal.kind !== 'operator') throw operatorsOnly();
    const { userId, livemode } = principal;
    const id = deps.newId('adj');
    return deps.transact(context, async (tx) => {
      const merchant = await tx.get(MERCHANTS, command.merchantId);
      if (!merchant || (merchant.livemode ?? livemode) !== livemode) throw notFound('Merchant');
      const by = { id, masterId: merchant.masterId, userId, livemode };
      return tx.record(ADJUSTMENTS, null, openAdjustment(command, by, deps.clock()));
    });
  };
