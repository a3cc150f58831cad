import type { Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { viewConsumerName } from '../../../platform/read-store/projector.ts';
import { OUTBOX, type OutboxRow, outboxRow } from '../../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../../platform/write-store/relay.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transact.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { JOURNALS, type Journal, ownerKey } from './journal.ts';
import { BALANCES, type Balance } from './ledger.store.ts';
import { EMPTY_CHAIN, placeLines, STATEMENT, STATEMENT_LINES } from './statement-line.ts';

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

/** Journals folded in one transaction: a long one would hold up the others (engines). */
const FOLD_BATCH = 100;

/**
 * Folds the journals behind outbox rows into the balances and statements of their owners. Balance, lines and rows
 * change in one transaction, so that each journal counts exactly once, whoever else folds the same rows.
 */
export const createFoldBalances = (deps: {
  readonly db: Db;
  readonly transact: Transact;
  readonly findMerchants: FindMerchants;
}): HandleRows => {
  const fold = createFoldOwner(deps);
  return async (rows) => {
    const errors: unknown[] = [];
    for (const owner of new Set(rows.map((row) => row.key))) {
      const ofOwner = rows.filter((row) => row.key === owner);
      try {
        for (let done = 0; done < ofOwner.length; done += FOLD_BATCH) {
          const batch = ofOwner.slice(done, done + FOLD_BATCH);
          await deps.transact(systemContext('ledger'), (tx) => fold(tx, owner, batch));
        }
      } catch (error) {
        // The others do not wait for this one.
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return [];
  };
};

/** Folds those of one owner's rows that nobody has folded yet, in the caller's transaction. */
export type FoldOwner = (tx: Transaction, owner: string, rows: readonly OutboxRow[]) => Promise<void>;

export const createFoldOwner = (deps: {
  readonly db: Db;
  readonly findMerchants: FindMerchants;
}): FoldOwner => {
  const { db } = deps;
  const masterOf = createMasterOf(deps.findMerchants);
  return async ({ session }, owner, rows) => {
    const outbox = db.collection<OutboxRow>(OUTBOX);
    const masterId = await masterOf(owner);
    const left = await outbox.find({ _id: { $in: rows.map((row) => row._id) } }, { session }).toArray();
    if (left.length === 0) return;
    const commits = new Map(left.map((row) => [row.subject, row.commit]));
    await outbox.deleteMany({ _id: { $in: left.map((row) => row._id) } }, { session });
    const journals = await db
      .collection<Journal>(JOURNALS)
      .find({ _id: { $in: [...commits.keys()] as Journal['_id'][] } }, { session })
      .toArray();
    journals.sort((a, b) => (a._id < b._id ? -1 : 1));
    for (const currency of new Set(journals.map((journal) => journal.currency))) {
      const _id = `${owner}:${currency}`;
      const balances = db.collection<Balance>(BALANCES);
      const before = await balances.findOne({ _id }, { session });
      const { lines, head } = placeLines(before ?? EMPTY_CHAIN, journals, { key: owner, masterId }, currency);
      if (lines.length === 0) continue;
      const { available, reserved, seq, hash, lastAt } = head;
      const after = { available, reserved, seq, hash, lastAt };
      if (before) await balances.updateOne({ _id }, { $set: after }, { session });
      else await balances.insertOne({ _id, owner, currency, ...after }, { session });
      await db.collection<{ _id: string }>(STATEMENT_LINES.collection).insertMany(
        lines.map((line) => ({ ...line, _id: line.id })),
        { session },
      );
    }
    // Under the commits of the commands, so that whoever waits for one of them waits for its lines too (decisions 1).
    const now = new Date();
    await outbox.insertMany(
      left.map((row) => outboxRow(viewConsumerName(STATEMENT), row.subject, owner, row.commit, now)),
      { session },
    );
  };
};

/** A merchant's master never changes, so it is asked for once. */
const createMasterOf = (findMerchants: FindMerchants): ((owner: string) => Promise<MerchantId | null>) => {
  const known = new Map<string, MerchantId | null>();
  return async (owner) => {
    const seen = known.get(owner);
    if (seen !== undefined) return seen;
    const [merchant] = await findMerchants([owner.slice(0, owner.lastIndexOf(':')) as MerchantId]);
    const masterId = merchant?.masterId ?? null;
    if (merchant) known.set(owner, masterId);
    return masterId;
  };
};
