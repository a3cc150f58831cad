import type { Document, IndexDescription } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import type { Logger } from '../logger.ts';
import { AUDIT_LOG } from './audit.ts';
import type { Database } from './database.ts';

/** This collection has a document once the store has been migrated for the first time. */
export const MIGRATIONS = 'migrations';

/** A step that brings the write store to a newer shape. Steps run once, in the order of `id`, and may be repeated. */
export type Migration = { readonly id: string; up(db: Database): Promise<void> };

const COLLECTION_EXISTS = 48;
const MARKED_EVERY_MS = 1_000;

/**
 * Runs the steps that this write store has not seen. Two processes may do so at once, because each step is repeatable.
 * Steps that take no time are marked together, and are repeated where a process is killed in between.
 */
export const migrate = async (
  db: Database,
  migrations: readonly Migration[],
  logger: Logger,
): Promise<void> => {
  const applied = db.collection<{ _id: string; at: Date }>(MIGRATIONS);
  const known = new Set((await applied.find().toArray()).map((step) => step._id));
  const due = migrations.filter((step) => !known.has(step.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  let done: Migration[] = [];
  let markedAt = performance.now();
  for (const step of due) {
    await step.up(db);
    done.push(step);
    logger.info({ migration: step.id }, 'write store migrated');
    if (step !== due.at(-1) && performance.now() - markedAt < MARKED_EVERY_MS) continue;
    await applied.bulkWrite(
      done.map(({ id }) => ({
        updateOne: { filter: { _id: id }, update: { $set: { at: new Date() } }, upsert: true },
      })),
    );
    done = [];
    markedAt = performance.now();
  }
};

/** Creates missing collections. */
export const ensureCollections = async (db: Database, names: readonly string[]): Promise<void> => {
  for (const name of names)
    await db.createCollection(name).catch((error: unknown) => {
      if ((error as { code?: number }).code !== COLLECTION_EXISTS) throw error;
    });
};

/** A step that creates collections and their indexes. */
export const collections = (
  id: string,
  indexes: Readonly<Record<string, readonly IndexDescription[]>>,
): Migration => ({
  id,
  async up(db) {
    await ensureCollections(db, Object.keys(indexes));
    for (const [collection, wanted] of Object.entries(indexes))
      if (wanted.length > 0) await db.collection(collection).createIndexes([...wanted]);
  },
});

/**
 * An index of the documents that have a time at `field`, which may be null or absent. Other documents are not in it, so
 * changing them costs nothing here. Searches need a lower bound of '0' or later, as `upToMoment` has.
 */
export const whereTime = (
  field: string,
  key: Record<string, 1> = { [field]: 1 },
  also: Document = {},
): IndexDescription => ({
  key,
  partialFilterExpression: { ...also, [field]: { $gte: '0' } },
  name: `${Object.keys(key).join('_')}_where_set`,
});

/** A step that adds new fields with their values to older records. The first field shows whether a record has them. */
export const fieldsAdded = <T extends Resource>(
  id: string,
  { collection }: Store<T>,
  values: Partial<T>,
): Migration => ({
  id,
  async up(db) {
    const [first = ''] = Object.keys(values);
    await db.collection(collection).updateMany({ [first]: { $exists: false } }, { $set: values });
  },
});

/**
 * Collections and indexes of the platform itself. Collections have to be created here, because transactions do not
 * create them.
 */
export const platformMigrations: readonly Migration[] = [
  collections('001-outbox', {
    outbox: [{ key: { consumer: 1, state: 1, shard: 1 } }, { key: { commit: 1 } }],
    domain_events: [{ key: { resourceId: 1, resource: 1, version: 1 }, unique: true }],
    workers: [],
  }),
  collections('002-audit-log', { [AUDIT_LOG.collection]: [] }),
  collections('003-drift', { drift: [] }),
  collections('004-outbox-rows-after-failures', {
    outbox: [
      // Only rows that wait or are dead-lettered are indexed, so that all others cost nothing.
      { key: { retryAt: 1 }, partialFilterExpression: { state: 'waiting' } },
      { key: { state: 1 }, partialFilterExpression: { state: 'dead' } },
    ],
  }),
];
