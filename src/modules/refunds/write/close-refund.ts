import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transact.ts';
import { refundJournal } from '../../charges/write/charge.journal.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markRefunded, releaseFromRefund } from '../../charges/write/charge.ts';
import { reversed } from '../../ledger/write/journal.ts';
import { type FindJournal, postJournal } from '../../ledger/write/ledger.store.ts';
import type { RefundState } from '../../providers/provider.ts';
import { REFUNDS } from './refund.store.ts';
import { applyRefundState, type Refund } from './refund.ts';

/** Stores what the provider says of a refund; returns the refund as it stands then. Old news changes nothing. */
export type CloseRefund = (refund: Refund, state: RefundState, context: CommandContext) => Promise<Refund>;

/** Records on a chargeback alert what became of its refund. */
export type RecordAlertRefund = (tx: Transaction, refund: Refund, now: Date) => Promise<void>;

/** Does what the provider's chargeback asks for that waited for this refund; `charge` is as the refund left it. */
export type EndChargebackWait = (tx: Transaction, charge: Charge, refund: Refund, now: Date) => Promise<void>;

export const createCloseRefund =
  (deps: {
    readonly transact: Transact;
    readonly findJournal: FindJournal;
    readonly recordAlertRefund: RecordAlertRefund;
    readonly endChargebackWait: EndChargebackWait;
    readonly clock: Clock;
    readonly newId: NewId;
  }): CloseRefund =>
  (given, state, context) =>
    deps.transact(context, async (tx) => {
      const before = await tx.get(REFUNDS, given.id);
      const charge = await tx.get(CHARGES, given.chargeId);
      if (!before || !charge) throw new Error(`refund ${given.id} or its charge is gone`);
      const now = deps.clock();
      const decision = applyRefundState(before, state, now);
      if (!decision) return before;
      const after = await tx.record(REFUNDS, before, decision);
      if (after.alertId !== null) {
        // The alert has debited the merchant and decided on the charge's status (specification 4.5).
        await deps.recordAlertRefund(tx, after, now);
        return after;
      }
      const left = await recordOnCharge(tx, charge, after, now);
      if (after.booked && !before.booked)
        await postJournal(tx, refundJournal(charge, after.id, now, deps.newId));
      if (before.booked && !after.booked) {
        const booked = await deps.findJournal(tx, before.id);
        const { livemode, currency, chargeId, referenceType, referenceId } = booked;
        const about = { livemode, currency, chargeId, referenceType, referenceId };
        await postJournal(tx, reversed(booked, 'refund_reversal', about, now, deps.newId));
      }
      if (after.status !== 'pending') await deps.endChargebackWait(tx, left, after, now);
      return after;
    });

const recordOnCharge = async (
  tx: Transaction,
  charge: Charge,
  refund: Refund,
  now: Date,
): Promise<Charge> => {
  if (refund.status === 'refunded') return tx.record(CHARGES, charge, markRefunded(charge, now));
  return refund.blocking ? charge : tx.record(CHARGES, charge, releaseFromRefund(charge, now));
};
