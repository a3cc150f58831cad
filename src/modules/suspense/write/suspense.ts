import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type Resource } from '../../../kernel/event.ts';
import type { MerchantId, SuspenseId, UserId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { nextLookAfter } from '../../providers/late-failures.ts';
import type { RefundState } from '../../providers/provider.ts';

/**
 * Why the provider moved money that the gateway did not expect to move. A `late_payment` arrived after its charge had
 * expired or was cancelled, and is given back at once. A `chargeback_reversed` is money that a won dispute brought
 * back.
 */
export const SUSPENSE_REASONS = [
  'late_payment',
  'second_payment',
  'payment_of_closed_charge',
  'payment_of_other_amount',
  'unknown_payment',
  'unexpected_refund',
  'unexpected_chargeback',
  'chargeback_reversed',
] as const;
export type SuspenseReason = (typeof SUSPENSE_REASONS)[number];

/** Money that came to the provider, or left it, and cannot be assigned to anybody yet. */
export type StrayMoney = {
  readonly livemode: boolean;
  readonly provider: string;
  readonly reason: SuspenseReason;
  /** The reference by which the provider names the payment or the refund. */
  readonly reference: string;
  /** The provider's own reference. */
  readonly pspRefId: string | null;
  readonly direction: 'in' | 'out';
  /** Minor units, more than zero. */
  readonly amount: Minor;
  readonly currency: string;
  /** The charge that the money seems to be about, and its merchant; null where there is none. */
  readonly chargeId: string | null;
  readonly merchantId: MerchantId | null;
  /** The merchant on whose own account at the provider the money is; null where it is on the gateway's account. */
  readonly accountOwnerId: MerchantId | null;
};

export const SUSPENSE_STATUSES = ['held', 'returning', 'returned', 'booking', 'booked'] as const;

/** Where stray money goes: back to the payer, to a merchant, or to the gateway as income or loss. */
export const CLEARING_METHODS = ['give_back', 'merchant', 'gateway'] as const;
type ClearingMethod = (typeof CLEARING_METHODS)[number];

/** `failed` means that the provider refused to give the money back. */
export const CLEARING_STATUSES = ['pending', 'approved', 'rejected', 'failed'] as const;

/** One operator's proposal for stray money, with another operator's decision. */
export type Clearing = {
  readonly method: ClearingMethod;
  /** The merchant whose balance it is booked to; null unless the method is `merchant`. */
  readonly merchantId: MerchantId | null;
  readonly reason: string;
  readonly status: (typeof CLEARING_STATUSES)[number];
  readonly proposedByUserId: UserId;
  readonly proposedAt: Timestamp;
  readonly processedByUserId: UserId | null;
  readonly processedAt: Timestamp | null;
  readonly rejectionReason: string | null;
};

export type SuspenseItemEvent =
  | 'suspense.booked'
  | 'suspense.booking_approved'
  | 'suspense.clearing_proposed'
  | 'suspense.clearing_rejected'
  | 'suspense.opened'
  | 'suspense.return_accepted'
  | 'suspense.return_approved'
  | 'suspense.return_asked'
  | 'suspense.return_failed'
  | 'suspense.returned';

/** Stray money that is in the suspense account until it is given back or booked. */
export type SuspenseItem = Resource &
  StrayMoney & {
    readonly id: SuspenseId;
    readonly accountOwnerId: MerchantId | null;
    /**
     * `returning`: the provider has been asked to give it back; `booking`: it is being booked to a merchant; `booked`:
     * it has arrived.
     */
    readonly status: (typeof SUSPENSE_STATUSES)[number];
    /** The latest clearing that was proposed; null before the first. */
    readonly clearing: Clearing | null;
    /** Why the provider refused to give it back. */
    readonly returnFailure: string | null;
    /** The gateway's reference of the return at the provider; null before the first one. */
    readonly returnReference: SuspenseId | null;
    readonly pspRefundRefId: string | null;
    /** When to continue the return or the booking unless it completes before. */
    readonly reconcileAt: Timestamp | null;
    readonly createdAt: Timestamp;
    readonly updatedAt: Timestamp;
  };

/** The id of an item, which is the same however often and in whatever way the provider reports the money. */
export const suspenseIdOf = ({
  provider,
  livemode,
  direction,
  reference,
  pspRefId,
}: StrayMoney): SuspenseId => idFrom([provider, livemode, direction, reference, pspRefId]);

/**
 * The reference of the next return: the item's id at first, and after a refusal a new one that the provider has not
 * decided on.
 */
export const nextReturnReference = ({
  id,
  returnReference,
}: Pick<SuspenseItem, 'id' | 'returnReference'>): SuspenseId =>
  returnReference === null ? id : idFrom([returnReference, 'again']);

const idFrom = (facts: readonly unknown[]): SuspenseId =>
  `sus_${createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)}`;

/** Well above the duration of a call, whose outcome is stored by then. A call that is repeated moves no money twice. */
export const GRACE_MS = 30_000;
/** The first wait before the provider is asked again; the reconciler's backoff lengthens the following ones. */
const ASK_AGAIN_MS = 2_000;

export const after = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));

