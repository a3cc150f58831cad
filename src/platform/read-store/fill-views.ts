import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { createSparingLog } from '../sparing-log.ts';
import type { Database } from '../write-store/database.ts';
import { outstandingCommits } from '../write-store/outbox.ts';
import type { StoredResource } from '../write-store/stored-resource.ts';
import { isReadStoreDown, type ReadStore } from './elastic.ts';
import { consumersBefore } from './projector.ts';
import { readBatches } from './resources.ts';
import {
  canServe,
  createIndex,
  INDEXES_KNOWN_MS,
  indexInto,
  listIndexes,
  serveFrom,
  type View,
  type ViewIndex,
} from './view.ts';

/** Batches that are being written while the next one is read. */
const PUTS_AT_ONCE = 2;
const DOWN_AT_MOST_MS = 60_000;
const RETRY_MS = 500;

type Deps = { readonly db: Database; readonly readStore: ReadStore; readonly logger: Logger };

/**
 * Writes every resource of the write store into an index to which projectors already write; versions decide what stays.
 * Commands that commit from now on reach the index by the projectors, each of which knows at least the indexes of a
 * second ago. Ends early when `signal` aborts. Returns how many resources were read.
 */
export const fillIndex = async (
  { db, readStore, logger }: Deps,
  view: View,
  index: string,
  options: { readonly signal: AbortSignal; readonly onProgress?: (done: number) => void },
): Promise<number> => {
  const others = (await listIndexes(readStore, [view])).get(view.name) ?? [];
  if (others.some(({ name, isFed }) => isFed && name !== index)) await sleep(2 * INDEXES_KNOWN_MS);
  let done = 0;
  const put = async (batch: readonly StoredResource[]): Promise<void> => {
    const failures = await whileDown(options.signal, () => indexInto(readStore, view, index, batch));
    for (const [id, error] of failures)
      logger.error({ view: view.name, id, error }, 'resource was not projected');
    done += batch.length;
    options.onProgress?.(done);
  };
  options.onProgress?.(0);
  const putting: Promise<void>[] = [];
  for await (const batch of readBatches(db, view, options.signal)) {
    if (putting.length === PUTS_AT_ONCE) await putting.shift();
    const written = put(batch);
    written.catch(() => undefined);
    putting.push(written);
  }
  await Promise.all(putting);
  return done;
};

/**
 * Repeats work for a while when the read store cannot serve, because otherwise everything that was filled would be read
 * once more.
 */
const whileDown = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  for (const until = Date.now() + DOWN_AT_MOST_MS; ; await sleep(RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isReadStoreDown(error) || signal.aborted || Date.now() > until) throw error;
    }
  }
};

/** Keeps an index for every view: creates missing ones, fills them, and only then lets lists read from them. */
type ViewKeeper = {
  /** Creates the missing indexes, to which projectors write from now on, and begins to fill them. */
  keep(): Promise<void>;
  /** Resolves when no index is being filled. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
};

export const createViewKeeper = (deps: Deps & { readonly views: readonly View[] }): ViewKeeper => {
  const { readStore, views, logger } = deps;
  const complain = createSparingLog(logger, 'error');
  const stopping = new AbortController();
  const filling = new Map<string, Promise<void>>();

  const fill = async (view: View, index: string): Promise<void> => {
    const resources = await fillIndex(deps, view, index, { signal: stopping.signal });
    if (stopping.signal.aborted) return;
    await serveFrom(readStore, view, index);
    logger.info({ view: view.name, index, resources }, 'view filled from the write store');
  };

  let isFirst = true;
  const keep = async (): Promise<void> => {
    const known = await listIndexes(readStore, views);
    const keepOne = async (view: View): Promise<void> => {
      const indexes = known.get(view.name) ?? [];
      const serving = indexes.find((index) => canServe(view, index));
      if (serving && !(isFirst && (await isEmptied(deps, view, serving)))) return;
      if (indexes.length === 0 && (await hasNothing(deps.db, view))) {
        // From now on the view's projector gets rows for every commit.
        await createIndex(readStore, view, 1, { isWhole: true });
        return;
      }
      const index = await indexInTheMaking(readStore, view, indexes);
      if (filling.has(view.name)) return;
      filling.set(
        view.name,
        fill(view, index)
          .catch((error: unknown) => {
            complain(error, { view: view.name }, 'view could not be filled');
          })
          .finally(() => filling.delete(view.name)),
      );
    };
    await Promise.all(views.map(keepOne));
    isFirst = false;
  };

  return {
    keep,
    async untilWhole() {
      await Promise.all(filling.values());
    },
    async stop() {
      stopping.abort();
      await Promise.all(filling.values());
    },
  };
};

/** The index that nobody reads from yet, or a new one. */
export const indexInTheMaking = async (
  readStore: ReadStore,
  view: View,
  indexes: readonly ViewIndex[],
): Promise<string> => {
  const started = indexes.find(
    ({ isFed, isServing, version }) => isFed && !isServing && version === view.version,
  );
  const last = indexes.find(({ version }) => version === view.version)?.number ?? 0;
  return started?.name ?? createIndex(readStore, view, last + 1, { isWhole: false });
};

const hasNothing = async (db: Database, { source }: View): Promise<boolean> =>
  (await db.collection(source.collection).findOne({}, { projection: { _id: 1 } })) === null;

/**
 * Whether the index has lost its content, in which case it is deleted. Documents that the projector still has to write
 * do not count as lost, so that a new installation is not mistaken for a loss. The read store is asked first, because
 * looking into a large collection of the write store may take long.
 */
const isEmptied = async ({ db, readStore }: Deps, view: View, index: ViewIndex): Promise<boolean> => {
  const isEmpty = async () => (await readStore.client.count({ index: index.name })).count === 0;
  if (!(await isEmpty())) return false;
  if (await hasNothing(db, view)) return false;
  for (const consumer of consumersBefore(view))
    if ((await outstandingCommits(db, consumer)).length > 0) return false;
  await readStore.client.indices.refresh({ index: index.name });
  if (!(await isEmpty())) return false;
  await readStore.client.indices.delete({ index: index.name, ignore_unavailable: true });
  return true;
};
