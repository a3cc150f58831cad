import type { Collection } from 'mongodb';
import { AUDIT_LOG, type AuditEntry } from '../../platform/write-store/audit.ts';
import {
  AUDIT_CHAIN,
  AUDIT_CHAIN_CONSUMER,
  AUDIT_CHAIN_KEY,
  AUDIT_ENTRY_ERASED,
  AUDIT_LINKS,
  type AuditChainHead,
  type AuditLink,
  type AuditSecret,
  EMPTY_AUDIT_CHAIN,
  linkHash,
  snapshotDigestOf,
} from '../../platform/write-store/audit-chain.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { liveRows } from '../../platform/write-store/outbox.ts';

/** A fault of an entry in the audit log, which `subject` names by its id. */
export type AuditFault = { readonly subject: string; readonly aspect: string; readonly message: string };

type StoredEntry = AuditEntry & { readonly _id: string; readonly secret?: Partial<AuditSecret> };

/** Checks the audit log against its chain. Each call covers a few documents, fifty at most. */
type CheckAuditChain = {
  /** Faults of the entries at these links: they were changed, removed or moved. */
  links(links: readonly AuditLink[]): Promise<ReadonlyMap<string, readonly AuditFault[]>>;
  /**
   * Faults of the entries among these that have no place and wait for none, because they were inserted outside the
   * chain.
   */
  entries(ids: readonly string[]): Promise<readonly AuditFault[]>;
  /** Faults at the end of the chain: entries that were removed there, or added after it. */
  end(): Promise<readonly AuditFault[]>;
};

export const createCheckAuditChain = (db: Database): CheckAuditChain => {
  const stored = db.collection<StoredEntry>(AUDIT_LOG.collection);
  const linked = db.collection<AuditLink>(AUDIT_LINKS);
  const readHead = async (): Promise<AuditChainHead> =>
    (await db.collection<AuditChainHead>(AUDIT_CHAIN).findOne({ _id: AUDIT_CHAIN_KEY })) ?? EMPTY_AUDIT_CHAIN;

  const faultOf = async (
    link: AuditLink,
    entry: StoredEntry | undefined,
    previousHash: string | undefined,
  ): Promise<Omit<AuditFault, 'subject'> | null> => {
    const { seq } = link;
    if (!entry) return { aspect: 'removed', message: `entry ${seq} of the audit log was removed` };
    if (previousHash === undefined)
      return { aspect: 'gap', message: `what stood before entry ${seq} of the audit log was removed` };
    if (previousHash !== link.previousHash)
      return { aspect: 'moved', message: `entry ${seq} of the audit log does not follow the one before it` };
    if (linkHash(link, entry) !== link.hash)
      return { aspect: 'changed', message: `entry ${seq} of the audit log was changed` };
    if (snapshotDigestOf(entry, entry.secret ?? {}) !== link.pictures && !(await isErased(stored, entry)))
      return { aspect: 'pictures', message: `before or after of entry ${seq} of the audit log was changed` };
    return null;
  };

  return {
    async links(links) {
      const ids = links.map(({ _id }) => _id);
      const entries = await stored.find({ _id: { $in: ids } }).toArray();
      const before = await linked.find({ seq: { $in: links.map(({ seq }) => seq - 1) } }).toArray();
      const entryOf = new Map(entries.map((entry) => [entry._id, entry]));
      const hashAt = new Map(before.map(({ seq, hash }) => [seq, hash]));
      hashAt.set(EMPTY_AUDIT_CHAIN.seq, EMPTY_AUDIT_CHAIN.hash);
      const found = new Map<string, readonly AuditFault[]>();
      for (const link of links) {
        const fault = await faultOf(link, entryOf.get(link._id), hashAt.get(link.seq - 1));
        found.set(link._id, fault ? [{ subject: link._id, ...fault }] : []);
      }
      return found;
    },

    async entries(ids) {
      const of = { $in: [...ids] };
      // A row is removed after its link is stored, so an entry without a row has a link.
      const rows = await liveRows(db, AUDIT_CHAIN_CONSUMER, ids);
      const links = await linked.find({ _id: of }, { projection: { _id: 1 } }).toArray();
      const placed = new Set([...rows.map(({ subject }) => subject), ...links.map(({ _id }) => _id)]);
      return ids
        .filter((id) => !placed.has(id))
        .map((id) => ({
          subject: id,
          aspect: 'place',
          message: 'has no place in the chain of the audit log',
        }));
    },

    async end() {
      // The newest link is read first, so that a link added in the meantime is before the end that is read next.
      const newest = await linked.findOne({}, { sort: { seq: -1 } });
      const head = await readHead();
      const last = await linked.findOne({ seq: head.seq });
      if (head.seq > 0 && last?.hash !== head.hash)
        return [
          {
            subject: last?._id ?? AUDIT_CHAIN_KEY,
            aspect: 'end',
            message: `the audit log does not end with entry ${head.seq} any more`,
          },
        ];
      if (newest && newest.seq > head.seq)
        return [
          {
            subject: newest._id,
            aspect: 'end',
            message: `entry ${newest.seq} stands after the end of the audit log`,
          },
        ];
      return [];
    },
  };
};

/** Whether `before` and `after` are what an erasure made of them; the erasure has an entry of its own. */
const isErased = async (stored: Collection<StoredEntry>, entry: StoredEntry): Promise<boolean> => {
  const notices = await stored.find({ resourceId: entry.id, type: AUDIT_ENTRY_ERASED }).toArray();
  const pictures = snapshotDigestOf(entry, {});
  return notices.some(({ details }) => details?.pictures === pictures);
};
