import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { PaymentState } from '../../providers/provider.ts';
import type { GiveBack } from '../../suspense/write/give-back.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import type { StrayMoney, SuspenseReason } from '../../suspense/write/suspense.ts';
import { paidJournal } from './charge.journal.ts';
import { CHARGES } from './charge.store.ts';
import { applyPaymentState, type Charge, strayReason } from './charge.ts';
import { type DelayDays, scheduleSettlement } from './settlement.ts';

/**
 * Stores what the provider says of a charge; returns the charge as it stands then. Old news changes nothing. A payment
 * that is none of this charge's goes to suspense, and back at once where it came too late (decisions 3).
 */
export type ConfirmPayment = (
  charge: Charge,
  state: PaymentState,
  context: CommandContext,
  known?: {
    /** What the provider was given, where it said so. */
    readonly paid?: { readonly amount: Minor; readonly currency: string };
    /** The merchant's settlement delays, where the caller has just read them. */
    readonly delayDays?: DelayDays;
  },
) => Promise<Charge>;

export const createConfirmPayment =
  (deps: {
    readonly transact: Transact;
    readonly findDelayDays: (merchantId: MerchantId) => Promise<DelayDays>;
    readonly clock: Clock;
    readonly newId: NewId;
    readonly giveBack: GiveBack;
  }): ConfirmPayment =>
  async (given, state, context, { paid, ...known } = {}) => {
    // The caller has just read or written the charge; only a second try needs to read it again.
    let fresh: Charge | null = given;
    const delayDays =
      state.status === 'paid' ? (known.delayDays ?? (await deps.findDelayDays(given.merchantId))) : [];
    const { charge: stands, held } = await deps.transact(context, async (tx) => {
      // What changes nothing of the charge has no version check, so it needs the charge as it is now.
      const read = async (): Promise<Charge> => (await tx.get(CHARGES, given.id)) ?? given;
      const seen = fresh ?? (await read());
      fresh = null;
      const now = deps.clock();
      const isStray = strayReason(seen, state, paid) !== null;
      const charge = isStray ? await read() : seen;
      const reason = strayReason(charge, state, paid);
      if (reason !== null)
        return {
          charge,
          held: await holdMoney(tx, strayMoney(charge, state, reason, paid), now, deps.newId),
        };
      const decision = applyPaymentState(charge, state, now);
      if (!decision) return { charge, held: null };
      const next = await tx.record(CHARGES, charge, scheduleSettlement(decision, delayDays));
      if (next.status === 'paid') await postJournal(tx, paidJournal(next, now, deps.newId));
      return { charge: next, held: null };
    });
    if (held) await deps.giveBack(held, context);
    return stands;
  };

const strayMoney = (
  { id, livemode, merchantId, provider, ...charge }: Charge,
  { pspRefId }: PaymentState,
  reason: SuspenseReason,
  { amount, currency }: { readonly amount: Minor; readonly currency: string } = charge,
): StrayMoney => ({
  livemode,
  provider,
  reason,
  reference: id,
  pspRefId,
  direction: 'in',
  amount,
  currency,
  chargeId: id,
  merchantId,
});
