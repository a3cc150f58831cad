import type { Db } from 'mongodb';
import { store } from '../../../kernel/store.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { SuspenseItem } from './suspense.ts';

export const SUSPENSE_ITEMS = store<SuspenseItem>('suspense_items', 'suspense_item');

export const suspenseMigrations: readonly Migration[] = [
  {
    id: '210-suspense',
    async up(db) {
      await ensureCollections(db, [SUSPENSE_ITEMS.collection]);
      await db.collection(SUSPENSE_ITEMS.collection).createIndex({ reconcileAt: 1 });
      await db.collection(SUSPENSE_ITEMS.collection).createIndex({ status: 1 });
    },
  },
  {
    id: '211-suspense-clearings',
    async up(db) {
      await db
        .collection(SUSPENSE_ITEMS.collection)
        .updateMany({ clearing: { $exists: false } }, { $set: { clearing: null } });
    },
  },
];

/** Returns that the provider is to be asked about by now. */
export const createFindDueReturns =
  (db: Db) =>
  (now: Date, limit: number): Promise<readonly SuspenseItem[]> =>
    db
      .collection(SUSPENSE_ITEMS.collection)
      .find<SuspenseItem>(
        { reconcileAt: { $gte: '0', $lt: now.toISOString() } },
        { projection: RESOURCE_ONLY, limit },
      )
      .toArray();
