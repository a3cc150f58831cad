import type { Command } from '../../../kernel/event.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { grossOf } from '../../charges/write/charge.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import type { StrayMoney } from '../../suspense/write/suspense.ts';
import { applyOutcome, closeDispute, type Dispute, type DisputeOutcome, disputeIdOf } from './dispute.ts';
import { DISPUTES } from './disputes.store.ts';

/**
 * Records the acquirer's decision for an operator. After a won dispute its money is held in suspense until it is booked
 * to the merchant. 422 DISPUTE_NOT_OPEN.
 */
export type CloseDispute = Command<
  { readonly principal: Principal; readonly id: string; readonly outcome: DisputeOutcome },
  Dispute
>;

export const createCloseDispute =
  (deps: Creating): CloseDispute =>
  ({ principal, id, outcome }, context) =>
    deps.transact(context, async (tx) => {
      const dispute = visible(principal, await tx.get(DISPUTES, id), 'Dispute');
      const now = deps.clock();
      const closed = await tx.record(DISPUTES, dispute, closeDispute(dispute, outcome, now));
      if (outcome === 'lost') return closed;
      const charge = await tx.get(CHARGES, dispute.chargeId);
      if (!charge) throw new Error(`charge ${dispute.chargeId} is gone`);
      const { livemode, provider, currency, merchantId } = charge;
      const amount = grossOf(charge);
      const accountOwnerId = charge.collectedBy ?? null;
      const about = { livemode, provider, amount, currency, merchantId, accountOwnerId, chargeId: charge.id };
      await holdMoney(
        tx,
        { ...about, reason: 'chargeback_reversed', reference: charge.id, pspRefId: null, direction: 'in' },
        now,
        deps.newId,
      );
      return closed;
    });

/**
 * Records the decision that a provider reports. The money that a won dispute brought back is held in suspense, also
 * where there is no dispute. Where an operator entered the decision before, the money is held already.
 */
export type RecordDisputeOutcome = (
  tx: Transaction,
  told:
    | { readonly outcome: 'won'; readonly money: StrayMoney }
    | { readonly outcome: 'lost'; readonly chargeId: string },
  now: Date,
) => Promise<'applied' | 'suspense' | 'ignored'>;

export const createRecordDisputeOutcome =
  ({ newId }: Pick<Creating, 'newId'>): RecordDisputeOutcome =>
  async (tx, told, now) => {
    const chargeId = told.outcome === 'won' ? told.money.chargeId : told.chargeId;
    const dispute = chargeId === null ? null : await tx.get(DISPUTES, disputeIdOf(chargeId));
    if (dispute?.state === told.outcome) return 'ignored';
    const decision = dispute && applyOutcome(dispute, told.outcome, now);
    if (dispute && decision) await tx.record(DISPUTES, dispute, decision);
    if (told.outcome === 'lost') return decision ? 'applied' : 'ignored';
    await holdMoney(tx, told.money, now, newId);
    return 'suspense';
  };
