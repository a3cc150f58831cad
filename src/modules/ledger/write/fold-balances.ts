import type { Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import { OUTBOX, type OutboxRow } from '../../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../../platform/write-store/relay.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transact.ts';
import { JOURNALS, type Journal, ownerKey } from './journal.ts';
import { BALANCES, type Balance } from './ledger.store.ts';

type Amounts = { readonly available: number; readonly reserved: number };

/** What journals add to one owner's balances, by currency. */
export const balanceChanges = (journals: readonly Journal[], owner: string): Map<string, Amounts> => {
  const changes = new Map<string, Amounts>();
  for (const { currency, livemode, postings } of journals) {
    for (const posting of postings) {
      if (posting.merchantId === null || ownerKey(posting.merchantId, livemode) !== owner) continue;
      const amounts = changes.get(currency) ?? { available: 0, reserved: 0 };
      changes.set(currency, { ...amounts, [posting.bucket]: amounts[posting.bucket] + posting.amount });
    }
  }
  return changes;
};

/**
 * Folds the journals behind outbox rows into the balances of their owners. Balance and rows change in one
 * transaction, so that each journal counts exactly once, whoever else folds the same rows.
 */
export const createFoldBalances =
  (deps: { readonly db: Db; readonly transact: Transact }): HandleRows =>
  async (rows) => {
    for (const owner of new Set(rows.map((row) => row.key))) {
      const ofOwner = rows.filter((row) => row.key === owner);
      await deps.transact(systemContext('ledger'), (tx) => foldOwner(deps.db, tx, owner, ofOwner));
    }
    return [];
  };

const foldOwner = async (
  db: Db,
  tx: Transaction,
  owner: string,
  rows: readonly OutboxRow[],
): Promise<void> => {
  const { session } = tx;
  const outbox = db.collection<OutboxRow>(OUTBOX);
  const ids = rows.map((row) => row._id);
  const left = await outbox.find({ _id: { $in: ids } }, { session }).toArray();
  if (left.length === 0) return;
  await outbox.deleteMany({ _id: { $in: left.map((row) => row._id) } }, { session });
  const journals = await db
    .collection<Journal>(JOURNALS)
    .find({ _id: { $in: left.map((row) => row.subject as Journal['_id']) } }, { session })
    .toArray();
  for (const [currency, { available, reserved }] of balanceChanges(journals, owner)) {
    await db
      .collection<Balance>(BALANCES)
      .updateOne(
        { _id: `${owner}:${currency}` },
        { $inc: { available, reserved }, $setOnInsert: { owner, currency } },
        { session, upsert: true },
      );
  }
};
