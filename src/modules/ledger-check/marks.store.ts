import { newCommitId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { inShards, type OutboxRow, shardOf } from '../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../platform/write-store/relay.ts';
import type { Check } from './check.ts';

export const MARKS = 'ledger_marks';

/** A record that has changed and has to be checked; the mark is deleted once that was done. */
export type Mark = {
  readonly _id: string;
  readonly shard: number;
  readonly ids: readonly string[];
  /** When the first change since the last check was recorded. */
  readonly changedAt: Date;
};

export type Marks = {
  /**
   * Marks the records that outbox rows are about before the rows are removed, with one document for all rows of a
   * record.
   */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /** Marks in these shards, up to a limit. */
  take(shards: readonly number[], limit: number): Promise<readonly Mark[]>;
  remove(marks: readonly Mark[]): Promise<void>;
  /** When the oldest change that is not checked yet was recorded; null where there is none. */
  oldest(): Promise<Date | null>;
};

/** Marks only records that some check covers. */
export const createMarks = (db: Database, checks: readonly Pick<Check, 'prefix'>[]): Marks => {
  const prefixes = new Set(checks.map(({ prefix }) => prefix));
  const marks = db.collection<Mark>(MARKS);
  return {
    async add(rows) {
      const named = rows.flatMap(({ key, subject }) => [key, subject]);
      const ids = [...new Set(named)].filter((id) => prefixes.has(id.slice(0, id.indexOf('_'))));
      if (ids.length === 0) return;
      const _id = newCommitId();
      const changedAt = new Date(Math.min(...rows.map(({ createdAt }) => createdAt.getTime())));
      await marks.insertOne({ _id, shard: shardOf(_id), ids, changedAt });
    },
    take: (shards, limit) => marks.find(inShards(shards), { limit }).toArray(),
    async remove(done) {
      await marks.deleteMany({ _id: { $in: done.map(({ _id }) => _id) } });
    },
    async oldest() {
      const left = await marks.find({}, { projection: { changedAt: 1 } }).toArray();
      return oldestOf(left.map(({ changedAt }) => changedAt));
    },
  };
};

/** Handles the rows of the check's own outbox consumer by marking the records that they are about. */
export const createMarkRows =
  (marks: Pick<Marks, 'add'>): HandleRows =>
  async (rows) => {
    await marks.add(rows);
    return [];
  };

export const oldestOf = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((oldest, at) => (oldest !== null && (at === null || oldest <= at) ? oldest : at), null);
