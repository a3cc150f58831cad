import type { TenantId } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import type { Consumer } from '../../../platform/write-store/outbox.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { JOURNALS, type Journal, merchantOf, ownersOf } from './journal.ts';
import { type ChainHead, STATEMENT_LINES } from './statement-line.ts';

export const BALANCES = 'balances';

/**
 * The sums of a merchant's postings in one currency and environment that are folded so far, and the end of its
 * statement. `_id` is the owner's key and the currency.
 */
export type Balance = ChainHead & {
  readonly _id: string;
  readonly owner: string;
  readonly currency: string;
  /** Counts debits that needed cover: each one writes the balance that it relied on. */
  readonly debits?: number;
};

/** Folds journals into balances. Its outbox rows stand for the journals that are not folded yet. */
export const LEDGER_CONSUMER: Consumer = { name: 'ledger', wants: () => false };

export const ledgerMigrations: readonly Migration[] = [
  collections('110-ledger', {
    [JOURNALS]: [{ key: { referenceId: 1 } }],
    [BALANCES]: [{ key: { owner: 1 } }],
  }),
  collections('111-statement-lines', {
    [JOURNALS]: [{ key: { chargeId: 1 } }],
    [STATEMENT_LINES.collection]: [
      // A second guard beside the folding transaction: each place of a statement has one line.
      { key: { chain: 1, seq: 1 }, unique: true },
      { key: { journalId: 1 } },
    ],
  }),
];

/** Stores a journal in the transaction of the change that it belongs to. */
export const postJournal = async (tx: Transaction, journal: Journal): Promise<void> => {
  await tx.insert(JOURNALS, journal, merchantOf(journal));
  for (const owner of ownersOf(journal)) tx.enqueue(LEDGER_CONSUMER.name, journal._id, owner);
};

/** The journal with which an earlier command booked this reference. */
export type FindJournal = (referenceId: string, tenantId: TenantId) => Promise<Journal>;

export const createFindJournal =
  (db: Database): FindJournal =>
  async (referenceId, tenantId) => {
    const journals = await db
      .collection<Journal>(JOURNALS)
      .find({ referenceId, ...ofTenant(db, JOURNALS, tenantId) })
      .toArray();
    const [booked] = journals.sort((a, b) => (a._id < b._id ? -1 : 1));
    if (!booked) throw new Error(`nothing is booked for ${referenceId}`);
    return booked;
  };

/** Whether a journal is stored, in whatever tenant. */
export type IsBooked = (journalId: Journal['_id']) => Promise<boolean>;

export const createIsBooked =
  (db: Database): IsBooked =>
  async (_id) =>
    (await db.collection<Journal>(JOURNALS).findOne({ _id }, { projection: { _id: 1 } })) !== null;
