import type { Db, Document, FindCursor } from 'mongodb';
import { timestamp } from '../../kernel/clock.ts';
import { firstIdAt, type IdPrefix } from '../../kernel/ids.ts';
import { withTenant } from './stored-tenant.ts';

/**
 * Everything that stands here because of the MongoDB-compatible server of `make run` and `make test`, each with its
 * reason. A MongoDB replica set answers the same with it and loses no speed. Three more habits have their reason there.
 * All indexes are ascending and no range uses `$lte`, because the server answers both wrongly (local-server.test.ts).
 * Tenants come last in a filter, because the server searches by the first member that has an index.
 */

/** Ids that one statement names: the server compares each of them with all the others. */
export const IDS_AT_ONCE = 50;

/**
 * Statements of one kind of read that are in flight at once; those that come meanwhile share the next one. Fewer and
 * larger ones cost the server less, and a second one goes on where the first hangs.
 */
export const READS_AT_ONCE = 2;

/**
 * Group commits of this process that are in flight at once, and the commands that share one. A second one would wait
 * for the statements of the first; larger ones collide more often and are no cheaper for each command.
 */
export const GROUP_COMMITS_AT_ONCE = 1;
export const COMMANDS_TOGETHER = 64;

/**
 * Transactions of this process at once; the others wait. Each statement of a transaction waits there for those of all
 * others. More are no faster on a replica set either, because each needs this process between its statements.
 */
export const TRANSACTIONS_AT_ONCE = 16;

/**
 * The resource in a document that was read whole. A projection takes the server longer than the search by a key; a
 * replica set sends some bytes more.
 */
export const resourceIn = <T extends Document>({
  _id,
  secret,
  tenantId,
  ...resource
}: T): Omit<T, '_id' | 'secret' | 'tenantId'> => withTenant(resource, tenantId);

/**
 * Time for one answer while a whole collection is read. The server sends the first batch after it has read much more.
 */
export const SCAN_ANSWERS_WITHIN_MS = 120_000;

/**
 * Pauses of the loop that looks for work in the outbox. That look is slow there while many rows wait for their retry.
 * It rests for a multiple of the time that it took.
 */
export const REST_OF_OUTBOX_WATCH = { restFactor: 4, restAtMostMs: 5_000 };

/** Selects times up to and with a moment. A range with one side only searches the whole index there; '0' is below all. */
export const upToMoment = (at: Date) => ({ $gte: '0', $lt: timestamp(new Date(at.getTime() + 1)) });

/** Selects ids that were made before a moment, with both sides for the same reason. */
export const idsBefore = (prefix: IdPrefix, at: Date) => ({ $gte: `${prefix}_`, $lt: firstIdAt(prefix, at) });

/** Ids of a collection in their order, up to and with `upTo`; null where none come after them. */
export type IdPage = { readonly ids: readonly string[]; readonly upTo: string | null };

/**
 * Reads ids of collections page by page. The cursor stays open from one page to the next: the server is slow in
 * finding a place among ids. Any other place than the next one opens a new cursor.
 */
export const createIdPages = (db: Db, size: number) => {
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