export const openSuspense = (money: StrayMoney, now: Date): Decision<SuspenseItem, SuspenseItemEvent> => {
  const isReturned = money.reason === 'late_payment';
  const id = suspenseIdOf(money);
  return created('suspense.opened', now, {
    ...money,
    id,
    status: isReturned ? 'returning' : 'held',
    clearing: null,
    returnFailure: null,
    returnReference: isReturned ? id : null,
    pspRefundRefId: null,
    reconcileAt: isReturned ? after(now, GRACE_MS) : null,
  });
};

/** When the provider was first asked to give the money back. */
export const returnRequestedAt = ({
  clearing,
  createdAt,
}: Pick<SuspenseItem, 'clearing' | 'createdAt'>): Timestamp => clearing?.processedAt ?? createdAt;

const nextLook = (item: SuspenseItem, now: Date): Timestamp | null =>
  item.livemode ? nextLookAfter(returnRequestedAt(item), now) : null;

/** Whether the payer's bank has sent back what counted as given back. */
export const isLateFailure = (
  item: Pick<SuspenseItem, 'status'>,
  { status }: Pick<RefundState, 'status'>,
): boolean => item.status === 'returned' && status === 'failed';

/**
 * Notes that a return that is done was asked about and has not failed, and when to ask again; null where it is not due.
 */
const noteStillReturned = (
  item: SuspenseItem,
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> | null =>
  item.status === 'returned' && item.reconcileAt !== null && item.reconcileAt <= timestamp(now)
    ? changed('suspense.return_asked', item, now, { reconcileAt: nextLook(item, now) })
    : null;

/** Applies the provider's answer to a return; null where it changes nothing. A return may fail after its success. */
export const applyReturn = (
  item: SuspenseItem,
  state: RefundState,
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> | null => {
  if (item.status !== 'returning' && !isLateFailure(item, state)) return noteStillReturned(item, now);
  const { pspRefundRefId } = state;
  const known = { ...item, pspRefundRefId, updatedAt: timestamp(now) };
  switch (state.status) {
    case 'refunded':
      return {
        type: 'suspense.returned',
        data: { ...known, status: 'returned', reconcileAt: nextLook(item, now) },
      };
    case 'pending':
      return item.pspRefundRefId === pspRefundRefId
        ? null
        : { type: 'suspense.return_accepted', data: { ...known, reconcileAt: after(now, ASK_AGAIN_MS) } };
    default:
      return {
        type: 'suspense.return_failed',
        data: {
          ...known,
          status: 'held',
          clearing: item.clearing && { ...item.clearing, status: 'failed' },
          returnFailure: state.reason ?? state.status,
          reconcileAt: null,
        },
      };
  }
};

/** Notes that the money is in the merchant's balance; null where that was noted before. */
export const applyBooking = (
  item: SuspenseItem,
  now: Date,
): Decision<SuspenseItem, SuspenseItemEvent> | null =>
  item.status === 'booking'
    ? changed('suspense.booked', item, now, { status: 'booked', reconcileAt: null })
    : null;
