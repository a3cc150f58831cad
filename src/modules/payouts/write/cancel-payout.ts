import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { endProposals, type FindPending } from '../../proposals/write/proposals.store.ts';
import { cancelPayoutRequest, PAYOUT_REQUESTS, type PayoutRequest } from './payout-request.ts';

/**
 * Cancels a pending request of the merchant or of one of its sub-merchants; 404 for a request that the caller may not
 * see.
 */
export type CancelPayout = Command<{ readonly principal: Principal; readonly id: string }, PayoutRequest>;

export const createCancelPayout =
  ({ transact, clock, findPending }: Changing & { readonly findPending: FindPending }): CancelPayout =>
  async ({ principal, id }, context) => {
    const approvals = await findPending(id);
    return transact(context, async (tx) => {
      const request = visible(
        principal,
        existing(await tx.get(PAYOUT_REQUESTS, id), 'Payout request'),
        'Payout request',
      );
      const now = clock();
      const decision = cancelPayoutRequest(request, now);
      await endProposals(tx, approvals, 'the merchant cancelled the payout request', now);
      return tx.record(PAYOUT_REQUESTS, request, decision);
    });
  };
