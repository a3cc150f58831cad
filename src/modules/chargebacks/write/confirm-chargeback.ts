import type { Command } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markChargeback } from '../../charges/write/charge.ts';
import { refundPending } from '../../charges/write/refusals.ts';
import { disputeIdOf, openDispute } from '../../disputes/write/dispute.ts';
import { DISPUTES } from '../../disputes/write/disputes.store.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { chargebackJournal } from './alert.journal.ts';
import { recordConfirmation } from './alert.ts';
import { CHARGEBACK_ALERTS } from './chargebacks.store.ts';
import { type ChargebackSource, payBackOnce } from './pay-back-once.ts';

/**
 * Records the acquirer's confirmation. After an alert the money was taken back already; without one the charge is
 * debited now. 422 REFUND_PENDING while a refund of the charge, an alert's included, is pending, because it may have
 * taken the money; 422 TRANSITION_NOT_ALLOWED from a status that the chargeback cannot follow.
 */
export type RecordChargeback = (
  tx: Transaction,
  charge: Charge,
  source: ChargebackSource,
  now: Date,
) => Promise<Charge>;

export const createRecordChargeback =
  ({ newId }: { readonly newId: NewId }): RecordChargeback =>
  async (tx, charge, source, now) => {
    const refund = await refundOf(tx, charge);
    if (refund?.status === 'pending') throw refundPending();
    const confirmed = await tx.record(CHARGES, charge, markChargeback(charge, now));
    const announced = await tx.get(DISPUTES, disputeIdOf(charge.id));
    await tx.record(DISPUTES, announced, openDispute(charge, announced, now));
    if (charge.status === 'paid') {
      await postJournal(tx, chargebackJournal(charge, now, newId));
      return confirmed;
    }
    const alert = refund?.alertId && (await tx.get(CHARGEBACK_ALERTS, refund.alertId));
    if (!refund || !alert) throw new Error(`charge ${charge.id} is ${charge.status} without an alert`);
    await tx.record(CHARGEBACK_ALERTS, alert, recordConfirmation(alert, now));
    await payBackOnce(tx, confirmed, refund, source, now, newId);
    return confirmed;
  };

/** The charge's refund that is pending or done, an alert's included. */
export const refundOf = async (tx: Transaction, charge: Charge): Promise<Refund | null> =>
  charge.refundId === null ? null : tx.get(REFUNDS, charge.refundId);

/** Records the acquirer's confirmation for an operator. 422 REFUND_PENDING, TRANSITION_NOT_ALLOWED. */
export type ConfirmChargeback = Command<{ readonly principal: Principal; readonly chargeId: string }, Charge>;

export const createConfirmChargeback =
  (deps: Changing & { readonly recordChargeback: RecordChargeback }): ConfirmChargeback =>
  ({ principal, chargeId }, context) =>
    deps.transact(context, async (tx) => {
      const charge = visible(principal, await tx.get(CHARGES, chargeId), 'Charge');
      const userId = principal.kind === 'operator' ? principal.userId : null;
      return deps.recordChargeback(tx, charge, { userId, pspRefId: null }, deps.clock());
    });
