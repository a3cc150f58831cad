import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { type OperatorPrincipal, operatorsOnly, type Principal } from '../../../kernel/principal.ts';
import type { Creating, OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { AssertApprover } from '../../proposals/write/assert-approver.ts';
import { adjustmentJournal } from './adjustment.journal.ts';
import { ADJUSTMENTS, type Adjustment, approveAdjustment, rejectAdjustment } from './adjustment.ts';

/** Books or rejects an adjustment. Of concurrent calls exactly one does, and the others get 422. */
export type ProcessAdjustment = Command<
  { readonly principal: Principal; readonly id: string } & (
    | { readonly outcome: 'approved' }
    | { readonly outcome: 'rejected'; readonly rejectionReason: string | null }
  ),
  Adjustment
>;

export const createProcessAdjustment = (
  deps: Creating & { readonly assertApprover: AssertApprover },
): ProcessAdjustment => {
  const approve = async (
    tx: OwnTransaction,
    adjustment: Adjustment,
    { userId }: OperatorPrincipal,
  ): Promise<Adjustment> => {
    const now = deps.clock();
    const booked = adjustmentJournal(adjustment, now, deps.newId);
    const entry = booked.postings.find((posting) => posting.merchantId !== null);
    if (!entry) throw new Error(`adjustment ${adjustment.id} moves nothing`);
    const decision = approveAdjustment(adjustment, { userId, ledgerEntryId: entry.id }, now);
    await deps.assertApprover(tx, userId);
    const approved = await tx.record(ADJUSTMENTS, adjustment, decision);
    await postJournal(tx, booked);
    return approved;
  };

  return ({ principal, id, ...command }, context) =>
    deps.transact.alone(context, async (tx) => {
      if (principal.kind !== 'operator') throw operatorsOnly();
      const adjustment = await tx.get(ADJUSTMENTS, id);
      if (!adjustment || adjustment.livemode !== principal.livemode) throw notFound('Adjustment');
      if (command.outcome === 'approved') return approve(tx, adjustment, principal);
      const by = { userId: principal.userId, rejectionReason: command.rejectionReason };
      return tx.record(ADJUSTMENTS, adjustment, rejectAdjustment(adjustment, by, deps.clock()));
    });
};
