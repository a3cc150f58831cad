import type { Db } from 'mongodb';
import { daysBefore, inBatches, type Removal } from '../retention.ts';
import { idsBefore } from './local-server.ts';
import { inParts } from './mongo.ts';
import { OUTBOX, type StoredRow } from './outbox.ts';
import { DOMAIN_EVENTS } from './write-set.ts';

/** Subjects of outbox rows from before that time: all rows about something as old are. */
export type FindSubjects = (before: Date) => Promise<readonly string[]>;

export const createFindSubjects =
  (db: Db): FindSubjects =>
  async (before) => {
    const rows = await db
      .collection<StoredRow>(OUTBOX)
      .find({ createdAt: { $lt: before } }, { projection: { _id: 0, subject: 1 } })
      .toArray();
    return [...new Set(rows.flatMap(({ subject }) => subject))];
  };

/**
 * Removes old domain events that nothing in the outbox names, and has forgotten what they alone made known. Resources,
 * the ledger and what was sent do not need them.
 */
export const removeEvents = (deps: {
  readonly db: Db;
  readonly days: number | null;
  /** Throws while the views cannot forget anything. */
  readonly viewsReady: () => Promise<unknown>;
  readonly forget: (ids: readonly string[]) => Promise<void>;
}): Removal => ({
  what: 'domain events',
  async run(now, signal) {
    const { db, days } = deps;
    if (days === null) return 0;
    await deps.viewsReady();
    const before = daysBefore(now, days);
    const needed = new Set(await createFindSubjects(db)(before));
    const events = db.collection<{ _id: string }>(DOMAIN_EVENTS);
    const old = { _id: idsBefore('evt', before) };
    let removed = 0;
    for await (const batch of inBatches(events, old, { _id: 1 }, signal)) {
      const ids = batch.map(({ _id }) => _id).filter((id) => !needed.has(id));
      for (const part of inParts(ids))
        removed += (await events.deleteMany({ _id: { $in: [...part] } })).deletedCount;
      await deps.forget(ids);
    }
    return removed;
  },
});
