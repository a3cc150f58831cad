import type { ReadStore } from '../../platform/read-store/elastic.ts';
import { deleteDocuments, type View } from '../../platform/read-store/view.ts';
import { daysBefore, inBatches, type Removal } from '../../platform/retention.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { inParts } from '../../platform/write-store/mongo.ts';
import { idsBefore } from '../../platform/write-store/ranges.ts';
import { REQUESTS_VIEW } from './read/request-log.view.ts';
import { REQUEST_LOG } from './write/logged-request.ts';

/** Removes logged requests after their time, from the store first, so that nothing puts them into the view again. */
export const createRequestRemoval = (deps: {
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly days: number;
}): Removal => ({
  what: 'logged requests',
  async run(now, signal) {
    await deps.viewReady(REQUESTS_VIEW);
    const requests = deps.db.collection<{ _id: string }>(REQUEST_LOG.collection);
    const old = { _id: idsBefore('rql', daysBefore(now, deps.days)) };
    let removed = 0;
    for await (const batch of inBatches(requests, old, { _id: 1 }, signal)) {
      const ids = batch.map(({ _id }) => _id);
      for (const part of inParts(ids))
        removed += (await requests.deleteMany({ _id: { $in: [...part] } })).deletedCount;
      await deleteDocuments(deps.readStore, REQUESTS_VIEW, ids);
    }
    return removed;
  },
});
