import { createHash } from 'node:crypto';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Journal } from '../../ledger/write/journal.ts';
import { type IsBooked, postJournal } from '../../ledger/write/ledger.store.ts';
import { bookedJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { applyBooking, type SuspenseItem } from './suspense.ts';

/**
 * Books money to its merchant, once, however often it is called. The merchant may belong to another tenant than the
 * item, so journal and item change in transactions of their own, and the reconciler continues after a crash between the
 * two.
 */
export type BookToMerchant = (item: SuspenseItem, context: CommandContext) => Promise<SuspenseItem>;

export const createBookToMerchant =
  ({ transact, clock, newId, isBooked }: Creating & { readonly isBooked: IsBooked }): BookToMerchant =>
  async (booking, context) => {
    const _id = journalIdOf(booking);
    await transact(context, async (tx) => {
      if (await isBooked(_id)) return;
      await postJournal(tx, { ...bookedJournal(booking, clock(), newId), _id });
    });
    return transact(context, async (tx) => {
      const item = await tx.get(SUSPENSE_ITEMS, booking.id);
      if (!item) throw new Error(`suspense item ${booking.id} is gone`);
      const decision = applyBooking(item, clock());
      return decision ? tx.record(SUSPENSE_ITEMS, item, decision) : item;
    });
  };

/** The id of the booking's journal, which is known before the journal is stored because an item is booked only once. */
const journalIdOf = ({ id }: SuspenseItem): Journal['_id'] =>
  `jrn_${createHash('sha256').update(`booked ${id}`).digest('hex').slice(0, 32)}`;
