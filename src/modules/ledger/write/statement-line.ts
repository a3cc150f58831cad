import { createHash } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import {
  type Journal,
  type MerchantBucket,
  type MovementType,
  ownerKey,
  type ReferenceType,
  type SettlementStage,
  stageOf,
} from './journal.ts';

/** A posting at its place in the merchant's statement. It never changes. */
export type StatementLine = Resource & {
  readonly id: Id<'led'>;
  /** Name of the statement: owner (merchant and environment) and currency. */
  readonly chain: string;
  /** Place in the statement, from 1 and without gaps. */
  readonly seq: number;
  readonly journalId: Id<'jrn'>;
  readonly merchantId: MerchantId;
  /** Master of the merchant; null where it has none. */
  readonly masterId: MerchantId | null;
  readonly livemode: boolean;
  readonly movement_type: MovementType;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  readonly chargeId: string | null;
  /** How far the merchant's share of the charge was settled before; null where the amount does not depend on it. */
  readonly settlement: SettlementStage | null;
  readonly amount: Minor;
  readonly currency: string;
  readonly bucket: MerchantBucket;
  /** Balance of the bucket after this line. */
  readonly balanceAfter: Minor;
  /** When the movement was booked, but never before the preceding line. */
  readonly createdAt: Timestamp;
  readonly previousHash: string;
  /** Hash of the line and, through `previousHash`, of all lines before it. */
  readonly hash: string;
};

export const STATEMENT_LINES: Store<StatementLine> = store('statement_lines', 'statement_line');

/** The name of the view that shows the lines. */
export const STATEMENT = 'statement';

/** The end of a statement: the sums in the buckets, and the place and hash that the next line follows. */
export type ChainHead = {
  readonly available: Minor;
  readonly reserved: Minor;
  readonly seq: number;
  readonly hash: string;
  /** Null before the first line. */
  readonly lastAt: Timestamp | null;
};

export const EMPTY_CHAIN: ChainHead = {
  available: 0,
  reserved: 0,
  seq: 0,
  hash: '0'.repeat(64),
  lastAt: null,
};

export const chainOf = (owner: string, currency: string): string => `${owner}:${currency}`;

/** Appends the postings that journals have for one owner in one currency to the lines that are there. */
export const placeLines = (
  head: ChainHead,
  journals: readonly Journal[],
  owner: { readonly key: string; readonly masterId: MerchantId | null },
  currency: string,
): { readonly lines: readonly StatementLine[]; readonly head: ChainHead } => {
  const lines: StatementLine[] = [];
  let end = head;
  for (const journal of journals) {
    if (journal.currency !== currency) continue;
    const { livemode, referenceType, referenceId, chargeId, settlement } = journal;
    for (const posting of journal.postings) {
      if (posting.merchantId === null || ownerKey(posting.merchantId, livemode) !== owner.key) continue;
      const { bucket, amount } = posting;
      const balanceAfter = end[bucket] + amount;
      const createdAt =
        end.lastAt !== null && end.lastAt > journal.createdAt ? end.lastAt : journal.createdAt;
      const content = {
        id: posting.id,
        version: 1,
        chain: chainOf(owner.key, currency),
        seq: end.seq + 1,
        journalId: journal._id,
        merchantId: posting.merchantId,
        masterId: owner.masterId,
        livemode,
        movement_type: posting.movement_type,
        referenceType,
        referenceId,
        chargeId,
        settlement: settlement && stageOf(settlement, posting.merchantId),
        amount,
        currency,
        bucket,
        balanceAfter,
        createdAt,
        previousHash: end.hash,
      };
      const hash = hashOf(content);
      lines.push({ ...content, hash });
      end = { ...end, [bucket]: balanceAfter, seq: content.seq, hash, lastAt: createdAt };
    }
  }
  return { lines, head: end };
};

/** The text that is hashed: all members of the line and the hash before it, as JSON. */
export const hashedText = (line: Omit<StatementLine, 'hash'>): string =>
  JSON.stringify([
    line.previousHash,
    line.chain,
    line.seq,
    line.id,
    line.journalId,
    line.merchantId,
    line.masterId,
    line.livemode,
    line.movement_type,
    line.referenceType,
    line.referenceId,
    line.chargeId,
    line.settlement?.parts ?? null,
    line.settlement?.settled ?? null,
    line.amount,
    line.currency,
    line.bucket,
    line.balanceAfter,
    line.createdAt,
  ]);

/** SHA-256 of the line's text. */
export const hashOf = (line: Omit<StatementLine, 'hash'>): string =>
  createHash('sha256').update(hashedText(line)).digest('hex');
