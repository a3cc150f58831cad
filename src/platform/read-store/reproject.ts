import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Database } from '../write-store/database.ts';
import type { AwaitConsistency } from './consistency.ts';
import type { ReadStore } from './elastic.ts';
import { fillIndex, indexInTheMaking } from './fill-views.ts';
import { findDifferences } from './parity.ts';
import { abandon, listIndexes, serveFrom, type View } from './view.ts';

const CATCH_UP_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** The new index differs from the write store, so lists continue to read from the old one. */
export class ParityError extends Error {}

type Reprojected = {
  readonly index: string;
  readonly resources: number;
};

/**
 * Rebuilds a view while it serves. Projectors write to both indexes while the new one is filled from the write store,
 * and after proof of parity lists switch over in one step. After a crash or an abort (null), a repeated call continues,
 * unless the shard setting has changed. A worker has to run. Throws ParityError and drops the new index where the two
 * stores differ.
 */
export const reproject = async (
  deps: {
    readonly db: Database;
    readonly readStore: ReadStore;
    readonly awaitConsistency: AwaitConsistency;
    readonly logger: Logger;
  },
  view: View,
  options: {
    readonly signal: AbortSignal;
    /** Called with the number of resources in the new index; with 0 at the beginning. */
    readonly onProgress?: (done: number) => void;
    /** Called once all resources are in the index and the proof begins. */
    readonly onScanned?: () => void;
  },
): Promise<Reprojected | null> => {
  const { readStore, awaitConsistency } = deps;
  const { signal } = options;
  const index = await indexOfLayout(readStore, view);
  const resources = await fillIndex(deps, view, index, options);
  if (signal.aborted) return null;
  options.onScanned?.();
  const differences = await findDifferences({ ...deps, signal }, view, index, () =>
    catchUp(awaitConsistency, view),
  );
  if (signal.aborted) return null;
  if (differences.length > 0) {
    await abandon(readStore, index);
    throw new ParityError(`${index} differs from the write store: ${differences.join('; ')}`);
  }
  await serveFrom(readStore, view, index);
  return { index, resources };
};

/** The index that is being built; a new one where it was begun with another number of shards than is set now. */
const indexOfLayout = async (readStore: ReadStore, view: View): Promise<string> => {
  const begun = async (): Promise<string> =>
    indexInTheMaking(readStore, view, (await listIndexes(readStore, [view])).get(view.name) ?? []);
  const index = await begun();
  const wanted = readStore.shardsOf(view.name);
  const { [index]: found } = await readStore.client.indices.getSettings({ index });
  const has = Number(found?.settings?.index?.number_of_shards);
  if (wanted === undefined || wanted === has) return index;
  await abandon(readStore, index);
  return begun();
};

/** Waits until every index of the view shows everything that is committed now, however long the projectors take. */
const catchUp = async (awaitConsistency: AwaitConsistency, view: View): Promise<void> => {
  for (const until = Date.now() + CATCH_UP_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    try {
      await awaitConsistency(view, 'latest');
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
};

/** Deletes the indexes that lists no longer read from and that nobody keeps up to date; returns their names. */
export const dropOldIndexes = async (readStore: ReadStore, view: View): Promise<readonly string[]> => {
  const indexes = (await listIndexes(readStore, [view])).get(view.name) ?? [];
  const old = indexes.filter(({ isServing, isFed }) => !isServing && !isFed).map(({ name }) => name);
  if (old.length > 0) await readStore.client.indices.delete({ index: [...old], ignore_unavailable: true });
  return old;
};
