import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { PaymentState } from '../../providers/provider.ts';
import { paidJournal } from './charge.journal.ts';
import { CHARGES } from './charge.store.ts';
import { applyPaymentState, type Charge } from './charge.ts';
import { type DelayDays, scheduleSettlement } from './settlement.ts';

/** Stores what the provider says of a charge; returns the charge as it stands then. Old news changes nothing. */
export type ConfirmPayment = (
  charge: Charge,
  state: PaymentState,
  context: CommandContext,
) => Promise<Charge>;

export const createConfirmPayment =
  (deps: {
    readonly transact: Transact;
    readonly findDelayDays: (merchantId: MerchantId) => Promise<DelayDays>;
    readonly clock: Clock;
    readonly newId: NewId;
  }): ConfirmPayment =>
  async (given, state, context) => {
    // The caller has just read or written the charge; only a second try needs to read it again.
    let known: Charge | null = given;
    const delayDays = state.status === 'paid' ? await deps.findDelayDays(given.merchantId) : [];
    return deps.transact(context, async (tx) => {
      const charge = known ?? (await tx.get(CHARGES, given.id)) ?? given;
      known = null;
      const now = deps.clock();
      const decision = applyPaymentState(charge, state, now);
      if (!decision) return charge;
      const next = await tx.record(CHARGES, charge, scheduleSettlement(decision, delayDays));
      if (next.status === 'paid') await postJournal(tx, paidJournal(next, now, deps.newId));
      return next;
    });
  };
