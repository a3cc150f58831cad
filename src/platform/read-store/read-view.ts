import type { AwaitConsistency } from './consistency.ts';
import type { ReadStore } from './elastic.ts';
import type { ListQuery } from './list-query.ts';
import type { Conditions } from './scope.ts';
import type { PlacedPage, Search } from './search.ts';
import type { View } from './view.ts';
import { whileAnswering } from './while-answering.ts';

/**
 * Reads views that are complete and no older than the consistency token; 503 where waiting for that takes more than two
 * seconds.
 */
export type ReadView = {
  /** Waits until the view is complete and shows the commits of the token. */
  ready(view: View, consistencyToken: string | null): Promise<void>;
  /** The page that a validated query requests. */
  search<D>(
    search: Search<D>,
    scope: Conditions,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<PlacedPage<D>>;
  /** All rows that a validated query requests, whatever its page, in batches. */
  scan<D>(
    search: Search<D>,
    scope: Conditions,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<AsyncIterable<readonly D[]>>;
};

export const createReadView = (deps: {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
}): ReadView => {
  const getReady: ReadView['ready'] = async (view, consistencyToken) => {
    await deps.viewReady(view);
    await deps.awaitConsistency(view, consistencyToken);
  };
  const ready: ReadView['ready'] = (view, consistencyToken) =>
    whileAnswering(deps.readStore, getReady(view, consistencyToken));
  return {
    ready,
    async search({ view, page }, scope, query, consistencyToken) {
      const find = async () => {
        await getReady(view, consistencyToken);
        return page(deps.readStore, query, scope);
      };
      return whileAnswering(deps.readStore, find());
    },
    async scan({ view, all }, scope, query, consistencyToken) {
      await ready(view, consistencyToken);
      return all(deps.readStore, query, scope);
    },
  };
};
