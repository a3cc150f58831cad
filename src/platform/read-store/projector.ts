import type { Database } from '../write-store/database.ts';
import { withKept } from '../write-store/kept-once.ts';
import { type Consumer, subjectsOf, VIEW_CONSUMERS } from '../write-store/outbox.ts';
import type { RecentEvents } from '../write-store/recent-events.ts';
import type { Failure, HandleRows } from '../write-store/relay.ts';
import { findOfTenants } from '../write-store/spread.ts';
import { type StoredResource, storedIn } from '../write-store/stored-resource.ts';
import type { ReadStore } from './elastic.ts';
import { knownOf } from './resources.ts';
import { type Feed, indexResources, type View } from './view.ts';

export const viewConsumerName = (view: string): string => `${VIEW_CONSUMERS}${view}`;

/** The outbox consumers that have to be done before a view shows a change; the view's own is the last. */
export const consumersBefore = (view: View): readonly string[] => [
  // These come before the view's own consumer, because they hand their rows on to it.
  ...[view.feed?.after ?? []].flat(),
  ...(view.fromEvents?.beside ?? []).map(viewConsumerName),
  viewConsumerName(view.name),
];

/** The outbox consumer that keeps a view up to date, for which it gets every event of the view's resource. */
export const consumerOf = (view: View): Consumer => ({
  name: viewConsumerName(view.name),
  wants: (resource) => resource === view.source.resource,
});

/** Writes the subjects of outbox rows into the view, in whichever way the view is fed. */
export const createProjector = (deps: {
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly recentEvents: Pick<RecentEvents, 'find'>;
  readonly view: View;
  /** All views, among them those that are written along with this one. */
  readonly views?: readonly View[];
}): HandleRows => {
  const { view, views = [] } = deps;
  const beside = views.filter(({ fromEvents }) => fromEvents?.beside.includes(view.name));
  return view.feed
    ? createAppendedProjector({ ...deps, feed: view.feed })
    : createEventProjector({ ...deps, beside });
};

/** Writes the documents that the rows name by one of their fields into the view. */
const createAppendedProjector =
  (deps: {
    readonly db: Database;
    readonly readStore: ReadStore;
    readonly view: View;
    readonly feed: Feed;
  }): HandleRows =>
  async (rows) => {
    const { field } = deps.feed;
    // An id is indexed as `_id`.
    const indexed = field === 'id' ? '_id' : field;
    const found = await findOfTenants<{ readonly _id: string } & Record<string, unknown>>(
      deps.db,
      deps.view.source.collection,
      indexed,
      subjectsOf(rows),
      {},
    );
    const errors = await indexResources(deps.readStore, deps.view, found.map(storedIn));
    const idsBySubject = new Map<unknown, string[]>();
    for (const document of found)
      idsBySubject.set(document[field], [...(idsBySubject.get(document[field]) ?? []), document._id]);
    return rows.flatMap((row): Failure[] => {
      const ids = idsBySubject.get(row.subject) ?? [];
      const failed = ids.find((id) => errors.has(id));
      if (ids.length === 0) return [{ row, error: 'its documents are not in the store' }];
      return failed === undefined ? [] : [{ row, error: errors.get(failed) ?? 'refused' }];
    });
  };

/**
 * Writes the events of a batch of rows into the view, only the newest version of each resource. The views that are
 * written along get the document that each event makes known.
 */
const createEventProjector =
  (deps: {
    readonly db: Database;
    readonly recentEvents: Pick<RecentEvents, 'find'>;
    readonly readStore: ReadStore;
    readonly view: View;
    readonly beside: readonly View[];
  }): HandleRows =>
  async (rows) => {
    const events = await deps.recentEvents.find(rows);
    const eventsById = new Map(events.map((event) => [event.id, event]));
    const newest = new Map<string, StoredResource>();
    for (const { data, tenantId = null } of events) {
      const seen = newest.get(data.id)?.resource;
      if (!seen || seen.version < data.version) newest.set(data.id, { resource: data, tenantId });
    }
    const { source, shownKept = [] } = deps.view;
    const whole = await withKept(deps.db, source, [...newest.values()], shownKept);
    const errors = await indexResources(deps.readStore, deps.view, whole);
    for (const view of deps.beside) {
      const known = knownOf(view, events);
      if (known.length === 0) continue;
      for (const [id, error] of await indexResources(deps.readStore, view, known)) errors.set(id, error);
    }
    return rows.flatMap((row): Failure[] => {
      const event = eventsById.get(row.subject);
      const error = event
        ? (errors.get(event.data.id) ?? errors.get(event.id))
        : 'its event is not in the store';
      return error === undefined ? [] : [{ row, error }];
    });
  };
