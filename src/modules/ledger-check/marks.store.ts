import type { Db } from 'mongodb';
import { newCommitId } from '../../kernel/ids.ts';
import { inShards, type OutboxRow, shardOf } from '../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../platform/write-store/relay.ts';
import type { Check } from './check.ts';

export const MARKS = 'ledger_marks';

/** Records that changed and have to be looked at; deleted once they were. */
export type Mark = {
  readonly _id: string;
  readonly shard: number;
  readonly ids: readonly string[];
  /** When the first of these changes was recorded. */
  readonly changedAt: Date;
};

export type Marks = {
  /** Marks what rows of the outbox are about, before those are removed: one document for all of them. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /** Marks in these shards, at most so many. */
  take(shards: readonly number[], limit: number): Promise<readonly Mark[]>;
  remove(marks: readonly Mark[]): Promise<void>;
  /** When the oldest change was recorded that nobody has looked at yet; null where there is none. */
  oldest(): Promise<Date | null>;
};

/** Other records than those that are checked are not worth a mark. */
export const createMarks = (db: Db, checks: readonly Pick<Check, 'prefix'>[]): Marks => {
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

/** Marks what rows of the outbox are about that were written for this alone. */
export const createMarkRows =
  (marks: Pick<Marks, 'add'>): HandleRows =>
  async (rows) => {
    await marks.add(rows);
    return [];
  };

export const oldestOf = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((oldest, at) => (oldest !== null && (at === null || oldest <= at) ? oldest : at), null);
