import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { Id, MerchantId, UserId } from '../../../kernel/ids.ts';
import { amountProblem, type Minor, toMinor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { approvalByAuthor } from '../../proposals/write/refusals.ts';
import { adjustmentAlreadyProcessed } from './refusals.ts';

export const ADJUSTMENT_STATUSES = ['pending', 'approved', 'rejected'] as const;

type AdjustmentId = Id<'adj'>;

export type AdjustmentEvent = 'adjustment.approved' | 'adjustment.created' | 'adjustment.rejected';

/** A correction of a merchant's balance, booked once a second operator approves it. */
export type Adjustment = MerchantRecord & {
  readonly id: AdjustmentId;
  /** Master of the merchant, whose endpoints may get its event; absent in adjustments of former versions. */
  readonly masterId?: MerchantId | null;
  /** Signed: positive where the merchant gets money, negative where it pays. */
  readonly amount: Minor;
  readonly currency: string;
  readonly reason: string;
  readonly status: (typeof ADJUSTMENT_STATUSES)[number];
  readonly createdByUserId: UserId;
  readonly processedByUserId: UserId | null;
  readonly rejectionReason: string | null;
  /** The entry in the merchant's statement; null until the adjustment is approved. */
  readonly ledgerEntryId: Id<'led'> | null;
  readonly processedAt: Timestamp | null;
};

export const ADJUSTMENTS: Store<Adjustment, AdjustmentEvent> = store('adjustments', 'adjustment');

export type NewAdjustment = {
  readonly merchantId: MerchantId;
  /** Decimal and signed. */
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
};

/** 400 for an amount that is zero, has too many decimals or is out of range. */
export const openAdjustment = (
  command: NewAdjustment,
  by: {
    readonly id: AdjustmentId;
    readonly masterId: MerchantId | null;
    readonly userId: UserId;
    readonly livemode: boolean;
  },
  now: Date,
): Decision<Adjustment, AdjustmentEvent> => {
  const amount = toMinor(command.amount, command.currency);
  const problem = amount === 0 ? 'must not be zero' : amountProblem(amount);
  if (amount === null || problem !== null)
    throw invalidInput([{ path: 'amount', message: `amount ${problem}` }]);
  return created('adjustment.created', now, {
    ...command,
    id: by.id,
    masterId: by.masterId,
    livemode: by.livemode,
    amount,
    status: 'pending',
    createdByUserId: by.userId,
    processedByUserId: null,
    rejectionReason: null,
    ledgerEntryId: null,
    processedAt: null,
  });
};

const assertPending = (adjustment: Adjustment): void => {
  if (adjustment.status !== 'pending') throw adjustmentAlreadyProcessed(adjustment.status);
};

/**
 * Approves an adjustment. 403 APPROVAL_BY_AUTHOR for its author, 422 ADJUSTMENT_ALREADY_PROCESSED unless it is pending.
 */
export const approveAdjustment = (
  adjustment: Adjustment,
  by: { readonly userId: UserId; readonly ledgerEntryId: Id<'led'> },
  now: Date,
): Decision<Adjustment, AdjustmentEvent> => {
  if (adjustment.createdByUserId === by.userId) throw approvalByAuthor();
  assertPending(adjustment);
  return changed('adjustment.approved', adjustment, now, {
    status: 'approved',
    processedByUserId: by.userId,
    ledgerEntryId: by.ledgerEntryId,
    processedAt: timestamp(now),
  });
};

/** Rejects an adjustment. The author may do it as well as any approver, because nothing is booked. */
export const rejectAdjustment = (
  adjustment: Adjustment,
  by: { readonly userId: UserId; readonly rejectionReason: string | null },
  now: Date,
): Decision<Adjustment, AdjustmentEvent> => {
  assertPending(adjustment);
  return changed('adjustment.rejected', adjustment, now, {
    status: 'rejected',
    processedByUserId: by.userId,
    rejectionReason: by.rejectionReason,
    processedAt: timestamp(now),
  });
};
