import type { Clock } from '../../../kernel/clock.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { type ManualRefundRequest, resolveManualRefund } from './manual-refund-request.ts';

/** Marks a manual refund as made (specification 4.5): of concurrent calls exactly one does, the others get 422. */
export type ResolveManualRefund = (
  command: { readonly principal: Principal; readonly id: string; readonly notes: string | null },
  context: CommandContext,
) => Promise<ManualRefundRequest>;

export const createResolveManualRefund =
  (deps: { readonly transact: Transact; readonly clock: Clock }): ResolveManualRefund =>
  ({ principal, id, notes }, context) =>
    deps.transact(context, async (tx) => {
      if (principal.kind !== 'operator') throw forbidden('OPERATORS_ONLY');
      const request = await tx.get(MANUAL_REFUND_REQUESTS, id);
      if (!request || !mayRead(principal, { ...request, masterId: null }))
        throw notFound('Manual refund request');
      const by = { userId: principal.userId, notes };
      return tx.record(MANUAL_REFUND_REQUESTS, request, resolveManualRefund(request, by, deps.clock()));
    });
