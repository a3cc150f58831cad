import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Logger } from '../logger.ts';
import type { AwaitConsistency } from './consistency.ts';
import type { ReadStore } from './elastic.ts';
import { fillIndex, indexInTheMaking } from './fill-views.ts';
import { findDifferences } from './parity.ts';
import { abandon, listIndexes, serveFrom, type View } from './view.ts';

const CATCH_UP_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** The new index differs from the write store, so lists go on reading from the old one. */
export class ParityError extends Error {}

type Reprojected = {
  readonly index: string;
  readonly resources: number;
};

/**
 * Builds a view anew while it serves. Projectors write to both indexes, and the write store fills the new one. After
 * proof of parity lists change over in one step. A repeated call goes on after a crash or the signal (null), unless the
 * setting of shards has changed. A worker has to run. Throws ParityError and drops the new index.
 */
export const reproject = async (
  deps: {
    readonly db: Db;
    readonly readStore: ReadStore;
    readonly awaitConsistency: AwaitConsistency;
    readonly logger: Logger;
  },
  view: View,
  options: {
    readonly signal: AbortSignal;
    /** So many resources are in the new index; 0 at the beginning. */
    readonly onProgress?: (done: number) => void;
    /** All are, and the proof begins. */
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

/** The index in the making; a new one where it was begun with another number of shards than the setting says now. */
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

/** Waits until every index of the view has all that is committed now, however long the projectors take for it. */
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

/** Deletes the indexes that lists have left and nobody keeps up; returns their names. */
export const dropOldIndexes = async (readStore: ReadStore, view: View): Promise<readonly string[]> => {
  const indexes = (await listIndexes(readStore, [view])).get(view.name) ?? [];
  const old = indexes.filter(({ isServing, isFed }) => !isServing && !isFed).map(({ name }) => name);
  if (old.length > 0) await readStore.client.indices.delete({ index: [...old], ignore_unavailable: true });
  return old;
};
