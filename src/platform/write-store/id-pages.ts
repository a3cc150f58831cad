import type { FindCursor } from 'mongodb';
import type { Database } from './database.ts';

/** Ids of a collection in their order, up to and including `upTo`; null where none come after them. */
export type IdPage = { readonly ids: readonly string[]; readonly upTo: string | null };

/**
 * Reads ids of collections page by page. The cursor stays open between pages, because the server is slow at finding a
 * place among ids. A new cursor is opened for any place that does not follow the last page.
 */
export const createIdPages = (db: Database, size: number) => {
  type Place = { readonly collection: string; readonly after: string | null };
  let open: (Place & { readonly cursor: FindCursor<{ _id: string }> }) | null = null;

  const close = (): void => {
    open?.cursor.close().catch(() => undefined);
    open = null;
  };

  const cursorAt = ({ collection, after }: Place): FindCursor<{ _id: string }> => {
    if (open?.collection === collection && open.after === after) return open.cursor;
    close();
    return db
      .collection<{ _id: string }>(collection)
      .find(after === null ? {} : { _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .batchSize(size);
  };

  return async (collection: string, after: string | null): Promise<IdPage> => {
    try {
      const cursor = cursorAt({ collection, after });
      const ids: string[] = [];
      for (let next = await cursor.next(); next; next = await cursor.next()) {
        ids.push(next._id);
        if (ids.length === size) break;
      }
      const upTo = ids.length === size ? (ids.at(-1) ?? null) : null;
      open = upTo === null ? null : { collection, after: upTo, cursor };
      return { ids, upTo };
    } catch (error) {
      close();
      throw error;
    }
  };
};
