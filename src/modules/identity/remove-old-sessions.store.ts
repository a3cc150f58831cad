import { timestamp } from '../../kernel/clock.ts';
import { daysBefore, inBatches, type Removal } from '../../platform/retention.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { inParts } from '../../platform/write-store/mongo.ts';
import { SESSIONS, type SessionDocument } from './write/sessions.store.ts';

/**
 * Sessions are kept this long after their end, because the address of a former session marks a later login from there
 * as known.
 */
const DAYS = 90;

/** Removes the sessions that ended long ago. */
export const createSessionRemoval = ({ db }: { readonly db: Database }): Removal => ({
  what: 'sessions',
  async run(now, signal) {
    const sessions = db.collection<SessionDocument>(SESSIONS);
    const ended = { expiresAt: { $lt: timestamp(daysBefore(now, DAYS)) } };
    let removed = 0;
    for await (const batch of inBatches(sessions, ended, { _id: 1 }, signal))
      for (const part of inParts(batch.map(({ _id }) => _id)))
        removed += (await sessions.deleteMany({ _id: { $in: [...part] } })).deletedCount;
    return removed;
  },
});
