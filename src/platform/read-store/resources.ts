import type { Db } from 'mongodb';
import type { DomainEvent, Resource } from '../../kernel/event.ts';
import { resourceIn } from '../write-store/local-server.ts';
import { findAmong, RESOURCE_ONLY } from '../write-store/mongo.ts';
import { DOMAIN_EVENTS } from '../write-store/write-set.ts';
import type { ReadStore } from './elastic.ts';
import { deleteDocuments, type View } from './view.ts';

const BATCH = 2_000;

/**
 * All resources that a view shows, in no order, as they are when they are read; no more of them where `signal` is
 * given. The next batch is asked for before the one at hand is done with.
 */
export async function* readBatches(
  db: Db,
  view: View,
  signal: AbortSignal,
): AsyncGenerator<readonly Resource[]> {
  // Here and not by a projection (RESOURCE_ONLY), which costs the server as much again as all the rest.
  for await (const batch of readCollection(db, view.source.collection, signal))
    yield batch.map((document) => resourceIn(document) as unknown as Resource);
  if (!view.fromEvents) return;
  for await (const batch of readCollection(db, DOMAIN_EVENTS, signal))
    yield knownBy(db, view, batch as unknown as readonly DomainEvent[]);
}

type Stored = { readonly _id: string; readonly secret?: unknown; readonly tenantId?: unknown };

async function* readCollection(
  db: Db,
  collection: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Stored[]> {
  const cursor = db.collection<Stored>(collection).find({}, { batchSize: BATCH });
  const read = async () => ((await cursor.hasNext()) ? (cursor.readBufferedDocuments() as Stored[]) : []);
  let reading = read();
  try {
    for (;;) {
      const batch = await reading;
      if (batch.length === 0 || signal.aborted) return;
      reading = read();
      reading.catch(() => undefined);
      yield batch;
    }
  } finally {
    await cursor.close();
  }
}

/** Documents that events make known and the view's source does not hold. */
const knownBy = async (db: Db, view: View, events: readonly DomainEvent[]): Promise<readonly Resource[]> => {
  const known = events.flatMap((event) => view.fromEvents?.of(event) ?? []);
  const held = await idsIn(
    db,
    view.source.collection,
    known.map(({ id }) => id),
  );
  return known.filter(({ id }) => !held.has(id));
};

/** Finds which of the ids a collection has. */
const idsIn = async (db: Db, collection: string, ids: Iterable<string>): Promise<ReadonlySet<string>> => {
  const options = { projection: { _id: 1 } };
  const found = await findAmong<{ readonly _id: string }>(db.collection(collection), '_id', ids, options);
  return new Set(found.map(({ _id }) => _id));
};

/** The resources with these ids that a view shows, by id. */
export const resourcesOf = async (
  db: Db,
  view: View,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Resource>> => {
  const find = <T extends Resource | DomainEvent>(collection: string, among: readonly string[]) =>
    findAmong<T>(db.collection(collection), '_id', among, { projection: RESOURCE_ONLY });
  const found = new Map(
    (await find<Resource>(view.source.collection, ids)).map((resource) => [resource.id, resource]),
  );
  if (!view.fromEvents) return found;
  const others = ids.filter((id) => !found.has(id));
  for (const event of await find<DomainEvent>(DOMAIN_EVENTS, others)) {
    const known = view.fromEvents.of(event);
    if (known) found.set(known.id, known);
  }
  return found;
};

/** Deletes the documents of ids of which the write store knows nothing more that the view shows. */
export const forgetUnlessShown = async (
  { db, readStore, view }: { readonly db: Db; readonly readStore: ReadStore; readonly view: View },
  ids: readonly string[],
): Promise<void> => {
  const shown = await resourcesOf(db, view, ids);
  await deleteDocuments(
    readStore,
    view,
    ids.filter((id) => !shown.has(id)),
  );
};
