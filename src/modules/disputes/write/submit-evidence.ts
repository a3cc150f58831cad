import type { Command } from '../../../kernel/event.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { type Dispute, submitEvidence } from './dispute.ts';
import { DISPUTES } from './disputes.store.ts';

/**
 * Submits the evidence of a dispute, which a worker then hands to the provider. 422 DISPUTE_NOT_OPEN, EVIDENCE_MISSING.
 */
export type SubmitEvidence = Command<{ readonly principal: Principal; readonly id: string }, Dispute>;

export const createSubmitEvidence =
  (deps: Changing): SubmitEvidence =>
  ({ principal, id }, context) =>
    deps.transact(context, async (tx) => {
      const dispute = visible(principal, await tx.get(DISPUTES, id), 'Dispute');
      return tx.record(DISPUTES, dispute, submitEvidence(dispute, deps.clock()));
    });
