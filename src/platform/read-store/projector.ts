import type { Db } from 'mongodb';
import type { DomainEvent, Resource } from '../../kernel/event.ts';
import type { Consumer } from '../write-store/outbox.ts';
import type { Failure, HandleRows } from '../write-store/relay.ts';
import { DOMAIN_EVENTS } from '../write-store/transact.ts';
import type { ReadStore } from './elastic.ts';
import { indexResources, type View } from './view.ts';

/** The outbox consumer that keeps a view: every event of the view's resource concerns it. */
export const consumerOf = (view: View): Consumer => ({
  name: `view-${view.name}`,
  wants: (resource) => resource === view.source.resource,
});

/** Writes into the view what the events of a batch of rows carry, the newest version of each resource only. */
export const createProjector =
  (deps: { readonly db: Db; readonly readStore: ReadStore; readonly view: View }): HandleRows =>
  async (rows) => {
    const events = await deps.db
      .collection<DomainEvent & { _id: string }>(DOMAIN_EVENTS)
      .find({ _id: { $in: rows.map((row) => row.subject) } }, { projection: { _id: 0, id: 1, data: 1 } })
      .toArray();
    const eventsById = new Map(events.map((event) => [event.id, event]));
    const newest = new Map<string, Resource>();
    for (const { data } of events) {
      const seen = newest.get(data.id);
      if (!seen || seen.version < data.version) newest.set(data.id, data);
    }
    const errors = await indexResources(deps.readStore, deps.view, [...newest.values()]);
    return rows.flatMap((row): Failure[] => {
      const event = eventsById.get(row.subject);
      const error = event ? errors.get(event.data.id) : 'its event is not in the store';
      return error === undefined ? [] : [{ row, error }];
    });
  };
