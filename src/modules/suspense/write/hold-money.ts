import type { NewId } from '../../../kernel/ids.ts';
import { isKnownCurrency } from '../../../kernel/money.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { heldJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { openSuspense, type StrayMoney, type SuspenseItem, suspenseIdOf } from './suspense.ts';

/**
 * Books stray money in the suspense account, once, and returns the item as it stands then. An unknown currency is an
 * error: connectors let none pass, and money in one could never be cleared.
 */
export const holdMoney = async (
  tx: Transaction,
  money: StrayMoney,
  now: Date,
  newId: NewId,
): Promise<SuspenseItem> => {
  if (!isKnownCurrency(money.currency)) throw new RangeError('money in a currency that there is not');
  const known = await tx.get(SUSPENSE_ITEMS, suspenseIdOf(money));
  if (known) return known;
  const item = await tx.record(SUSPENSE_ITEMS, null, openSuspense(money, now));
  await postJournal(tx, heldJournal(item, now, newId));
  return item;
};
