import type { DomainEvent } from '../../kernel/event.ts';
import type { Database } from '../write-store/database.ts';
import { findAmong } from '../write-store/mongo.ts';
import { type StoredResource, storedIn, withoutTenant } from '../write-store/stored-resource.ts';
import { DOMAIN_EVENTS } from '../write-store/write-set.ts';
import type { ReadStore } from './elastic.ts';
import { deleteDocuments, type View } from './view.ts';

const BATCH = 2_000;

/**
 * All resources that a view shows, in no order, each as it is when it is read; ends when `signal` aborts. The next
 * batch is requested before the present one has been handled.
 */
export async function* readBatches(
  db: Database,
  view: View,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredResource[]> {
  // The fields are removed here instead of by a projection (RESOURCE_ONLY), which costs the server as much again as all
  // the rest.
  for await (const batch of readCollection<Stored>(db, view.source.collection, signal))
    yield batch.map(storedIn);
  if (!view.fromEvents) return;
  for await (const batch of readCollection<StoredEvent>(db, DOMAIN_EVENTS, signal))
    yield knownBy(db, view, batch);
}

type StoredEvent = DomainEvent & { readonly _id: string };
type Stored = { readonly _id: string; readonly secret?: unknown; readonly tenantId?: unknown };

async function* readCollection<D extends { readonly _id: string }>(
  db: Database,
  collection: string,
  signal: AbortSignal,
): AsyncGenerator<readonly D[]> {
  const cursor = db.collection(collection).find<D>({}, { batchSize: BATCH });
  const read = async () => ((await cursor.hasNext()) ? cursor.readBufferedDocuments() : []);
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

/** Resources that a view learns of only from events. */
export const knownOf = (view: View, events: readonly DomainEvent[]): readonly StoredResource[] =>
  events.flatMap((event) => {
    const resource = view.fromEvents?.of(event);
    return resource ? [withoutTenant(resource)] : [];
  });

/** Documents that events make known and that the view's source does not contain. */
const knownBy = async (
  db: Database,
  view: View,
  events: readonly DomainEvent[],
): Promise<readonly StoredResource[]> => {
  const known = knownOf(view, events);
  const held = await idsIn(
    db,
    view.source.collection,
    known.map(({ resource }) => resource.id),
  );
  return known.filter(({ resource }) => !held.has(resource.id));
};

/** The ids among these that a collection contains. */
const idsIn = async (
  db: Database,
  collection: string,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> => {
  const options = { projection: { _id: 1 } };
  const found = await findAmong<{ readonly _id: string }>(db, collection, '_id', ids, options);
  return new Set(found.map(({ _id }) => _id));
};

/** The resources with these ids that a view shows, by id. */
export const resourcesOf = async (
  db: Database,
  view: View,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredResource>> => {
  const find = <D extends { readonly _id: string }>(collection: string, among: readonly string[]) =>
    findAmong<D>(db, collection, '_id', among, {});
  const found = new Map(
    (await find<Stored>(view.source.collection, ids)).map((document) => [document._id, storedIn(document)]),
  );
  if (!view.fromEvents) return found;
  const others = ids.filter((id) => !found.has(id));
  const events = await find<StoredEvent>(DOMAIN_EVENTS, others);
  for (const known of knownOf(view, events)) found.set(known.resource.id, known);
  return found;
};

/** Deletes documents for which the write store has nothing left that the view shows. */
export const forgetUnlessShown = async (
  { db, readStore, view }: { readonly db: Database; readonly readStore: ReadStore; readonly view: View },
  ids: readonly string[],
): Promise<void> => {
  const shown = await resourcesOf(db, view, ids);
  await deleteDocuments(
    readStore,
    view,
    ids.filter((id) => !shown.has(id)),
  );
};
