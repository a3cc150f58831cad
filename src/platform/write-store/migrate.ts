import type { Db } from 'mongodb';
import type { Logger } from '../logger.ts';
import { AUDIT_LOG } from './audit.ts';

/** A step that brings the write store to a newer shape. Steps run in order of `id`, once, and may be repeated. */
export type Migration = { readonly id: string; up(db: Db): Promise<void> };

/** Runs the steps that this write store has not seen. Two processes may do so at once: each step is repeatable. */
export const migrate = async (db: Db, migrations: readonly Migration[], logger: Logger): Promise<void> => {
  const applied = db.collection<{ _id: string; at: Date }>('migrations');
  const known = new Set((await applied.find().toArray()).map((step) => step._id));
  const due = migrations.filter((step) => !known.has(step.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const step of due) {
    await step.up(db);
    await applied.updateOne({ _id: step.id }, { $set: { at: new Date() } }, { upsert: true });
    logger.info({ migration: step.id }, 'write store migrated');
  }
};

/** Collections and indexes of the mechanisms themselves. Collections are made here: not inside transactions. */
export const platformMigrations: readonly Migration[] = [
  {
    id: '001-outbox',
    async up(db) {
      await ensureCollections(db, ['outbox', 'domain_events', 'workers']);
      await db.collection('outbox').createIndex({ consumer: 1, state: 1, shard: 1 });
      await db.collection('outbox').createIndex({ commit: 1 });
      await db
        .collection('domain_events')
        .createIndex({ resourceId: 1, resource: 1, version: 1 }, { unique: true });
    },
  },
  { id: '002-audit-log', up: (db) => ensureCollections(db, [AUDIT_LOG.collection]) },
  { id: '003-drift', up: (db) => ensureCollections(db, ['drift']) },
  {
    id: '004-outbox-rows-after-failures',
    async up(db) {
      const outbox = db.collection('outbox');
      // Of rows that wait or are dead only, so that those that are neither cost nothing.
      await outbox.createIndex({ retryAt: 1 }, { partialFilterExpression: { state: 'waiting' } });
      await outbox.createIndex({ state: 1 }, { partialFilterExpression: { state: 'dead' } });
    },
  },
];

/** Makes collections that are missing. */
export const ensureCollections = async (db: Db, names: readonly string[]): Promise<void> => {
  const existing = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  for (const name of names) {
    if (!existing.has(name))
      await db.createCollection(name).catch((error: unknown) => {
        // Another process made it between the look and the call.
        if ((error as { code?: number }).code !== 48) throw error;
      });
  }
};
