import type { ReferenceType } from '../ledger/write/journal.ts';

/** Something that does not tie up: where, and what is wrong with it. */
export type Difference = {
  /** `unchecked`: the record could not be judged at all. */
  readonly kind: 'balance' | 'statement' | 'journal' | 'audit_log' | 'unchecked' | ReferenceType;
  /** Id of the record, or name of the balance. */
  readonly subject: string;
  /** Tells apart faults of the same subject. It stays the same while the figures of the message change. */
  readonly aspect: string;
  readonly message: string;
};

/** Names a difference that the check of a record finds: the same one however often it is seen. */
export const nameOf = (checked: string, { kind, subject, aspect }: Difference): string =>
  `${checked} ${kind} ${subject} ${aspect}`;

/** Result for one record: every difference that the check finds, or none. */
export type Finding = { readonly checked: string; readonly differences: readonly Difference[] };

/**
 * `whole`: everything about a record. `news`: what has been added since the last look, where that is cheaper. `sweep`:
 * what can be seen without looking anything up, beside the tallies that cast doubt on what is wrong.
 */
export type Thoroughness = 'whole' | 'news' | 'sweep';

/** A check of one kind of record. A fault is looked at again in one snapshot before it counts. */
export type Check<T = unknown> = {
  /** Name of the records, in the plural. */
  readonly what: string;
  /** How the ids of its records begin. */
  readonly prefix: string;
  /** Its records, or those of them that these ids name, in batches. */
  records(ids: readonly string[] | null): AsyncIterable<readonly T[]>;
  /** Records that are in doubt after the sweep. */
  doubtful(): AsyncIterable<readonly T[]>;
  /** Records of other checks that may be wrong because this one changed. */
  leadsTo(record: T): readonly string[];
  look(records: readonly T[], how: Thoroughness): AsyncIterable<readonly Finding[]>;
};

export const prefixOf = (id: string): string => id.slice(0, id.indexOf('_'));
