import type { Db } from 'mongodb';
import { findAmong } from '../../../platform/write-store/mongo.ts';

/** When each pair of keys was used last. Beside the pairs, whose every change is an event. */
export const API_KEY_USES = 'api_key_uses';

type Use = { readonly _id: string; readonly lastUsedAt: Date };

const NOTED_EVERY_MS = 60_000;
/** Pairs that a process remembers to have noted; beyond, it forgets all and notes a few once more. */
const REMEMBERED = 10_000;

/** Notes that a pair is used: once a minute and process, so that requests cost no write. */
export type NoteUse = (keyId: string, now: Date) => Promise<void>;

export const createNoteUse = (db: Db): NoteUse => {
  const uses = db.collection<Use>(API_KEY_USES);
  const notedAt = new Map<string, number>();
  return async (keyId, now) => {
    if (now.getTime() - (notedAt.get(keyId) ?? 0) < NOTED_EVERY_MS) return;
    if (notedAt.size >= REMEMBERED) notedAt.clear();
    notedAt.set(keyId, now.getTime());
    await uses.updateOne({ _id: keyId }, { $max: { lastUsedAt: now } }, { upsert: true });
  };
};

/** When pairs were used last, by their ids; those that never were are missing. */
export type FindUses = (keyIds: readonly string[]) => Promise<ReadonlyMap<string, Date>>;

export const createFindUses =
  (db: Db): FindUses =>
  async (keyIds) => {
    const found = await findAmong<Use>(db.collection(API_KEY_USES), '_id', keyIds, {});
    return new Map(found.map(({ _id, lastUsedAt }) => [_id, lastUsedAt]));
  };
