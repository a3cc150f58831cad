import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { refundJournal } from '../../charges/write/charge.journal.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markRefunded, releaseFromRefund } from '../../charges/write/charge.ts';
import { reopenRefunded } from '../../charges/write/settlement-schedule.ts';
import { reversed } from '../../ledger/write/journal.ts';
import { type FindJournal, postJournal } from '../../ledger/write/ledger.store.ts';
import type { RefundState } from '../../providers/provider.ts';
import { REFUNDS } from './refund.store.ts';
import { applyRefundState, isLateFailure, type Refund } from './refund.ts';

/**
 * Stores the provider's answer about a refund, and returns the refund as it stands then. An outdated answer changes
 * nothing. A caller that has just opened the refund also hands in the charge, so that neither has to be read again.
 */
export type RecordRefundOutcome = (
  refund: Refund,
  state: RefundState,
  context: CommandContext,
  charge?: Charge,
) => Promise<Refund>;

/**
 * Acts on the outcome of a refund in the transaction that records it. `charge` is as the refund left it. `wasRefunded`
 * says that the refund had succeeded before, so that whatever waited for its end is done.
 */
export type FollowRefund = (
  tx: Transaction,
  charge: Charge,
  refund: Refund,
  now: Date,
  wasRefunded: boolean,
) => Promise<void>;

export const createRecordRefundOutcome =
  (
    deps: Creating & { readonly findJournal: FindJournal; readonly followers: readonly FollowRefund[] },
  ): RecordRefundOutcome =>
  (given, state, context, reserved) => {
    // The end of a new refund changes both records, so their versions are checked. Without a change they would not be,
    // so any other answer needs the present ones, as a second try does.
    let fresh = reserved && state.status !== 'pending' ? { before: given, charge: reserved } : null;
    return deps.transact(context, async (tx) => {
      const { before, charge } = fresh ?? (await readBoth(tx, given));
      fresh = null;
      const now = deps.clock();
      const decision = applyRefundState(before, state, now);
      if (!decision) return before;
      const after = await tx.record(REFUNDS, before, decision);
      // The provider was asked, and says nothing new.
      if (
        after.status === before.status &&
        before.booked === after.booked &&
        before.pspRefundRefId === after.pspRefundRefId
      )
        return after;
      const wasRefunded = before.status === 'refunded';
      // The alert has already debited the merchant and set the charge's status.
      const left = after.alertId === null ? await book(tx, charge, { before, after }, deps, now) : charge;
      for (const follow of deps.followers) await follow(tx, left, after, now, wasRefunded);
      return after;
    });
  };

const readBoth = async (
  tx: Transaction,
  { id, chargeId }: Refund,
): Promise<{ readonly before: Refund; readonly charge: Charge }> => {
  const before = await tx.get(REFUNDS, id);
  const charge = await tx.get(CHARGES, chargeId);
  if (!before || !charge) throw new Error(`refund ${id} or its charge is gone`);
  return { before, charge };
};

/** Brings ledger and charge in line with the refund; returns the charge. */
const book = async (
  tx: Transaction,
  charge: Charge,
  { before, after }: { readonly before: Refund; readonly after: Refund },
  deps: { readonly findJournal: FindJournal; readonly newId: NewId },
  now: Date,
): Promise<Charge> => {
  const left = await recordOnCharge(tx, charge, { before, after }, now);
  if (after.booked && !before.booked) await postJournal(tx, refundJournal(charge, after.id, now, deps.newId));
  if (before.booked && !after.booked) {
    const booked = await deps.findJournal(before.id, tenantOf(before));
    const { livemode, currency, chargeId, referenceType, referenceId } = booked;
    const about = { livemode, currency, chargeId, referenceType, referenceId };
    await postJournal(tx, reversed(booked, 'refund_reversal', about, now, deps.newId));
  }
  return left;
};

const recordOnCharge = async (
  tx: Transaction,
  charge: Charge,
  { before, after: refund }: { readonly before: Refund; readonly after: Refund },
  now: Date,
): Promise<Charge> => {
  if (isLateFailure(before, refund)) return tx.record(CHARGES, charge, reopenRefunded(charge, now));
  if (refund.status === 'refunded') return tx.record(CHARGES, charge, markRefunded(charge, now));
  return refund.blocking ? charge : tx.record(CHARGES, charge, releaseFromRefund(charge, now));
};
