import { type AnyBulkWriteOperation, type ClientSession, MongoBulkWriteError } from 'mongodb';
import { tenantShownBy } from '../../kernel/tenant.ts';
import type { Database } from './database.ts';
import { isUnknownResult, pauseAfter, Uncertain } from './failures.ts';
import type { WriteStore } from './mongo.ts';
import { addRows } from './outbox.ts';
import { findOfTenants, ofTenant } from './spread.ts';
import {
  DOMAIN_EVENTS,
  type DocumentRead,
  type DocumentWrite,
  keyOf,
  VersionConflict,
  type WriteSet,
} from './write-set.ts';

type Stored = { readonly _id: string; readonly version?: number };

/** Thrown where a statement failed because of some members of a group; the others can be stored. */
export class Culprits extends Error {
  readonly sets: ReadonlySet<WriteSet>;

  constructor(sets: readonly WriteSet[], cause: unknown) {
    super('some write sets of the group cannot be stored', { cause });
    this.sets = new Set(sets);
  }
}

/** The first of these write sets that is in the store, which its first event proves. */
export const findStored = async <S extends Pick<WriteSet, 'events'>>(
  db: Database,
  sets: readonly S[],
): Promise<S | null> => {
  const first = sets.flatMap(({ events: [event] }) =>
    event ? [{ value: event.id, tenantId: event.tenantId }] : [],
  );
  const [event] = await findOfTenants<Stored>(db, DOMAIN_EVENTS, '_id', first, {
    projection: { _id: 1 },
    readConcern: { level: 'majority' },
  });
  return (event && sets.find(({ events }) => events[0]?.id === event._id)) ?? null;
};

/**
 * Runs `work` in a transaction of the store and commits it. `work` returns as `stored` the write sets of which the
 * transaction consists. Nothing is stored where this throws, unless it throws `Uncertain`.
 */
export const inTransaction = async <T>(
  { client, db }: WriteStore,
  giveUpAt: number,
  work: (session: ClientSession) => Promise<{ readonly result: T; readonly stored: readonly WriteSet[] }>,
): Promise<T> => {
  const session = client.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    let done: Awaited<ReturnType<typeof work>>;
    try {
      done = await work(session);
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      throw error;
    }
    await commit(db, session, done.stored, giveUpAt);
    return done.result;
  } finally {
    await session.endSession();
  }
};

/**
 * Commits, and repeats the commit where the answer leaves its result open. A commit that has not arrived leaves its
 * transaction open for a minute, during which nobody can change the same documents.
 */
const commit = async (
  db: Database,
  session: ClientSession,
  sets: readonly WriteSet[],
  giveUpAt: number,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      // The text of the error does not matter. The driver sends a commit twice and may answer for the second one.
      if (!isUnknownResult(error) || Date.now() > giveUpAt)
        throw new Uncertain('not known', { cause: error });
      if (await findStored(db, sets).catch(() => null)) return;
      await pauseAfter(tries);
    }
  }
};

/** Stores all of these write sets, with one statement for each collection and kind of write. */
export const storeTogether = async (
  db: Database,
  session: ClientSession,
  sets: readonly WriteSet[],
): Promise<void> => {
  await assertUnchanged(db, session, sets);
  const writes = sets.flatMap((set) => set.documents.map((write) => ({ set, write })));
  for (const [collection, ofCollection] of groupedBy(writes, ({ write }) => write.collection)) {
    const added = ofCollection.filter(({ write }) => write.version === null);
    const changed = ofCollection.filter(({ write }) => write.version !== null);
    if (added.length > 0) await insertAll(db, session, collection, added);
    if (changed.length > 0) await changeAll(db, session, collection, changed);
  }
  const events = sets.flatMap((set) => set.events);
  if (events.length > 0) await db.collection<Stored>(DOMAIN_EVENTS).insertMany([...events], { session });
  await addRows(
    db,
    sets.flatMap((set) => set.rows),
    session,
  );
};

type Member = { readonly set: WriteSet; readonly write: DocumentWrite };
/** Writes documents of one collection with one statement. */
type WriteAll = (
  db: Database,
  session: ClientSession,
  collection: string,
  members: readonly Member[],
) => Promise<void>;

const insertAll: WriteAll = async (db, session, collection, added) => {
  try {
    await db.collection<Stored>(collection).insertMany(
      added.map(({ write: { id, tenantId, fields } }) => ({ ...fields, tenantId, _id: id })),
      { session },
    );
  } catch (error) {
    const culprit = error instanceof MongoBulkWriteError && added[[error.writeErrors].flat()[0]?.index ?? -1];
    throw culprit ? new Culprits([culprit.set], error) : error;
  }
};

const changeAll: WriteAll = async (db, session, collection, changed) => {
  const { matchedCount } = await db.collection<Stored>(collection).bulkWrite(
    changed.map(({ write }) => changeOf(db, write)),
    { session },
  );
  if (matchedCount < changed.length) throw new VersionConflict();
};

/**
 * The change of one document, which must still have its version. Replacing the document costs the store less than
 * setting each field, which it would compare with all others.
 */
export const changeOf = (
  db: Database,
  { collection, isPartial, id, version, tenantId, formerTenantId, fields }: DocumentWrite,
): AnyBulkWriteOperation<Stored> => {
  const former = formerTenantId ?? tenantShownBy(fields);
  const filter = { _id: id, version: Number(version), ...ofTenant(db, collection, former) };
  const document: Omit<Stored, '_id'> = { ...fields, tenantId } as object;
  return isPartial
    ? { updateOne: { filter, update: { $set: document } } }
    : { replaceOne: { filter, replacement: document } };
};

/** Throws where a document that a command relied on is, as the transaction sees it, no longer as it was read. */
const assertUnchanged = async (
  db: Database,
  session: ClientSession,
  sets: readonly WriteSet[],
): Promise<void> => {
  const losers = await findLosers(db, sets, ({ reads }) => reads, session);
  if (losers.length > 0) throw new Culprits(losers, new VersionConflict());
};

/** The write sets with a document whose version is no longer the one that their command saw. */
export const findLosers = async (
  db: Database,
  sets: readonly WriteSet[],
  documentsOf: (set: WriteSet) => readonly DocumentRead[],
  session?: ClientSession,
): Promise<readonly WriteSet[]> => {
  const versions = await versionsOf(db, sets.flatMap(documentsOf), session);
  return sets.filter((set) =>
    documentsOf(set).some((document) => (versions.get(keyOf(document)) ?? null) !== document.version),
  );
};

const versionsOf = async (
  db: Database,
  documents: readonly DocumentRead[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, number>> => {
  const versions = new Map<string, number>();
  for (const [collection, ofCollection] of groupedBy(documents, (document) => document.collection)) {
    const found = await findOfTenants<Stored>(
      db,
      collection,
      '_id',
      ofCollection.map(({ id, tenantId }) => ({ value: id, tenantId })),
      { projection: { version: 1 }, ...(session ? { session } : {}) },
    );
    for (const { _id, version = 0 } of found) versions.set(keyOf({ collection, id: _id }), version);
  }
  return versions;
};

/** Whether the documents that a command read are still unchanged, so that all of its reads are of one moment. */
export const isUnchanged = async (db: Database, reads: readonly DocumentRead[]): Promise<boolean> => {
  const versions = await versionsOf(db, reads);
  return reads.every((read) => (versions.get(keyOf(read)) ?? null) === read.version);
};

const groupedBy = <T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
};
