import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type Resource } from '../../../kernel/event.ts';
import type { MerchantId, SuspenseId, UserId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { RefundState } from '../../providers/provider.ts';

/**
 * Why the provider moved money that the gateway did not expect it to. A `late_payment` was made after its charge had
 * expired or was cancelled: it is given back at once. A `chargeback_reversed` is money that a won dispute brought back.
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

/** Money that came to the provider, or left it, and belongs to nobody yet. */
export type StrayMoney = {
  readonly livemode: boolean;
  readonly provider: string;
  readonly reason: SuspenseReason;
  /** Reference of the payment or the refund, as the provider names it. */
  readonly reference: string;
  /** The provider's own. */
  readonly pspRefId: string | null;
  readonly direction: 'in' | 'out';
  /** Above zero. */
  readonly amount: Minor;
  readonly currency: string;
  /** The charge that it seems to be about, and its merchant; null where there is none. */
  readonly chargeId: string | null;
  readonly merchantId: MerchantId | null;
  /** The merchant on whose own account at the provider the money is; none where it is on the installation's. */
  readonly accountOwnerId: MerchantId | null;
};

export const SUSPENSE_STATUSES = ['held', 'returning', 'returned', 'booking', 'booked'] as const;

/** Destination of stray money: the payer, a merchant, or the gateway as income or loss. */
export const CLEARING_METHODS = ['give_back', 'merchant', 'gateway'] as const;
export type ClearingMethod = (typeof CLEARING_METHODS)[number];

/** `failed`: the provider would not give the money back. */
export const CLEARING_STATUSES = ['pending', 'approved', 'rejected', 'failed'] as const;

/** One operator's proposal of what to do with stray money, and what another one decided. */
export type Clearing = {
  readonly method: ClearingMethod;
  /** Whose balance it is booked to; null unless the method is `merchant`. */
  readonly merchantId: MerchantId | null;
  readonly reason: string;
  readonly status: (typeof CLEARING_STATUSES)[number];
  readonly proposedByUserId: UserId;
  readonly proposedAt: Timestamp;
  readonly processedByUserId: UserId | null;
  readonly processedAt: Timestamp | null;
  readonly rejectionReason: string | null;
};

/** Stray money in the suspense account, until it is given back or booked. */
export type SuspenseItem = Resource &
  StrayMoney & {
    readonly id: SuspenseId;
    readonly accountOwnerId: MerchantId | null;
    /** `returning`: the provider is to give it back; `booking`: it goes to a merchant; `booked`: it arrived. */
    readonly status: (typeof SUSPENSE_STATUSES)[number];
    /** The clearing that was proposed last; null before. */
    readonly clearing: Clearing | null;
    /** Why the provider would not give it back. */
    readonly returnFailure: string | null;
    /** The gateway's reference of the return at the provider; null before the first one. */
    readonly returnReference: SuspenseId | null;
    readonly pspRefundRefId: string | null;
    /** When to go on with the return or the booking unless something happens before. */
    readonly reconcileAt: Timestamp | null;
    readonly createdAt: Timestamp;
    readonly updatedAt: Timestamp;
  };

/** One amount of money has one id, however often and on whatever way the provider tells of it. */
export const suspenseIdOf = ({
  provider,
  livemode,
  direction,
  reference,
  pspRefId,
}: StrayMoney): SuspenseId => idFrom([provider, livemode, direction, reference, pspRefId]);

/** A return has the item's id; one after a refusal needs a reference that the provider has not decided on. */
export const nextReturnReference = ({
  id,
  returnReference,
}: Pick<SuspenseItem, 'id' | 'returnReference'>): SuspenseId =>
  returnReference === null ? id : idFrom([returnReference, 'again']);

const idFrom = (facts: readonly unknown[]): SuspenseId =>
  `sus_${createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)}`;

/** Well above the time of a call, whose outcome is stored by then. Going on twice moves nothing twice. */
export const GRACE_MS = 30_000;
/** Then again and again, by the backoff of the reconciler. */
const ASK_AGAIN_MS = 2_000;

export const after = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));

export const openSuspense = (money: StrayMoney, now: Date): Decision<SuspenseItem> => {
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

/** Applies the provider's answer to a return; null where it changes nothing. */
export const applyReturn = (
  item: SuspenseItem,
  state: RefundState,
  now: Date,
): Decision<SuspenseItem> | null => {
  if (item.status !== 'returning') return null;
  const { pspRefundRefId } = state;
  const known = { ...item, pspRefundRefId, updatedAt: timestamp(now) };
  switch (state.status) {
    case 'refunded':
      return { type: 'suspense.returned', data: { ...known, status: 'returned', reconcileAt: null } };
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

/** Notes that the merchant's balance has the money; null where it was noted before. */
export const applyBooking = (item: SuspenseItem, now: Date): Decision<SuspenseItem> | null =>
  item.status === 'booking'
    ? changed('suspense.booked', item, now, { status: 'booked', reconcileAt: null })
    : null;
