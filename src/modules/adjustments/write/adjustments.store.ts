import type { Db } from 'mongodb';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { ADJUSTMENTS, type Adjustment } from './adjustment.ts';

export const adjustmentMigrations: readonly Migration[] = [
  collections('140-adjustments', { [ADJUSTMENTS.collection]: [] }),
];

/** The reasons of those of the named adjustments that exist, by their ids. */
export type FindReasons = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const createFindReasons =
  (db: Db): FindReasons =>
  async (ids) => {
    const projection = { id: 1, reason: 1 };
    const found = await findAmong<Adjustment>(db.collection(ADJUSTMENTS.collection), '_id', ids, {
      projection,
    });
    return new Map(found.map(({ id, reason }) => [id, reason]));
  };
