import type { ReferenceType } from '../ledger/write/journal.ts';

/** A fault in the books: which record it concerns, and what is wrong. */
export type Difference = {
  /** `unchecked` means that the record could not be judged at all. */
  readonly kind: 'balance' | 'statement' | 'journal' | 'audit_log' | 'unchecked' | ReferenceType;
  /** Id of the record, or key of the balance. */
  readonly subject: string;
  /** Tells faults of the same subject apart. It stays the same while the amounts in the message change. */
  readonly aspect: string;
  readonly message: string;
};

/** Name of a difference that the check of a record finds. It is the same however often the difference is found. */
export const nameOf = (checked: string, { kind, subject, aspect }: Difference): string =>
  `${checked} ${kind} ${subject} ${aspect}`;

/** The result for one record: all differences that the check finds, if any. */
export type Finding = { readonly checked: string; readonly differences: readonly Difference[] };

/**
 * `whole`: everything about a record. `news`: only the additions since the last look, where that is cheaper. `sweep`:
 * only checks without look-ups, while tallies raise doubts about records that have to be looked at closely.
 */
export type Thoroughness = 'whole' | 'news' | 'sweep';

/** A check of one kind of record. A fault is checked again in one snapshot before it counts. */
export type Check<T = unknown> = {
  /** Name of the records, as a plural. */
  readonly what: string;
  /** The prefix of the records' ids. */
  readonly prefix: string;
  /** All records, or the ones with these ids, in batches. */
  records(ids: readonly string[] | null): AsyncIterable<readonly T[]>;
  /** Records that the sweep has raised doubts about. */
  doubtful(): AsyncIterable<readonly T[]>;
  /** Records of other checks that may be wrong because this one changed. */
  leadsTo(record: T): readonly string[];
  look(records: readonly T[], how: Thoroughness): AsyncIterable<readonly Finding[]>;
};

export const prefixOf = (id: string): string => id.slice(0, id.indexOf('_'));
