import type { Clock } from '../../../kernel/clock.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { OperatorPrincipal, Principal } from '../../../kernel/principal.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transact.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { Operators } from '../../proposals/write/operators.ts';
import { assertOldEnough } from '../../proposals/write/proposal.ts';
import { adjustmentJournal } from './adjustment.journal.ts';
import { ADJUSTMENTS, type Adjustment, approveAdjustment, rejectAdjustment } from './adjustment.ts';

/** Books an adjustment, or refuses it. Of concurrent calls exactly one does, the others get 422. */
export type ProcessAdjustment = (
  command: { readonly principal: Principal; readonly id: string } & (
    | { readonly outcome: 'approved' }
    | { readonly outcome: 'rejected'; readonly rejectionReason: string | null }
  ),
  context: CommandContext,
) => Promise<Adjustment>;

export const createProcessAdjustment = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Whether the account of the second operator has to be older than a day. */
  readonly isTwoPersonRule: boolean;
  readonly operators: Pick<Operators, 'find'>;
}): ProcessAdjustment => {
  const approve = async (
    tx: Transaction,
    adjustment: Adjustment,
    { userId }: OperatorPrincipal,
  ): Promise<Adjustment> => {
    const now = deps.clock();
    const booked = adjustmentJournal(adjustment, now, deps.newId);
    const entry = booked.postings.find((posting) => posting.merchantId !== null);
    if (!entry) throw new Error(`adjustment ${adjustment.id} moves nothing`);
    const decision = approveAdjustment(adjustment, { userId, ledgerEntryId: entry.id }, now);
    if (deps.isTwoPersonRule) {
      const approver = await deps.operators.find(tx, userId);
      if (!approver) throw forbidden('APPROVER_NOT_ALLOWED');
      assertOldEnough(approver, now);
    }
    const approved = await tx.record(ADJUSTMENTS, adjustment, decision);
    await postJournal(tx, booked);
    return approved;
  };

  return ({ principal, id, ...command }, context) =>
    deps.transact(context, async (tx) => {
      if (principal.kind !== 'operator') throw forbidden('OPERATORS_ONLY');
      const adjustment = await tx.get(ADJUSTMENTS, id);
      if (!adjustment || adjustment.livemode !== principal.livemode) throw notFound('Adjustment');
      if (command.outcome === 'approved') return approve(tx, adjustment, principal);
      const by = { userId: principal.userId, rejectionReason: command.rejectionReason };
      return tx.record(ADJUSTMENTS, adjustment, rejectAdjustment(adjustment, by, deps.clock()));
    });
};
