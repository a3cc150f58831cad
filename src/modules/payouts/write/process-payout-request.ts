import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Creating, OwnTransaction, Transaction } from '../../../platform/write-store/transaction.ts';
import type { DebitAvailable, FoldOutstanding } from '../../ledger/write/fold-outstanding.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { endProposals, type FindPending } from '../../proposals/write/proposals.store.ts';
import { payoutJournal, payoutReversalJournal, transferSentJournal } from './payout.journal.ts';
import {
  approvePayoutRequest,
  PAYOUT_REQUESTS,
  type PayoutRequest,
  rejectPayoutRequest,
  reportTransfer,
  type TransferReport,
} from './payout-request.ts';

/** An operator's decision on a request, or report on its transfer, in the environment of the operator's token. */
export type ProcessPayoutRequest = Command<
  { readonly id: string; readonly livemode: boolean } & (
    | { readonly outcome: 'approved' }
    | { readonly outcome: 'rejected'; readonly rejectionReason: string }
    | { readonly outcome: 'transfer'; readonly report: TransferReport }
  ),
  PayoutRequest
>;

/** Exactly one of several concurrent calls takes effect, and the others get 422. 404 for an unknown request. */
export const createProcessPayoutRequest = (
  deps: Creating & {
    readonly findPayoutRequest: (id: string) => Promise<PayoutRequest | null>;
    readonly foldOutstanding: FoldOutstanding;
    readonly debitAvailable: DebitAvailable;
    readonly findPending: FindPending;
  },
): ProcessPayoutRequest => {
  /**
   * 422 MERCHANT_NOT_ACTIVE for a blocked merchant, INSUFFICIENT_BALANCE where `available` is too low. Either way the
   * request stays pending.
   */
  const approve = async (tx: OwnTransaction, request: PayoutRequest): Promise<PayoutRequest> => {
    const now = deps.clock();
    const merchant = await tx.get(MERCHANTS, request.merchantId);
    if (!merchant) throw new Error(`merchant ${request.merchantId} of payout request ${request.id} is gone`);
    const decision = approvePayoutRequest(request, merchant, now);
    await deps.debitAvailable(tx, request.merchantId, payoutJournal(request, now, deps.newId));
    return tx.record(PAYOUT_REQUESTS, request, decision);
  };
  const transfer = async (
    tx: Transaction,
    request: PayoutRequest,
    report: TransferReport,
  ): Promise<PayoutRequest> => {
    const now = deps.clock();
    const reported = await tx.record(PAYOUT_REQUESTS, request, reportTransfer(request, report, now));
    const journalOf = report.status === 'sent' ? transferSentJournal : payoutReversalJournal;
    await postJournal(tx, journalOf(request, now, deps.newId));
    return reported;
  };

  return async ({ id, livemode, ...command }, context) => {
    const visible = (request: PayoutRequest | null): PayoutRequest => {
      if (request?.livemode !== livemode) throw notFound('Payout request');
      return request;
    };
    if (command.outcome === 'approved') {
      const { merchantId, status } = visible(await deps.findPayoutRequest(id));
      if (status === 'pending') await deps.foldOutstanding(merchantId, livemode);
      return deps.transact.alone(context, async (tx) =>
        approve(tx, visible(await tx.get(PAYOUT_REQUESTS, id))),
      );
    }
    const approvals = command.outcome === 'rejected' ? await deps.findPending(id) : [];
    return deps.transact(context, async (tx) => {
      const request = visible(await tx.get(PAYOUT_REQUESTS, id));
      switch (command.outcome) {
        case 'rejected': {
          const now = deps.clock();
          const decision = rejectPayoutRequest(request, command.rejectionReason, now);
          await endProposals(tx, approvals, 'the payout request was rejected', now);
          return tx.record(PAYOUT_REQUESTS, request, decision);
        }
        case 'transfer':
          return transfer(tx, request, command.report);
      }
    });
  };
};
