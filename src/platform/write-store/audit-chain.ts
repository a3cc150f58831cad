import { createHash, randomBytes } from 'node:crypto';
import type { AuditEntry } from './audit.ts';

/** Collection of the links, and of the document that says where the chain ends. */
export const AUDIT_LINKS = 'audit_links';
export const AUDIT_CHAIN = 'audit_chain';

/** The outbox's rows of this consumer are the entries that have no place in the chain yet. */
export const AUDIT_CHAIN_CONSUMER = 'audit-chain';
/** One key for all of them: one worker gives them their places. */
export const AUDIT_CHAIN_KEY = 'audit';

/** Type of the entry that records the erasure of a customer in another one, with its new before and after. */
export const AUDIT_ENTRY_ERASED = 'audit_entry.customer_erased';

/**
 * Salt that is stored beside an entry. It keeps a digest of its pictures from telling what an erasure took out of them.
 */
export type AuditSecret = { readonly salt: string };

export const newAuditSecret = (): AuditSecret => ({ salt: randomBytes(16).toString('hex') });

/** The place of an entry in the audit log. Never changed. */
export type AuditLink = {
  /** Id of the entry. */
  readonly _id: string;
  /** From 1 and without gaps. */
  readonly seq: number;
  /** Hash of the entry's before and after, with its salt. */
  readonly pictures: string;
  readonly previousHash: string;
  /** Hash of the entry and, through `previousHash`, of all entries before it. */
  readonly hash: string;
};

/** Where the chain ends. */
export type AuditChainHead = { readonly _id: string; readonly seq: number; readonly hash: string };

export const EMPTY_AUDIT_CHAIN: AuditChainHead = { _id: AUDIT_CHAIN_KEY, seq: 0, hash: '0'.repeat(64) };

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** SHA-256 of what an entry says was before and after. */
export const snapshotDigestOf = (
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
  secret: Partial<AuditSecret>,
): string => digest([secret.salt ?? null, before, after]);

/** SHA-256 of everything else that an entry says, of its pictures' digest and of the hash before it. */
export const linkHash = (
  link: Pick<AuditLink, 'seq' | 'pictures' | 'previousHash'>,
  entry: AuditEntry,
): string =>
  digest([
    link.previousHash,
    link.seq,
    entry.id,
    entry.at,
    entry.actor.kind,
    entry.actor.id,
    entry.requestId,
    entry.address ?? null,
    entry.type,
    entry.resource,
    entry.resourceId,
    entry.livemode,
    Object.entries(entry.details ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
    link.pictures,
  ]);

/** The entries after the end of the chain, in this order. */
export const extendChain = (
  head: AuditChainHead,
  entries: readonly { readonly entry: AuditEntry; readonly secret: Partial<AuditSecret> }[],
): { readonly links: readonly AuditLink[]; readonly head: AuditChainHead } => {
  const links: AuditLink[] = [];
  let end = head;
  for (const { entry, secret } of entries) {
    const place = { seq: end.seq + 1, pictures: snapshotDigestOf(entry, secret), previousHash: end.hash };
    const hash = linkHash(place, entry);
    links.push({ _id: entry.id, ...place, hash });
    end = { ...end, seq: place.seq, hash };
  }
  return { links, head: end };
};
