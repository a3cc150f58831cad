import { systemContext } from '../../../kernel/event.ts';
import { AUDIT_LOG, type AuditEntry } from '../../../platform/write-store/audit.ts';
import {
  AUDIT_CHAIN,
  AUDIT_CHAIN_CONSUMER,
  AUDIT_CHAIN_KEY,
  AUDIT_LINKS,
  type AuditChainHead,
  type AuditLink,
  type AuditSecret,
  EMPTY_AUDIT_CHAIN,
  extendChain,
} from '../../../platform/write-store/audit-chain.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { inParts } from '../../../platform/write-store/mongo.ts';
import { enqueueWork } from '../../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../../platform/write-store/relay.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';

export const auditChainMigrations: readonly Migration[] = [
  {
    id: '220-audit-chain',
    async up(db) {
      await ensureCollections(db, [AUDIT_LINKS, AUDIT_CHAIN]);
      await db.collection(AUDIT_LINKS).createIndex({ seq: 1 }, { unique: true });
      // Entries from before the chain get their places, too. A second row for an entry does no harm.
      const entries = db.collection<{ _id: string }>(AUDIT_LOG.collection);
      for await (const { _id } of entries.find({}, { projection: { _id: 1 } }))
        await enqueueWork(db, [
          { consumer: AUDIT_CHAIN_CONSUMER, subject: _id, key: AUDIT_CHAIN_KEY, commit: '220-audit-chain' },
        ]);
    },
  },
];

type StoredEntry = AuditEntry & { readonly _id: string; readonly secret?: AuditSecret };

/**
 * Gives entries of the audit log their places in the chain. Links and end change in one transaction, so each entry has
 * one place, whoever else works on the same rows. The relay removes the rows, which are stored by tenant.
 */
export const createChainEntries = (deps: {
  readonly db: Database;
  readonly transact: Transact;
}): HandleRows => {
  const links = deps.db.collection<AuditLink>(AUDIT_LINKS);
  const heads = deps.db.collection<AuditChainHead>(AUDIT_CHAIN);
  const entries = deps.db.collection<StoredEntry>(AUDIT_LOG.collection);

  const place = async ({ session }: OwnTransaction, read: readonly StoredEntry[]): Promise<void> => {
    const placed = await links
      .find({ _id: { $in: read.map(({ _id }) => _id) } }, { session, projection: { _id: 1 } })
      .toArray();
    const known = new Set(placed.map(({ _id }) => _id));
    const found = read.filter(({ _id }) => !known.has(_id));
    if (found.length === 0) return;
    found.sort((a, b) => (a._id < b._id ? -1 : 1));
    const head = (await heads.findOne({ _id: AUDIT_CHAIN_KEY }, { session })) ?? EMPTY_AUDIT_CHAIN;
    const extended = extendChain(
      head,
      found.map(({ secret = {}, ...entry }) => ({ entry, secret })),
    );
    await links.insertMany([...extended.links], { session });
    if (head.seq === 0) await heads.insertOne(extended.head, { session });
    else await heads.replaceOne({ _id: AUDIT_CHAIN_KEY, seq: head.seq }, extended.head, { session });
  };

  return async (rows) => {
    for (const part of inParts(rows)) {
      // Entries are stored by tenant, so they are read outside the transaction, which is the chain's.
      const read = await entries.find({ _id: { $in: part.map((row) => row.subject) } }).toArray();
      await deps.transact.alone(systemContext('audit chain'), (tx) => place(tx, read));
    }
    return [];
  };
};
