import { type Timestamp, timestamp } from '../../kernel/clock.ts';
import { daysAfter, daysBefore, inBatches, type Removal } from '../retention.ts';
import type { Database } from './database.ts';
import { inParts } from './mongo.ts';
import { OUTBOX, type StoredRow } from './outbox.ts';
import { idsBefore } from './ranges.ts';
import { DOMAIN_EVENTS } from './write-set.ts';

/** Finds the subjects of outbox rows from before this time, because a row about an old subject is itself old. */
export type FindSubjects = (before: Date) => Promise<readonly string[]>;

export const createFindSubjects =
  (db: Database): FindSubjects =>
  async (before) => {
    const rows = await db
      .collection<StoredRow>(OUTBOX)
      .find({ createdAt: { $lt: before } }, { projection: { _id: 0, subject: 1 } })
      .toArray();
    return [...new Set(rows.flatMap(({ subject }) => subject))];
  };

/**
 * Removes old domain events that no outbox row names, after views have removed what they know only from them.
 * Resources, the ledger and sent bodies do not need these events.
 */
export const removeEvents = (deps: {
  readonly db: Database;
  readonly days: number | null;
  /** Throws while the views cannot remove documents. */
  readonly viewsReady: () => Promise<unknown>;
  readonly forget: (ids: readonly string[]) => Promise<void>;
  /** Resources that have the real time in both environments. */
  readonly inRealTime: readonly string[];
}): Removal => ({
  what: 'domain events',
  async run(now, signal, livemode) {
    const { db, days } = deps;
    if (days === null) return 0;
    await deps.viewsReady();
    const before = daysBefore(now, days);
    const needed = new Set(await createFindSubjects(db)(before));
    const events = db.collection<Event>(DOMAIN_EVENTS);
    const old = eventsBefore(before, livemode, deps.inRealTime);
    let removed = 0;
    for await (const batch of inBatches(events, old, { _id: 1 }, signal)) {
      const ids = batch.map(({ _id }) => _id).filter((id) => !needed.has(id));
      for (const part of inParts(ids))
        removed += (await events.deleteMany({ _id: { $in: [...part] } })).deletedCount;
      await deps.forget(ids);
    }
    return removed;
  },
  ofTest: {
    async next(since) {
      const { db, days } = deps;
      if (days === null) return null;
      const made = { $gte: timestamp(daysBefore(since, days)), $lt: ':' };
      const first = await db
        .collection<Event>(DOMAIN_EVENTS)
        .findOne({ ...ofTest(deps.inRealTime), at: made }, { projection: { at: 1 }, sort: { _id: 1 } });
      return first && daysAfter(first.at, days);
    },
    keepsUnread: deps.days !== null,
  },
});

type Event = { readonly _id: string; readonly at: Timestamp };

const ofTest = (inRealTime: readonly string[]) => ({
  'data.livemode': false,
  resource: { $nin: [...inRealTime] },
});

/** The id of an event says when it was recorded, and `at` says it by the clock of its record. */
const eventsBefore = (before: Date, livemode: boolean | null, inRealTime: readonly string[]) => {
  if (livemode === false) return { ...ofTest(inRealTime), at: { $gte: '0', $lt: timestamp(before) } };
  const _id = idsBefore('evt', before);
  if (livemode === null) return { _id };
  return { _id, $or: [{ 'data.livemode': { $ne: false } }, { resource: { $in: [...inRealTime] } }] };
};
