import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { ADJUSTMENTS } from './adjustment.ts';

export const adjustmentMigrations: readonly Migration[] = [
  { id: '140-adjustments', up: (db) => ensureCollections(db, [ADJUSTMENTS.collection]) },
];
