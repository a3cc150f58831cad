import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markChargeback } from '../../charges/write/charge.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { chargebackJournal } from './alert.journal.ts';
import { recordConfirmation } from './alert.ts';
import { CHARGEBACK_ALERTS, type FindAlertOf } from './chargebacks.store.ts';

/**
 * The acquirer confirms a chargeback (decisions 6): after an alert the money is back already, without one the charge
 * is debited now.
 */
export type ConfirmChargeback = (
  command: { readonly principal: Principal; readonly chargeId: string },
  context: CommandContext,
) => Promise<Charge>;

export const createConfirmChargeback =
  (deps: {
    readonly transact: Transact;
    readonly findAlertOf: FindAlertOf;
    readonly clock: Clock;
    readonly newId: NewId;
  }): ConfirmChargeback =>
  ({ principal, chargeId }, context) =>
    deps.transact(context, async (tx) => {
      const charge = await tx.get(CHARGES, chargeId);
      if (!charge || !mayRead(principal, charge)) throw notFound('Charge');
      const now = deps.clock();
      const confirmed = await tx.record(CHARGES, charge, markChargeback(charge, now));
      if (charge.status === 'paid') {
        await postJournal(tx, chargebackJournal(charge, now, deps.newId));
        return confirmed;
      }
      const alert = await deps.findAlertOf(charge.id, tx.session);
      if (!alert) throw new Error(`charge ${charge.id} is ${charge.status} without an alert`);
      await tx.record(CHARGEBACK_ALERTS, alert, recordConfirmation(alert, now));
      return confirmed;
    });
