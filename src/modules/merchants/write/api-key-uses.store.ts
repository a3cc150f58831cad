import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';

/**
 * When each pair of keys was last used. This is kept apart from the pairs, because every change of a pair is an event.
 */
export const API_KEY_USES = 'api_key_uses';

type Use = { readonly _id: string; readonly lastUsedAt: Date };

const NOTED_EVERY_MS = 60_000;
/** Pairs whose last noted use a process remembers. Beyond that it forgets all, and notes a few uses once more. */
const REMEMBERED = 10_000;

/** Notes that a pair is in use, at most once a minute in each process, so that a request seldom costs a write. */
export type NoteUse = (keyId: string, now: Date) => Promise<void>;

export const createNoteUse = (db: Database): NoteUse => {
  const uses = db.collection<Use>(API_KEY_USES);
  const notedAt = new Map<string, number>();
  return async (keyId, now) => {
    if (now.getTime() - (notedAt.get(keyId) ?? 0) < NOTED_EVERY_MS) return;
    if (notedAt.size >= REMEMBERED) notedAt.clear();
    notedAt.set(keyId, now.getTime());
    await uses.updateOne({ _id: keyId }, { $max: { lastUsedAt: now } }, { upsert: true });
  };
};

/** When these pairs were last used, by their ids; a pair that never was is absent. */
export type FindUses = (keyIds: readonly string[]) => Promise<ReadonlyMap<string, Date>>;

export const createFindUses =
  (db: Database): FindUses =>
  async (keyIds) => {
    const found = await findAmong<Use>(db, API_KEY_USES, '_id', keyIds, {});
    return new Map(found.map(({ _id, lastUsedAt }) => [_id, lastUsedAt]));
  };
