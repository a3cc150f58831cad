import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type FindTenant, type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { viewConsumerName } from '../../../platform/read-store/projector.ts';
import type { CommitGroups } from '../../../platform/write-store/committer.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { type OutboxRow, subjectsOf } from '../../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../../platform/write-store/relay.ts';
import { findOfTenants, ofTenant } from '../../../platform/write-store/spread.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { JOURNALS, type Journal, ownerKey } from './journal.ts';
import { BALANCES, type Balance } from './ledger.store.ts';
import {
  chainOf,
  EMPTY_CHAIN,
  placeLines,
  STATEMENT,
  STATEMENT_LINES,
  type StatementLine,
} from './statement-line.ts';

type Amounts = { readonly available: number; readonly reserved: number };

/** The amounts that journals add to the balances of one owner, by currency. */
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

/** Journals and owners that are folded in one transaction; a longer one would hold up the others. */
const ROWS_AT_ONCE = 100;
const OWNERS_AT_ONCE = 20;

/** Outbox rows of the ledger's consumer, by the owner whose balance they change. */
type RowsByOwner = ReadonlyMap<string, readonly OutboxRow[]>;

/** Divides rows into batches that are folded in one transaction each; the rows of one owner stay in their order. */
export const foldBatches = (rows: readonly OutboxRow[]): RowsByOwner[] => {
  const batches: RowsByOwner[] = [];
  let batch = new Map<string, readonly OutboxRow[]>();
  let size = 0;
  for (const [owner, ofOwner] of byOwner(rows)) {
    for (let done = 0; done < ofOwner.length; done += ROWS_AT_ONCE) {
      const part = ofOwner.slice(done, done + ROWS_AT_ONCE);
      if (size + part.length > ROWS_AT_ONCE || batch.size === OWNERS_AT_ONCE) {
        batches.push(batch);
        batch = new Map();
        size = 0;
      }
      batch.set(owner, part);
      size += part.length;
    }
  }
  return size === 0 ? batches : [...batches, batch];
};

const byOwner = (rows: readonly OutboxRow[]): Map<string, OutboxRow[]> => {
  const groups = new Map<string, OutboxRow[]>();
  for (const row of rows) {
    const group = groups.get(row.key);
    if (group) group.push(row);
    else groups.set(row.key, [row]);
  }
  return groups;
};

/**
 * Folds the journals behind outbox rows into the balances and statements of their owners. Balance, lines and rows
 * change in one transaction, so each journal counts exactly once, whoever else folds the same rows.
 */
export const createFoldBalances = (deps: {
  readonly db: Database;
  readonly transact: Transact;
  readonly findMerchants: FindMerchants;
  readonly findTenant: FindTenant;
  readonly commitGroups: CommitGroups;
}): HandleRows => {
  const fold = createFold(deps);
  /** The rows of each transaction to come. On a sharded cluster no transaction spans tenants. */
  const batchesOf = async (rows: readonly OutboxRow[]): Promise<readonly RowsByOwner[]> => {
    if (deps.commitGroups === 'all') return foldBatches(rows);
    const ofTenants = new Map<TenantId, OutboxRow[]>();
    for (const row of rows) {
      const tenantId = row.tenantId ?? (await deps.findTenant(merchantIn(row.key))) ?? row.key;
      ofTenants.set(tenantId, [...(ofTenants.get(tenantId) ?? []), row]);
    }
    return [...ofTenants.values()].flatMap(foldBatches);
  };
  const foldTogether = async (batch: RowsByOwner): Promise<void> => {
    let tries = 0;
    await deps.transact.alone(systemContext('ledger'), (tx) => {
      tries += 1;
      if (tries > 1) throw new Error('another transaction was in the way of this batch');
      return fold(tx, batch);
    });
  };
  return async (rows) => {
    const errors: unknown[] = [];
    const foldAlone = async (owner: string, ofOwner: readonly OutboxRow[]): Promise<void> => {
      try {
        await deps.transact.alone(systemContext('ledger'), (tx) => fold(tx, new Map([[owner, ofOwner]])));
      } catch (error) {
        // The other batches do not wait for this one.
        errors.push(error);
      }
    };
    for (const batch of await batchesOf(rows)) {
      const isFolded =
        batch.size > 1 &&
        (await foldTogether(batch).then(
          () => true,
          () => false,
        ));
      // Owners are retried one by one, so that a busy or broken one holds up only itself.
      if (!isFolded) for (const [owner, ofOwner] of batch) await foldAlone(owner, ofOwner);
    }
    if (errors.length > 0) throw errors[0];
    return [];
  };
};

/** Folds the rows of one owner that nobody has folded yet, in the caller's transaction. */
export type FoldOwner = (tx: OwnTransaction, owner: string, rows: readonly OutboxRow[]) => Promise<void>;

export const createFoldOwner = (deps: {
  readonly db: Database;
  readonly findMerchants: FindMerchants;
}): FoldOwner => {
  const fold = createFold(deps);
  return (tx, owner, rows) => fold(tx, new Map([[owner, rows]]));
};

