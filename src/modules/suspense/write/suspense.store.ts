import { store } from '../../../kernel/store.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, fieldsAdded, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { SuspenseItem, SuspenseItemEvent } from './suspense.ts';

export const SUSPENSE_ITEMS = store<SuspenseItem, SuspenseItemEvent>('suspense_items', 'suspense_item');

export const suspenseMigrations: readonly Migration[] = [
  collections('210-suspense', {
    [SUSPENSE_ITEMS.collection]: [{ key: { reconcileAt: 1 } }, { key: { status: 1 } }],
  }),
  fieldsAdded('211-suspense-clearings', SUSPENSE_ITEMS, { clearing: null }),
  {
    id: '212-suspense-return-references',
    async up(db) {
      const items = db.collection<SuspenseItem>(SUSPENSE_ITEMS.collection);
      for await (const { id, status, clearing } of items.find({ returnReference: { $exists: false } })) {
        const wasAsked = status === 'returning' || status === 'returned' || clearing?.status === 'failed';
        await items.updateOne({ id }, { $set: { returnReference: wasAsked ? id : null } });
      }
      await items.createIndex({ returnReference: 1 });
    },
  },
  fieldsAdded('213-suspense-account-owners', SUSPENSE_ITEMS, { accountOwnerId: null }),
];

/** The item whose return has this reference at the provider. */
export const createFindReturn =
  (db: Database) =>
  (returnReference: string): Promise<SuspenseItem | null> =>
    db
      .collection(SUSPENSE_ITEMS.collection)
      .findOne<SuspenseItem>({ returnReference }, { projection: RESOURCE_ONLY });
