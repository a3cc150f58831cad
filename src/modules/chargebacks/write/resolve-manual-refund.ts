import { type GatewayError, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { mayRead, operatorsOnly, type Principal } from '../../../kernel/principal.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { USERS } from '../../identity/write/user.ts';
import { MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { type ManualRefundRequest, resolveManualRefund } from './manual-refund-request.ts';
import { manualRefundAlreadyResolved } from './refusals.ts';

/** Marks a manual refund as made. Of concurrent calls exactly one does, and the others are told who did. */
export type ResolveManualRefund = Command<
  { readonly principal: Principal; readonly id: string; readonly notes: string | null },
  ManualRefundRequest
>;

export const createResolveManualRefund =
  (deps: Changing): ResolveManualRefund =>
  ({ principal, id, notes }, context) =>
    deps.transact(context, async (tx) => {
      if (principal.kind !== 'operator') throw operatorsOnly();
      const request = await tx.get(MANUAL_REFUND_REQUESTS, id);
      if (!request || !mayRead(principal, { ...request, masterId: null }))
        throw notFound('Manual refund request');
      if (request.status === 'resolved') throw await resolvedBefore(tx, request);
      const by = { userId: principal.userId, notes };
      return tx.record(MANUAL_REFUND_REQUESTS, request, resolveManualRefund(request, by, deps.clock()));
    });

const resolvedBefore = async (tx: Transaction, request: ManualRefundRequest): Promise<GatewayError> => {
  const { resolved_by_user_id: userId, resolved_at: at } = request;
  const user = userId === null ? null : await tx.get(USERS, userId);
  const by = userId === null ? 'the confirmed chargeback' : (user?.email ?? 'another operator');
  return manualRefundAlreadyResolved(by, at ?? '');
};
