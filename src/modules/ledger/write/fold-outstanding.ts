import type { MerchantId } from '../../../kernel/ids.ts';
import type { FindTenant } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { outstandingRows } from '../../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../../platform/write-store/relay.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { FoldOwner } from './fold-balances.ts';
import { type Journal, ownerKey } from './journal.ts';
import { BALANCES, type Balance, LEDGER_CONSUMER, postJournal } from './ledger.store.ts';
import { insufficientBalance } from './refusals.ts';

const BATCH = 100;

/**
 * Books a debit that the balance has to cover: 422 INSUFFICIENT_BALANCE where `available` is too low. Money that the
 * balance shows always counts as cover. Has to come first in its transaction; concurrent debits of one merchant run one
 * after the other.
 */
export type DebitAvailable = (tx: OwnTransaction, merchantId: MerchantId, debit: Journal) => Promise<void>;

/** Folds the outstanding journals of a merchant, so that the transaction of a covered debit has little left to do. */
export type FoldOutstanding = (merchantId: MerchantId, livemode: boolean) => Promise<void>;

export const createFoldOutstanding =
  (deps: {
    readonly db: Database;
    readonly fold: HandleRows;
    readonly findTenant: FindTenant;
  }): FoldOutstanding =>
  async (merchantId, livemode) => {
    const owner = { value: ownerKey(merchantId, livemode), tenantId: await deps.findTenant(merchantId) };
    for (;;) {
      const rows = await outstandingRows(deps.db, LEDGER_CONSUMER.name, [owner], { limit: BATCH });
      if (rows.length > 0) await deps.fold(rows);
      if (rows.length < BATCH) return;
    }
  };

export const createDebitAvailable =
  (deps: {
    readonly db: Database;
    readonly foldOwner: FoldOwner;
    readonly findTenant: FindTenant;
  }): DebitAvailable =>
  async (tx, merchantId, debit) => {
    const { db } = deps;
    const owner = ownerKey(merchantId, debit.livemode);
    const tenantId = await deps.findTenant(merchantId);
    const { session } = tx;
    const rows = await outstandingRows(db, LEDGER_CONSUMER.name, [{ value: owner, tenantId }], { session });
    await deps.foldOwner(tx, owner, rows);
    const amount = debit.postings
      .filter((posting) => posting.merchantId === merchantId && posting.bucket === 'available')
      .reduce((total, posting) => total + posting.amount, 0);
    // Writing the balance makes debits collide: the next debit sees this one's journal as outstanding and folds it.
    const tenant = ofTenant(db, BALANCES, tenantId);
    const { matchedCount } = await db
      .collection<Balance>(BALANCES)
      .updateOne(
        { _id: `${owner}:${debit.currency}`, available: { $gte: -amount }, ...tenant },
        { $inc: { debits: 1 } },
        { session },
      );
    if (matchedCount === 0) throw insufficientBalance();
    await postJournal(tx, debit);
  };
