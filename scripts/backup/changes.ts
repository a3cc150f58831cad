import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, ChangeStreamDocument, Document, ResumeToken } from 'mongodb';
import { BACKUPS } from '../../src/platform/write-store/backups.ts';
import type { Database } from '../../src/platform/write-store/database.ts';

/** A change of one document: its new content, the changed fields, or null for a deletion. */
export type Change = {
  readonly collection: string;
  readonly id: unknown;
  readonly to: Document | null;
  readonly update?: {
    readonly set: Document;
    readonly unset: readonly string[];
    /** Arrays that became shorter, with their new sizes. */
    readonly cut: readonly { readonly field: string; readonly newSize: number }[];
  };
};

/** How long to look for the mark, because a change stream shows only what a majority of the members has. */
const MARK_WITHIN_MS = 60_000;

/** Only changes that a change of the primary cannot roll back. */
const OF_MAJORITY = { readConcern: { level: 'majority' } } as const;

/** Commits a mark, and returns the position of its commit in the change stream. */
export const placeOfMark = async (db: Database): Promise<ResumeToken> => {
  const stream = db.watch([], OF_MAJORITY);
  try {
    // The stream begins with the first read, not before.
    await stream.tryNext();
    const mark = await leaveMark(db);
    for (const until = Date.now() + MARK_WITHIN_MS; Date.now() < until; ) {
      const event = await stream.tryNext();
      if (event && isMark(event, mark)) return event._id;
    }
    throw new Error('the mark of the backup does not show among the changes');
  } finally {
    await stream.close();
  }
};

/** All changes after that position, up to a mark that is committed now. */
export async function* changesSince(db: Database, place: ResumeToken): AsyncGenerator<Change> {
  const mark = await leaveMark(db);
  const stream = db.watch([], { ...OF_MAJORITY, resumeAfter: place });
  try {
    for await (const event of stream) {
      if (isMark(event, mark)) return;
      const change = changeOf(event);
      if (change) yield change;
    }
  } finally {
    await stream.close();
  }
}

const leaveMark = async (db: Database): Promise<string> => {
  const mark = randomUUID();
  await db
    .collection<{ _id: string; mark?: string }>(BACKUPS)
    .updateOne({ _id: 'mark' }, { $set: { mark } }, { upsert: true });
  return mark;
};

const isMark = (event: ChangeStreamDocument, mark: string): boolean => {
  if (!('ns' in event) || !('coll' in event.ns) || event.ns.coll !== BACKUPS) return false;
  if (event.operationType === 'update') return event.updateDescription.updatedFields?.mark === mark;
  return event.operationType === 'insert' && event.fullDocument.mark === mark;
};

const changeOf = (event: ChangeStreamDocument): Change | null => {
  switch (event.operationType) {
    case 'insert':
    case 'replace':
      return { collection: event.ns.coll, id: event.documentKey._id, to: event.fullDocument };
    case 'delete':
      return { collection: event.ns.coll, id: event.documentKey._id, to: null };
    case 'update': {
      const { updatedFields = {}, removedFields = [], truncatedArrays = [] } = event.updateDescription;
      const update = { set: updatedFields, unset: removedFields, cut: truncatedArrays };
      return { collection: event.ns.coll, id: event.documentKey._id, to: null, update };
    }
    case 'drop':
    case 'rename':
    case 'dropDatabase':
    case 'invalidate':
      throw new Error(`a collection was changed meanwhile (${event.operationType}): begin the backup again`);
    default:
      return null;
  }
};

/**
 * Applies changes in their order. A document may already be newer than a change, but then a later change brings it
 * there again.
 */
export const applyChanges = async (db: Database, changes: readonly Change[]): Promise<void> => {
  const byCollection = new Map<string, AnyBulkWriteOperation[]>();
  for (const change of changes)
    byCollection.set(change.collection, [
      ...(byCollection.get(change.collection) ?? []),
      ...operationsOf(change),
    ]);
  for (const [collection, operations] of byCollection)
    await db.collection(collection).bulkWrite(operations, { ordered: true });
};

const operationsOf = ({ id, to, update }: Change): readonly AnyBulkWriteOperation[] => {
  const filter = { _id: id } as Document;
  if (to !== null) return [{ replaceOne: { filter, replacement: to, upsert: true } }];
  if (!update) return [{ deleteOne: { filter } }];
  const { set, unset, cut } = update;
  const cuts = cut.map(({ field, newSize }) => ({ $push: { [field]: { $each: [], $slice: newSize } } }));
  const fields = {
    ...(Object.keys(set).length > 0 ? { $set: set } : {}),
    ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, ''])) } : {}),
  };
  const all = Object.keys(fields).length > 0 ? [...cuts, fields] : cuts;
  return all.map((one) => ({ updateOne: { filter, update: one as Document } }));
};
