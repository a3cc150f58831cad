import type { Collection } from 'mongodb';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import type { NewId, UserId } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { isDuplicateKey } from '../../../platform/write-store/mongo.ts';
import { savedViewLimitReached } from './refusals.ts';
import { MOST_VIEWS, type SavedView, type SavedViewId } from './saved-view.ts';

export const SAVED_VIEWS = 'saved_views';

/** All views of a user in one document, so that the number is bounded by the same write that adds one. */
type SavedViewsDocument = {
  readonly _id: string;
  /** Counts the changes: one that relies on a former version is made again. */
  readonly version: number;
  readonly views: readonly SavedView[];
};

type Named = Pick<SavedView, 'screen' | 'name'>;

/**
 * Views of users. They are no business of anybody else and change nothing, so they have neither events nor entries in
 * the audit log.
 */
export type SavedViewsStore = {
  list(userId: UserId): Promise<readonly SavedView[]>;
  /** Adds a view, or replaces the one with this name; 422 SAVED_VIEW_LIMIT_REACHED for one too many. */
  put(userId: UserId, view: Named & { readonly query: string }): Promise<SavedView>;
  /** Removes a view; false where there is none. */
  remove(userId: UserId, id: SavedViewId): Promise<boolean>;
};

const CHANGED_MEANWHILE = 'the views of a user changed each time that they were read';
/** One user changes views by hand, so that even two attempts are seldom needed. */
const MOST_ATTEMPTS = 100;

export const createSavedViewsStore = (deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}): SavedViewsStore => {
  const { db, clock, newId } = deps;
  const stored: Collection<SavedViewsDocument> = db.collection<SavedViewsDocument>(SAVED_VIEWS);
  const find = async (userId: UserId): Promise<SavedViewsDocument> =>
    (await stored.findOne({ _id: userId })) ?? { _id: userId, version: 0, views: [] };
  /** False where another request has changed the views since they were read. */
  const replace = async (read: SavedViewsDocument, views: readonly SavedView[]): Promise<boolean> => {
    const { _id, version } = read;
    if (version > 0) {
      const next = { $set: { views: [...views], version: version + 1 } };
      return (await stored.updateOne({ _id, version }, next)).modifiedCount === 1;
    }
    try {
      await stored.insertOne({ _id, views, version: 1 });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  };
  return {
    list: async (userId) => (await find(userId)).views,
    async put(userId, { screen, name, query }) {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const read = await find(userId);
        const former = read.views.find((view) => view.screen === screen && view.name === name);
        const view = { id: former?.id ?? newId('viw'), screen, name, query, updatedAt: timestamp(clock()) };
        if (!former && read.views.length >= MOST_VIEWS) throw savedViewLimitReached(MOST_VIEWS);
        const views = former ? read.views.map((one) => (one === former ? view : one)) : [...read.views, view];
        if (await replace(read, views)) return view;
      }
      throw new Error(CHANGED_MEANWHILE);
    },
    async remove(userId, id) {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const read = await find(userId);
        const views = read.views.filter((view) => view.id !== id);
        if (views.length === read.views.length) return false;
        if (await replace(read, views)) return true;
      }
      throw new Error(CHANGED_MEANWHILE);
    },
  };
};