/** Absent in journals from before documents named their tenants. */
type StoredJournal = Journal & { readonly tenantId?: TenantId };

/** Folds the rows that nobody has folded yet, with as many database statements as for a single owner. */
const createFold = (deps: {
  readonly db: Database;
  readonly findMerchants: FindMerchants;
}): ((tx: OwnTransaction, batch: RowsByOwner) => Promise<void>) => {
  const { db } = deps;
  const mastersOf = createMastersOf(deps.findMerchants);
  return async (tx, batch) => {
    const { session } = tx;
    const masters = await mastersOf([...batch.keys()]);
    const left = await tx.takeRows([...batch.values()].flat());
    if (left.length === 0) return;
    const found = await findOfTenants<StoredJournal>(db, JOURNALS, '_id', subjectsOf(left), { session });
    const journals = [...found].sort((a, b) => (a._id < b._id ? -1 : 1));
    const chains = [...byOwner(left)].flatMap(([owner, rows]): Chain[] => {
      const named = new Set(rows.map((row) => row.subject));
      const own = journals.filter((journal) => named.has(journal._id));
      const currencies = [...new Set(own.map((journal) => journal.currency))];
      const masterId = masters.get(owner) ?? null;
      return currencies.map((currency) => ({ owner, currency, masterId, journals: own }));
    });
    await extendStatements(db, session, chains);
    // Rows keep the commits and times of their commands: a caller who waits for a command waits for its lines, too.
    tx.handOn(withTenants(left, found), viewConsumerName(STATEMENT));
  };
};

/** Adds to each row the tenant of its journal, which rows of a commit of several tenants do not name. */
const withTenants = (
  rows: readonly OutboxRow[],
  journals: readonly StoredJournal[],
): readonly OutboxRow[] => {
  const tenants = new Map<string, TenantId | undefined>(journals.map((one) => [one._id, one.tenantId]));
  return rows.map((row) => {
    const tenantId = row.tenantId ?? tenants.get(row.subject);
    return tenantId === undefined ? row : { ...row, tenantId };
  });
};

/** One statement, and the journals to add at its end, in this order; journals in other currencies are passed over. */
export type Chain = {
  readonly owner: string;
  readonly currency: string;
  readonly masterId: MerchantId | null;
  readonly journals: readonly Journal[];
};

/**
 * Adds journals to balances and statements in a transaction, and returns the new lines. Each statement may be named
 * once.
 */
export const extendStatements = async (
  db: Database,
  session: ClientSession,
  chains: readonly Chain[],
): Promise<readonly StatementLine[]> => {
  const balances = db.collection<Balance>(BALANCES);
  const wanted = chains.map((chain) => ({
    value: chainOf(chain.owner, chain.currency),
    tenantId: tenantOfChain(chain),
  }));
  const stored = await findOfTenants<Balance>(db, BALANCES, '_id', wanted, { session });
  const before = new Map(stored.map((balance) => [balance._id, balance]));
  const writes: AnyBulkWriteOperation<Balance>[] = [];
  const lines: StatementLine[] = [];
  const documents: (StatementLine & { _id: string; tenantId: TenantId })[] = [];
  for (const chain of chains) {
    const { owner, currency, masterId, journals } = chain;
    const _id = chainOf(owner, currency);
    const end = before.get(_id);
    const placed = placeLines(end ?? EMPTY_CHAIN, journals, { key: owner, masterId }, currency);
    if (placed.lines.length === 0) continue;
    const { available, reserved, seq, hash, lastAt } = placed.head;
    const tenantId = tenantOfChain(chain);
    const after = { available, reserved, seq, hash, lastAt, tenantId };
    for (const line of placed.lines) {
      lines.push(line);
      documents.push({ ...line, _id: line.id, tenantId });
    }
    writes.push(
      end
        ? { updateOne: { filter: { _id, ...ofTenant(db, BALANCES, tenantId) }, update: { $set: after } } }
        : { insertOne: { document: { _id, owner, currency, ...after } } },
    );
  }
  if (lines.length > 0) {
    await balances.bulkWrite(writes, { session, ordered: false });
    await db.collection<{ _id: string }>(STATEMENT_LINES.collection).insertMany(documents, { session });
  }
  return lines;
};

const tenantOfChain = ({ owner, masterId }: Chain): TenantId =>
  tenantOf({ merchantId: merchantIn(owner), masterId });

/** The merchant that a key of an owner names. */
const merchantIn = (owner: string) => owner.slice(0, owner.lastIndexOf(':')) as MerchantId;

/** A merchant's master never changes, so it is asked for once. */
const createMastersOf = (
  findMerchants: FindMerchants,
): ((owners: readonly string[]) => Promise<ReadonlyMap<string, MerchantId | null>>) => {
  const known = new Map<string, MerchantId | null>();
  return async (owners) => {
    const unknown = owners.map(merchantIn).filter((id) => !known.has(id));
    if (unknown.length > 0)
      for (const { id, masterId } of await findMerchants([...new Set(unknown)])) known.set(id, masterId);
    return new Map(owners.map((owner) => [owner, known.get(merchantIn(owner)) ?? null]));
  };
};
