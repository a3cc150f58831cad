import { timestamp } from '../../../kernel/clock.ts';
import { changed, type Decision } from '../../../kernel/event.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { approvalByAuthor } from '../../proposals/write/refusals.ts';
import {
  clearingAlreadyProposed,
  clearingNotPending,
  suspenseItemNotHeld,
  suspenseItemNotReturnable,
  suspenseOfOwnAccount,
} from './refusals.ts';
import {
  after,
  type Clearing,
  GRACE_MS,
  nextReturnReference,
  type SuspenseItem,
  type SuspenseItemEvent,
} from './suspense.ts';

export type NewClearing = Pick<Clearing, 'method' | 'merchantId' | 'reason'>;

/**
 * Proposes a clearing; nothing moves until another operator approves it. 422, in this order: SUSPENSE_ITEM_NOT_HELD,
 * CLEARING_ALREADY_PROPOSED, SUSPENSE_ITEM_NOT_RETURNABLE (money that left the provider cannot be given back by it),
 * SUSPENSE_OF_OWN_ACCOUNT (the gateway cannot dispose of money on a merchant's own account).
 */
export const proposeClearing = (
  item: SuspenseItem,
  command: NewClearing,
  userId: UserId,
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> => {
  if (item.status !== 'held') throw suspenseItemNotHeld(item.status);
  if (item.clearing?.status === 'pending') throw clearingAlreadyProposed();
  if (command.method === 'give_back' && item.direction === 'out') throw suspenseItemNotReturnable();
  const { accountOwnerId: owner } = item;
  if (owner !== null && command.method !== 'give_back' && command.merchantId !== owner)
    throw suspenseOfOwnAccount();
  return changed('suspense.clearing_proposed', item, now, {
    clearing: {
      ...command,
      status: 'pending',
      proposedByUserId: userId,
      proposedAt: timestamp(now),
      processedByUserId: null,
      processedAt: null,
      rejectionReason: null,
    },
  });
};

/**
 * Approves a clearing. The item becomes `returning` where the money is given back, and `booking` where it goes to a
 * merchant; the caller or the reconciler completes both. Where the gateway takes the money the item becomes `booked`,
 * and the caller posts the journal. 403 APPROVAL_BY_AUTHOR, 422 CLEARING_NOT_PENDING.
 */
export const approveClearing = (
  item: SuspenseItem,
  userId: UserId,
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> => {
  const pending = pendingOf(item);
  if (pending.proposedByUserId === userId) throw approvalByAuthor();
  const known = {
    ...item,
    clearing: { ...pending, status: 'approved' as const, ...processed(userId, now) },
    updatedAt: timestamp(now),
  };
  const reconcileAt = after(now, GRACE_MS);
  switch (pending.method) {
    case 'give_back':
      return {
        type: 'suspense.return_approved',
        data: {
          ...known,
          status: 'returning',
          returnFailure: null,
          returnReference: nextReturnReference(item),
          pspRefundRefId: null,
          reconcileAt,
        },
      };
    case 'merchant':
      return { type: 'suspense.booking_approved', data: { ...known, status: 'booking', reconcileAt } };
    case 'gateway':
      return { type: 'suspense.booked', data: { ...known, status: 'booked' } };
  }
};

/**
 * Rejects a clearing. The author may do it as well as any approver, because nothing moves; another clearing may then be
 * proposed. 422 CLEARING_NOT_PENDING.
 */
export const rejectClearing = (
  item: SuspenseItem,
  by: { readonly userId: UserId; readonly rejectionReason: string | null },
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> =>
  changed('suspense.clearing_rejected', item, now, {
    clearing: {
      ...pendingOf(item),
      status: 'rejected',
      ...processed(by.userId, now),
      rejectionReason: by.rejectionReason,
    },
  });

const pendingOf = ({ clearing }: SuspenseItem): Clearing => {
  if (clearing?.status !== 'pending') throw clearingNotPending();
  return clearing;
};

const processed = (userId: UserId, now: Date) => ({
  processedByUserId: userId,
  processedAt: timestamp(now),
});
