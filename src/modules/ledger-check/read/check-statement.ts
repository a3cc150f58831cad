import type { Posting } from '../../ledger/write/journal.ts';
import type { Balance } from '../../ledger/write/ledger.store.ts';
import {
  type ChainHead,
  EMPTY_CHAIN,
  hashOf,
  type StatementLine,
} from '../../ledger/write/statement-line.ts';
import type { Difference, Finding } from '../check.ts';

/** How far a statement was recomputed: the place and hash of the last line, and the sums of the postings up to it. */
export type Recomputed = Pick<ChainHead, 'available' | 'reserved' | 'seq' | 'hash'>;

export const NOTHING_YET: Recomputed = {
  available: EMPTY_CHAIN.available,
  reserved: EMPTY_CHAIN.reserved,
  seq: EMPTY_CHAIN.seq,
  hash: EMPTY_CHAIN.hash,
};

export type Followed = { readonly findings: readonly Finding[]; readonly after: Recomputed };

/** Members that a line and its posting have in common. */
export type Posted = Pick<StatementLine, 'id' | 'merchantId' | 'bucket' | 'movement_type' | 'amount'>;

export const postingWords = ({ id, merchantId, bucket, movement_type, amount }: Posting | Posted): string =>
  `${id} ${merchantId} ${bucket} ${movement_type} ${amount}`;

/** Recomputes the next lines of a statement, up to and including `upTo`, from their postings by id. */
export const followLines = (
  chain: string,
  before: Recomputed,
  upTo: number,
  lines: readonly StatementLine[],
  postings: ReadonlyMap<string, Posting | Posted>,
): Followed => {
  const bySeq = new Map(lines.map((line) => [line.seq, line]));
  const findings: Finding[] = [];
  let after = before;
  for (let seq = before.seq + 1; seq <= upTo; seq += 1) {
    const followed = followLine(chain, { ...after, seq }, bySeq.get(seq), postings);
    findings.push({ checked: `${chain}#${seq}`, differences: followed.differences });
    after = followed.after;
  }
  return { findings, after };
};

const followLine = (
  chain: string,
  before: Recomputed,
  line: StatementLine | undefined,
  postings: ReadonlyMap<string, Posting | Posted>,
): { readonly differences: readonly Difference[]; readonly after: Recomputed } => {
  const differences: Difference[] = [];
  const fault = (aspect: string, message: string): void => {
    differences.push({ kind: 'statement', subject: chain, aspect: `line ${before.seq} ${aspect}`, message });
  };
  if (!line) {
    fault('missing', `line ${before.seq} is missing`);
    return { differences, after: before };
  }
  const name = `line ${line.seq} (${line.id})`;
  const posting = postings.get(line.id);
  if (!posting) fault('posting', `${name} has no posting`);
  else if (postingWords(line) !== postingWords(posting)) fault('posting', `${name} is not what was posted`);
  const after = {
    ...before,
    ...(posting && posting.merchantId !== null
      ? { [posting.bucket]: before[posting.bucket] + posting.amount }
      : {}),
    hash: line.hash,
  };
  if (line.balanceAfter !== after[line.bucket])
    fault('balance', `${name} says ${line.balanceAfter} after it and not ${after[line.bucket]}`);
  if (line.previousHash !== before.hash || hashOf(line) !== line.hash)
    fault('hash', `the hash chain is broken at ${name}`);
  return { differences, after };
};

/** Compares a balance with its recomputed statement, and reports lines beyond its end. */
export const checkBalance = (
  balance: Balance,
  recomputed: Recomputed,
  beyond: readonly StatementLine[],
): Finding => {
  const { _id: chain } = balance;
  const differences: Difference[] = [];
  for (const bucket of ['available', 'reserved'] as const)
    if (balance[bucket] !== recomputed[bucket])
      differences.push({
        kind: 'balance',
        subject: chain,
        aspect: bucket,
        message: `${bucket} is ${balance[bucket]} and its postings sum to ${recomputed[bucket]}`,
      });
  const fault = (aspect: string, message: string): void => {
    differences.push({ kind: 'statement', subject: chain, aspect, message });
  };
  if (balance.hash !== recomputed.hash) fault('end', 'the statement does not end where the balance says');
  for (const { seq } of beyond) fault(`line ${seq} beyond`, `line ${seq} lies beyond its end`);
  return { checked: chain, differences };
};
