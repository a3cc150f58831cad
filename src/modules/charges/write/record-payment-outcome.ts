import type { CommandContext } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { PaymentState } from '../../providers/provider.ts';
import { followWithMethod } from '../../stored-methods/write/keep-with-charge.ts';
import type { GiveBack } from '../../suspense/write/give-back.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import type { StrayMoney, SuspenseReason } from '../../suspense/write/suspense.ts';
import { paidJournal } from './charge.journal.ts';
import { CHARGES } from './charge.store.ts';
import { applyPaymentState, type Charge, isOver, strayReason } from './charge.ts';
import { type DelayDays, scheduleSettlement } from './settlement-schedule.ts';

/**
 * Stores what the provider says about a charge and returns the charge as it is then. Outdated news changes nothing. A
 * payment that does not count for this charge goes to suspense, and is given back at once if it came too late.
 */
export type RecordPaymentOutcome = (
  charge: Charge,
  state: PaymentState,
  context: CommandContext,
  known?: {
    /** The merchant's settlement delays, where the caller has just read them. */
    readonly delayDays?: DelayDays;
  },
) => Promise<Charge>;

/**
 * Carries the outcome of a charge over to its checkout session or cycle, in the transaction of that outcome.
 */
export type FollowOutcome = (tx: Transaction, charge: Charge) => Promise<void>;

/**
 * Whether the checkout session or cycle of an ended charge can still be paid; null if the charge belongs to neither.
 */
export type IsFree = (tx: Transaction, charge: Charge) => Promise<boolean | null>;

export const createRecordPaymentOutcome =
  (
    deps: Creating & {
      readonly findDelayDays: (merchantId: MerchantId) => Promise<DelayDays>;
      readonly giveBack: GiveBack;
      readonly outcomeFollowers: readonly FollowOutcome[];
      readonly lateRules: readonly IsFree[];
    },
  ): RecordPaymentOutcome =>
  async (given, state, context, known = {}) => {
    // The caller has just read or written the charge; only a second try needs to read it again.
    let fresh: Charge | null = given;
    const delayDays =
      state.status === 'paid' ? (known.delayDays ?? (await deps.findDelayDays(given.merchantId))) : [];
    const { charge: stands, held } = await deps.transact(context, async (tx) => {
      // Without a change of the charge there is no version check, so the present charge is needed.
      const read = async (): Promise<Charge> => (await tx.get(CHARGES, given.id)) ?? given;
      const seen = fresh ?? (await read());
      fresh = null;
      const now = deps.clock();
      const isStray = strayReason(seen, state) !== null;
      const charge = isStray ? await read() : seen;
      // Another provider has the charge by now, and only the answer of that one counts.
      const isOthers = charge.provider !== given.provider;
      if (isOthers && state.status !== 'paid') return { charge, held: null };
      const isFree = await isFreeBy(deps.lateRules, tx, charge, state);
      const reason = isOthers ? 'payment_of_closed_charge' : strayReason(charge, state, isFree);
      if (reason !== null)
        return {
          charge,
          held: await holdMoney(tx, strayMoney(given, state, reason), now, deps.newId),
        };
      const decision = applyPaymentState(charge, state, now, isFree);
      if (!decision) return { charge, held: null };
      const next = await tx.record(CHARGES, charge, scheduleSettlement(decision, delayDays));
      if (next.status === 'paid') await postJournal(tx, paidJournal(next, now, deps.newId));
      await followWithMethod(tx, next, now);
      for (const follow of deps.outcomeFollowers) await follow(tx, next);
      return { charge: next, held: null };
    });
    if (held) await deps.giveBack(held, context);
    return stands;
  };

/** Called only for a payment of a charge that has ended; any other outcome follows from the charge alone. */
const isFreeBy = async (
  rules: readonly IsFree[],
  tx: Transaction,
  charge: Charge,
  { status }: PaymentState,
): Promise<boolean | null> => {
  if (status !== 'paid' || !isOver(charge)) return null;
  for (const rule of rules) {
    const isFree = await rule(tx, charge);
    if (isFree !== null) return isFree;
  }
  return null;
};

const strayMoney = (
  { id, livemode, merchantId, provider, ...charge }: Charge,
  { pspRefId, echo }: PaymentState,
  reason: SuspenseReason,
): StrayMoney => ({
  livemode,
  provider,
  reason,
  reference: id,
  pspRefId,
  direction: 'in',
  amount: (echo ?? charge).amount,
  currency: (echo ?? charge).currency,
  chargeId: id,
  merchantId,
  accountOwnerId: charge.collectedBy ?? null,
});
