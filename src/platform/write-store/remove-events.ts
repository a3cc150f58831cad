import type { Db } from 'mongodb';
import { firstIdAt } from '../../kernel/ids.ts';
import { daysBefore, inBatches, type Removal } from '../retention.ts';
import { OUTBOX, type OutboxRow } from './outbox.ts';
import { DOMAIN_EVENTS } from './transact.ts';

/** What outbox rows from before that time are about: all rows about something as old are. */
export const subjectsInOutbox = async (db: Db, before: Date): Promise<readonly string[]> =>
  db.collection<OutboxRow>(OUTBOX).distinct('subject', { createdAt: { $lt: before } });

/**
 * Removes old domain events. They are history only: resources, views, the ledger and webhooks do not read them once
 * nothing in the outbox names them.
 */
export const removeEvents = (db: Db, days: number | null): Removal => ({
  what: 'domain events',
  async run(now, signal) {
    if (days === null) return 0;
    const before = daysBefore(now, days);
    const needed = new Set(await subjectsInOutbox(db, before));
    const events = db.collection<{ _id: string }>(DOMAIN_EVENTS);
    const old = { _id: { $gte: 'evt_', $lt: firstIdAt('evt', before) } };
    let removed = 0;
    for await (const batch of inBatches(events, old, { _id: 1 }, signal)) {
      const ids = batch.map(({ _id }) => _id).filter((id) => !needed.has(id));
      removed += (await events.deleteMany({ _id: { $in: ids } })).deletedCount;
    }
    return removed;
  },
});
