import type { NewId } from '../../../kernel/ids.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import type { SuspenseItem } from './suspense.ts';

/** Stray money moves from the clearing account to suspense; money that left the provider moves the other way. */
export const heldJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal =>
  moved(item, 'suspense', item.direction === 'in' ? item.amount : -item.amount, now, newId);

/** The stray money is given back. */
export const returnedJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal =>
  moved(item, 'suspense_return', item.direction === 'in' ? -item.amount : item.amount, now, newId);

/** It was given back, and the payer's bank has sent it back. */
export const cameBackJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal =>
  moved(item, 'suspense_return', item.direction === 'in' ? item.amount : -item.amount, now, newId);

/**
 * The stray money is booked: to a merchant's `available`, which may become negative, or as income or loss of the
 * gateway. Money on a merchant's own account stays there.
 */
export const bookedJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal => {
  const { clearing, direction, amount } = item;
  if (clearing === null) throw new Error(`suspense item ${item.id} is booked without a clearing`);
  const movement_type = 'suspense_clearing' as const;
  const came = direction === 'in' ? amount : -amount;
  const { merchantId } = clearing;
  if (item.accountOwnerId !== null) return moved(item, movement_type, -came, now, newId);
  return journal(
    about(item),
    [
      { merchantId: null, bucket: 'suspense', movement_type, amount: -came },
      merchantId === null
        ? { merchantId, bucket: 'other_income', movement_type, amount: came }
        : { merchantId, bucket: 'available', movement_type, amount: came },
    ],
    now,
    newId,
  );
};

const moved = (
  item: SuspenseItem,
  movement_type: 'suspense' | 'suspense_return' | 'suspense_clearing',
  amount: number,
  now: Date,
  newId: NewId,
): Journal =>
  journal(
    about(item),
    [
      { merchantId: null, bucket: 'provider_clearing', movement_type, amount: -amount },
      { merchantId: null, bucket: 'suspense', movement_type, amount },
    ],
    now,
    newId,
  );

const about = ({ id, livemode, currency }: SuspenseItem) =>
  ({ livemode, currency, referenceType: 'suspense', referenceId: id, chargeId: null }) as const;
