import { createHash, randomBytes } from 'node:crypto';
import type { AuditEntry } from './audit.ts';

/** Collections of the links, and of the document with the end of the chain. */
export const AUDIT_LINKS = 'audit_links';
export const AUDIT_CHAIN = 'audit_chain';

/** Consumer whose outbox rows stand for the entries without a place in the chain. */
export const AUDIT_CHAIN_CONSUMER = 'audit-chain';
/** All rows have this key, so that one worker gives entries their places. */
export const AUDIT_CHAIN_KEY = 'audit';

/**
 * Type of the entry that records the erasure of a customer from another entry, with that entry's new `before` and
 * `after`.
 */
export const AUDIT_ENTRY_ERASED = 'audit_entry.customer_erased';

/**
 * Salt that is stored beside an entry. With it, the digest of `before` and `after` does not reveal what an erasure
 * removed from them.
 */
export type AuditSecret = { readonly salt: string };

export const newAuditSecret = (): AuditSecret => ({ salt: randomBytes(16).toString('hex') });

/** The place of an entry in the audit log. It never changes. */
export type AuditLink = {
  /** Id of the entry. */
  readonly _id: string;
  /** Place in the chain, from 1 and without gaps. */
  readonly seq: number;
  /** Hash of the entry's `before` and `after`, with its salt. */
  readonly pictures: string;
  readonly previousHash: string;
  /** Hash of the entry and, through `previousHash`, of all entries before it. */
  readonly hash: string;
};

/** The end of the chain. */
export type AuditChainHead = { readonly _id: string; readonly seq: number; readonly hash: string };

export const EMPTY_AUDIT_CHAIN: AuditChainHead = { _id: AUDIT_CHAIN_KEY, seq: 0, hash: '0'.repeat(64) };

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** SHA-256 of an entry's `before` and `after`, with its salt. */
export const snapshotDigestOf = (
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
  secret: Partial<AuditSecret>,
): string => digest([secret.salt ?? null, before, after]);

/** SHA-256 of all other members of an entry, of the digest above, and of the preceding hash. */
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

/** Adds entries at the end of the chain, in this order. */
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
