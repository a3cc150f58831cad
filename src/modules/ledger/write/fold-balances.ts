import type { ClientSession, Db } from 'mongodb';
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

/** Rows of one transaction: few enough that it does not hold up others for long. */
const ROWS_AT_ONCE = 100;

/**
 * Folds the journals behind outbox rows into the balances of their owners. Balances and rows change in one
 * transaction, so that each journal counts exactly once, whoever else folds the same rows.
 */
export const createFoldBalances =
  (deps: { readonly db: Db; readonly transact: Transact }): HandleRows =>
  async (rows) => {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE);
      await deps.transact(systemContext('ledger'), (tx) => foldRows(deps.db, tx, some));
    }
    return [];
  };

const foldRows = async (db: Db, { session }: Transaction, rows: readonly OutboxRow[]): Promise<void> => {
  const outbox = db.collection<OutboxRow>(OUTBOX);
  const ids = rows.map((row) => row._id);
  const left = await outbox.find({ _id: { $in: ids } }, { session }).toArray();
  if (left.length === 0) return;
  await outbox.deleteMany({ _id: { $in: left.map((row) => row._id) } }, { session });
  const journals = await db
    .collection<Journal>(JOURNALS)
    .find({ _id: { $in: left.map((row) => row.subject as Journal['_id']) } }, { session })
    .toArray();
  const byId = new Map<string, Journal>(journals.map((one) => [one._id, one]));
  const byOwner = new Map<string, Journal[]>();
  for (const { key, subject } of left) {
    const journal = byId.get(subject);
    if (journal) byOwner.set(key, [...(byOwner.get(key) ?? []), journal]);
  }
  await addToBalances(db, session, byOwner);
};

/** Adds to each owner's balances its own part of the journals named for it. */
export const addToBalances = async (
  db: Db,
  session: ClientSession,
  journalsByOwner: ReadonlyMap<string, readonly Journal[]>,
): Promise<void> => {
  const changes = [...journalsByOwner].flatMap(([owner, journals]) =>
    [...balanceChanges(journals, owner)].map(([currency, amounts]) => ({
      updateOne: {
        filter: { _id: `${owner}:${currency}` },
        update: { $inc: amounts, $setOnInsert: { owner, currency } },
        upsert: true,
      },
    })),
  );
  if (changes.length > 0) await db.collection<Balance>(BALANCES).bulkWrite(changes, { session });
};
