import type { ReadStore } from './read-store/elastic.ts';
import { forgetUnlessShown } from './read-store/resources.ts';
import type { View } from './read-store/view.ts';
import type { Removal, Retention } from './retention.ts';
import type { Database } from './write-store/database.ts';
import { removeEvents } from './write-store/remove-events.ts';

/**
 * Removes domain events after their retention time, together with the documents that views have only because of them.
 */
export const createEventRemoval = (deps: {
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly views: readonly View[];
  readonly viewReady: (view: View) => Promise<void>;
  readonly retention: Retention;
}): Removal => {
  const shown = deps.views.filter(({ fromEvents }) => fromEvents);
  return removeEvents({
    db: deps.db,
    days: deps.retention.eventDays,
    inRealTime: deps.views.flatMap(({ source }) => (source.hasRealTime ? [source.resource] : [])),
    viewsReady: () => Promise.all(shown.map(deps.viewReady)),
    async forget(ids) {
      for (const view of shown) await forgetUnlessShown({ ...deps, view }, ids);
    },
  });
};
