import { createHash } from 'node:crypto';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Journal } from '../../ledger/write/journal.ts';
import { type IsBooked, postJournal } from '../../ledger/write/ledger.store.ts';
import { bookedJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { applyBooking, type SuspenseItem } from './suspense.ts';

/**
 * Books money to its merchant, once, however often it is called. The merchant may be of another tenant than the item.
 * So journal and item change in transactions of their own, and the reconciler goes on after a crash between them.
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

/** An item is booked once, so its journal can be known before it is stored. */
const journalIdOf = ({ id }: SuspenseItem): Journal['_id'] =>
  `jrn_${createHash('sha256').update(`booked ${id}`).digest('hex').slice(0, 32)}`;
