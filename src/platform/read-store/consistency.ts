import { setTimeout as sleep } from 'node:timers/promises';
import { invalidInput, waitedInVain } from '../../kernel/errors.ts';
import type { Database } from '../write-store/database.ts';
import { areDone, outstandingCommits } from '../write-store/outbox.ts';
import type { ReadStore } from './elastic.ts';
import { consumersBefore } from './projector.ts';
import { indexesOf, type View } from './view.ts';

/** How long a request waits until the commits of its consistency token are visible. */
export const WAIT_AT_MOST_MS = 2_000;
const LOOK_EVERY_MS = 15;
const MAX_COMMITS = 100;

/** The value of `X-Consistency-Token` for a command with these commits; null where there are none. */
export const consistencyToken = (commits: readonly string[]): string | null =>
  commits.length === 0 ? null : commits.slice(-MAX_COMMITS).join('.');

/** Values that a request may send as `X-Consistency-Token`. */
export const CONSISTENCY_TOKEN = new RegExp(`^(latest|[0-9a-f]{32}(\\.[0-9a-f]{32}){0,${MAX_COMMITS - 1}})$`);

/** The commits that a token names, or `latest`; 400 for anything else. */
export const parseToken = (token: string): readonly string[] => {
  if (!CONSISTENCY_TOKEN.test(token))
    throw invalidInput([
      {
        path: 'X-Consistency-Token',
        message: 'X-Consistency-Token must be a token of an earlier answer, or latest',
      },
    ]);
  return token.split('.');
};

/**
 * Waits until a search in the view sees the commits of the token; with `latest`, everything that was recorded before.
 * 503 after two seconds.
 */
export type AwaitConsistency = (view: View, token: string | null) => Promise<void>;

export const createAwaitConsistency = (db: Database, readStore: ReadStore): AwaitConsistency => {
  const refresh = createRefresh(readStore);
  return async (view, token) => {
    if (token === null) return;
    const consumers = consumersBefore(view);
    const until = Date.now() + WAIT_AT_MOST_MS;
    const commits = token === 'latest' ? await outstanding(db, consumers) : parseToken(token);
    for (const consumer of consumers) {
      while (!(await areDone(db, consumer, commits))) {
        if (Date.now() > until) throw waitedInVain(`The ${view.name} view is not up to date yet`);
        await sleep(LOOK_EVERY_MS);
      }
    }
    // All indexes are refreshed, because another one may serve the view by the time of the search.
    await refresh(indexesOf(readStore, view));
  };
};

const outstanding = async (db: Database, consumers: readonly string[]): Promise<string[]> => {
  const commits: string[] = [];
  for (const consumer of consumers) commits.push(...(await outstandingCommits(db, consumer)));
  return [...new Set(commits)];
};

/** Refreshes an index. Callers that come during a refresh share the next one. */
const createRefresh = (readStore: ReadStore): ((index: string) => Promise<void>) => {
  const underWay = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const start = (index: string): Promise<void> => {
    next.delete(index);
    const refresh = readStore.client.indices
      .refresh({ index })
      .then(() => undefined)
      .finally(() => {
        if (underWay.get(index) === refresh) underWay.delete(index);
      });
    underWay.set(index, refresh);
    return refresh;
  };
  return (index) => {
    const current = underWay.get(index);
    if (!current) return start(index);
    const shared = next.get(index) ?? current.catch(() => undefined).then(() => start(index));
    next.set(index, shared);
    return shared;
  };
};
