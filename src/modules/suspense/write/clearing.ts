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
import { after, type Clearing, GRACE_MS, nextReturnReference, type SuspenseItem } from './suspense.ts';

export type NewClearing = Pick<Clearing, 'method' | 'merchantId' | 'reason'>;

/**
 * Nothing moves until another operator approves. 422, in this order: SUSPENSE_ITEM_NOT_HELD,
 * CLEARING_ALREADY_PROPOSED, SUSPENSE_ITEM_NOT_RETURNABLE (money that left the provider cannot be given back by it),
 * SUSPENSE_OF_OWN_ACCOUNT (the gateway cannot give away what it does not have).
 */
export const proposeClearing = (
  item: SuspenseItem,
  command: NewClearing,
  userId: UserId,
  now: Date,
): Decision<SuspenseItem> => {
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
 * Money to be given back becomes `returning`, that of a merchant `booking`. The caller or the reconciler ends both. The
 * gateway's is `booked`, and the caller posts it. 403 APPROVAL_BY_AUTHOR, 422 CLEARING_NOT_PENDING without one.
 */
export const approveClearing = (item: SuspenseItem, userId: UserId, now: Date): Decision<SuspenseItem> => {
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

/** Anybody who may approve may do it, its author included: nothing moves, and another clearing may be proposed. */
export const rejectClearing = (
  item: SuspenseItem,
  by: { readonly userId: UserId; readonly rejectionReason: string | null },
  now: Date,
): Decision<SuspenseItem> =>
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
