import type { NewId } from '../../../kernel/ids.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import type { SuspenseItem } from './suspense.ts';

/** Stray money goes from the clearing account to suspense; what left the provider unasked goes the other way. */
export const heldJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal =>
  moved(item, 'suspense', item.direction === 'in' ? item.amount : -item.amount, now, newId);

/** It is given back. */
export const returnedJournal = (item: SuspenseItem, now: Date, newId: NewId): Journal =>
  moved(item, 'suspense_return', item.direction === 'in' ? -item.amount : item.amount, now, newId);

const moved = (
  { id, livemode, currency }: SuspenseItem,
  movement_type: 'suspense' | 'suspense_return',
  amount: number,
  now: Date,
  newId: NewId,
): Journal =>
  journal(
    { livemode, currency, referenceType: 'suspense', referenceId: id, chargeId: null },
    [
      { merchantId: null, bucket: 'provider_clearing', movement_type, amount: -amount },
      { merchantId: null, bucket: 'suspense', movement_type, amount },
    ],
    now,
    newId,
  );
