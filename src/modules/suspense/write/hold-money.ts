import type { NewId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { heldJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { openSuspense, type StrayMoney, type SuspenseItem, suspenseIdOf } from './suspense.ts';

/** Books stray money in the suspense account, once; returns the item as it stands then. */
export const holdMoney = async (
  tx: Transaction,
  money: StrayMoney,
  now: Date,
  newId: NewId,
): Promise<SuspenseItem> => {
  const known = await tx.get(SUSPENSE_ITEMS, suspenseIdOf(money));
  if (known) return known;
  const item = await tx.record(SUSPENSE_ITEMS, null, openSuspense(money, now));
  await postJournal(tx, heldJournal(item, now, newId));
  return item;
};
