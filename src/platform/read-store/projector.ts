import type { Db } from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import { withKept } from '../write-store/kept-once.ts';
import { RESOURCE_ONLY } from '../write-store/mongo.ts';
import { type Consumer, subjectsOf, VIEW_CONSUMERS } from '../write-store/outbox.ts';
import type { RecentEvents } from '../write-store/recent-events.ts';
import type { Failure, HandleRows } from '../write-store/relay.ts';
import { findOfTenants } from '../write-store/spread.ts';
import { withTenant } from '../write-store/stored-tenant.ts';
import type { ReadStore } from './elastic.ts';
import { type Feed, indexResources, type View } from './view.ts';

export const viewConsumerName = (view: string): string => `${VIEW_CONSUMERS}${view}`;

/** Consumers of the outbox that have to be done before the view holds something; the view's own is the last. */
export const consumersBefore = (view: View): readonly string[] => [
  // The view's own reader comes first, and hands on its rows once it is done with them.
  ...[view.feed?.after ?? []].flat(),
  ...(view.fromEvents?.beside ?? []).map(viewConsumerName),
  viewConsumerName(view.name),
];

/** The outbox consumer that keeps a view: every event of the view's resource concerns it. */
export const consumerOf = (view: View): Consumer => ({
  name: viewConsumerName(view.name),
  wants: (resource) => resource === view.source.resource,
});

/** Writes into the view what rows of outbox are about, however the view is fed. */
export const createProjector = (deps: {
  readonly db: Db;
  readonly readStore: ReadStore;
  readonly recentEvents: Pick<RecentEvents, 'find'>;
  readonly view: View;
  /** Among these are those that are written beside this one. */
  readonly views?: readonly View[];
}): HandleRows => {
  const { view, views = [] } = deps;
  const beside = views.filter(({ fromEvents }) => fromEvents?.beside.includes(view.name));
  return view.feed
    ? createAppendedProjector({ ...deps, feed: view.feed })
    : createEventProjector({ ...deps, beside });
};

/** Writes into the view the documents that the rows name by a field of theirs. */
const createAppendedProjector =
  (deps: {
    readonly db: Db;
    readonly readStore: ReadStore;
    readonly view: View;
    readonly feed: Feed;
  }): HandleRows =>
  async (rows) => {
    const { field } = deps.feed;
    // An id has its index under its other name.
    const indexed = field === 'id' ? '_id' : field;
    const found = await findOfTenants<Resource & Record<string, unknown>>(
      deps.db,
      deps.view.source.collection,
      indexed,
      subjectsOf(rows),
      { projection: RESOURCE_ONLY },
    );
    const errors = await indexResources(deps.readStore, deps.view, found);
    const idsBySubject = new Map<unknown, string[]>();
    for (const document of found)
      idsBySubject.set(document[field], [...(idsBySubject.get(document[field]) ?? []), document.id]);
    return rows.flatMap((row): Failure[] => {
      const ids = idsBySubject.get(row.subject) ?? [];
      const failed = ids.find((id) => errors.has(id));
      if (ids.length === 0) return [{ row, error: 'its documents are not in the store' }];
      return failed === undefined ? [] : [{ row, error: errors.get(failed) ?? 'refused' }];
    });
  };

/**
 * Writes the events of a batch of rows into the view, the newest version of each resource only. The views beside it get
 * what each event makes known.
 */
const createEventProjector =
  (deps: {
    readonly db: Db;
    readonly recentEvents: Pick<RecentEvents, 'find'>;
    readonly readStore: ReadStore;
    readonly view: View;
    readonly beside: readonly View[];
  }): HandleRows =>
  async (rows) => {
    const events = await deps.recentEvents.find(rows);
    const eventsById = new Map(events.map((event) => [event.id, event]));
    const newest = new Map<string, Resource>();
    for (const { data, tenantId } of events) {
      const seen = newest.get(data.id);
      if (!seen || seen.version < data.version) newest.set(data.id, withTenant(data, tenantId));
    }
    const { source, shownKept = [] } = deps.view;
    const whole = await withKept(deps.db, source, [...newest.values()], shownKept);
    const errors = await indexResources(deps.readStore, deps.view, whole);
    for (const view of deps.beside) {
      const known = events.flatMap((event) => view.fromEvents?.of(event) ?? []);
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
