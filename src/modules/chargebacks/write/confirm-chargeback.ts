import type { Command } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markChargeback } from '../../charges/write/charge.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { chargebackJournal } from './alert.journal.ts';
import { recordConfirmation } from './alert.ts';
import { CHARGEBACK_ALERTS, type FindAlertOf } from './chargebacks.store.ts';

/** Records the acquirer's confirmation: after an alert the money is back already, without one the charge is debited. */
export type RecordChargeback = (tx: Transaction, charge: Charge, now: Date) => Promise<Charge>;

export const createRecordChargeback =
  (deps: { readonly findAlertOf: FindAlertOf; readonly newId: NewId }): RecordChargeback =>
  async (tx, charge, now) => {
    const confirmed = await tx.record(CHARGES, charge, markChargeback(charge, now));
    if (charge.status === 'paid') {
      await postJournal(tx, chargebackJournal(charge, now, deps.newId));
      return confirmed;
    }
    const alert = await deps.findAlertOf(charge.id, tenantOf(charge));
    if (!alert) throw new Error(`charge ${charge.id} is ${charge.status} without an alert`);
    await tx.record(CHARGEBACK_ALERTS, alert, recordConfirmation(alert, now));
    return confirmed;
  };

/** A person enters the acquirer's confirmation. 422 REFUND_PENDING, TRANSITION_NOT_ALLOWED. */
export type ConfirmChargeback = Command<{ readonly principal: Principal; readonly chargeId: string }, Charge>;

export const createConfirmChargeback =
  (deps: Changing & { readonly recordChargeback: RecordChargeback }): ConfirmChargeback =>
  ({ principal, chargeId }, context) =>
    deps.transact(context, async (tx) => {
      const charge = visible(principal, await tx.get(CHARGES, chargeId), 'Charge');
      return deps.recordChargeback(tx, charge, deps.clock());
    });
