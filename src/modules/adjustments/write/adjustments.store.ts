import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { ADJUSTMENTS, type Adjustment } from './adjustment.ts';

export const adjustmentMigrations: readonly Migration[] = [
  collections('140-adjustments', { [ADJUSTMENTS.collection]: [] }),
];

/** Finds the reasons of adjustments by their ids; an unknown adjustment is absent. */
export type FindReasons = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const createFindReasons =
  (db: Database): FindReasons =>
  async (ids) => {
    const projection = { id: 1, reason: 1 };
    const found = await findAmong<Adjustment>(db, ADJUSTMENTS.collection, '_id', ids, {
      projection,
    });
    return new Map(found.map(({ id, reason }) => [id, reason]));
  };
