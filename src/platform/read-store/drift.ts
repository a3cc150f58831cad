import type { estypes } from '@elastic/elasticsearch';
import { GatewayError } from '../../kernel/errors.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { Database } from '../write-store/database.ts';
import { createIdPages, type IdPage } from '../write-store/id-pages.ts';
import type { Membership } from '../write-store/workers.ts';
import { DOMAIN_EVENTS } from '../write-store/write-set.ts';
import type { AwaitConsistency } from './consistency.ts';
import { isReadStoreDown, type ReadStore } from './elastic.ts';
import { findDocuments } from './find-documents.ts';
import { type Fault, faultOf } from './parity.ts';
import { resourcesOf } from './resources.ts';
import { deleteFrom, indexInto, listIndexes, type View } from './view.ts';

/**
 * A round every ten seconds, which is the default, covers four million documents a day, with some seven requests each
 * round.
 */
const SAMPLE_SIZE = 500;
const CHORE = 'drift';
const NAMED_IN_LOG = 20;

type Deps = {
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly views: readonly View[];
  readonly awaitConsistency: AwaitConsistency;
  readonly logger: Logger;
  /** How many resources a round looks at, besides the documents between them; this limits the cost of a round. */
  readonly sampleSize: number;
  readonly report: {
    compared(view: string, documents: number): void;
    /** Called with the number of documents that differed, and whether they are right now. */
    differed(view: string, outcome: 'repaired' | 'failed', documents: number): void;
  };
};

/** How the document of a resource is wrong; `extra` is a document without a resource. */
type Difference = {
  readonly fault: Fault | 'extra';
  /** The version in the write store; null where there is none. */
  readonly stored: number | null;
};
type Differences = ReadonlyMap<string, Difference>;

/**
 * Looks for drift in one worker, round after round. The first round comes later, so that a process that has just
 * started is left alone.
 */
export const startDriftDetector = (
  deps: Omit<Deps, 'sampleSize'> & {
    readonly membership: Pick<Membership, 'owns'>;
    readonly everyMs: number;
  },
): Loop => {
  const detect = createDriftDetector({ ...deps, sampleSize: SAMPLE_SIZE });
  let isFirst = true;
  return createLoop({
    name: CHORE,
    everyMs: deps.everyMs,
    logger: deps.logger,
    async round() {
      if (!isFirst && deps.membership.owns(CHORE)) await detect();
      isFirst = false;
      return false;
    },
  });
};

/**
 * One round of the walk over all views. It compares the next few resources of a view with the documents whose ids are
 * between theirs, and repairs the differences. Repeated rounds cover everything and then begin anew. The place of the
 * walk is in the write store, so a restart does not set it back. Two processes may do a round at once.
 */
export const createDriftDetector = (deps: Deps): (() => Promise<void>) => {
  const walk = createWalk(deps);
  return async () => {
    const sample = await walk.current();
    try {
      if (await putRight(deps, sample)) await walk.goOn(sample);
    } catch (error) {
      // A read store that is down is reported elsewhere; the sample waits.
      if (!isReadStoreDown(error)) throw error;
    }
  };
};

/** A collection with the resources of a view. */
type Origin = { readonly view: View; readonly collection: string };

/** Consecutive resources: all whose id is above `after`, up to and including `upTo` (null: to the end). */
type Sample = Origin & IdPage & { readonly after: string | null };

type Place = { readonly view: string; readonly collection: string; readonly after: string | null };

/** Walks over the resources of all views in the order of their ids, one sample at a time. */
const createWalk = ({ db, views, sampleSize }: Deps) => {
  const origins = views.flatMap((view): readonly Origin[] => [
    { view, collection: view.source.collection },
    ...(view.fromEvents ? [{ view, collection: DOMAIN_EVENTS }] : []),
  ]);
  const isAt = (place: Place | null, { view, collection }: Origin): boolean =>
    place?.view === view.name && place.collection === collection;
  const places = db.collection<Place & { _id: string }>('drift');
  const nextIds = createIdPages(db, sampleSize);
  let waiting: Sample | null = null;

  return {
    /** The sample to look at; it stays the same until `goOn` is called. */
    async current(): Promise<Sample> {
      if (waiting) return waiting;
      const place = await places.findOne({ _id: 'place' });
      const origin = origins.find((one) => isAt(place, one)) ?? (origins[0] as Origin);
      const after = isAt(place, origin) ? (place?.after ?? null) : null;
      waiting = { ...origin, after, ...(await nextIds(origin.collection, after)) };
      return waiting;
    },

    async goOn({ view, collection, upTo }: Sample): Promise<void> {
      const at = origins.findIndex((one) => one.view === view && one.collection === collection);
      const next = origins[(upTo === null ? at + 1 : at) % origins.length] as Origin;
      const place: Place = { view: next.view.name, collection: next.collection, after: upTo };
      await places.updateOne({ _id: 'place' }, { $set: place }, { upsert: true });
      waiting = null;
    },
  };
};

/** Compares a sample and repairs the differences. False where the view is too far behind to be compared. */
const putRight = async (deps: Deps, sample: Sample): Promise<boolean> => {
  const { view } = sample;
  const indexes = (await listIndexes(deps.readStore, [view])).get(view.name) ?? [];
  // An index of another version belongs to another version of the program, which presents resources differently.
  const index = indexes.find((one) => one.isServing && one.isFed && one.version === view.version)?.name;
  if (index === undefined) return true;
  const ids = [...new Set([...sample.ids, ...(await idsShown(deps, index, sample))])];
  const suspects = await compare(deps, view, index, ids);
  if (suspects.size > 0) {
    try {
      await deps.awaitConsistency(view, 'latest');
    } catch (error) {
      if (error instanceof GatewayError && error.statusCode === 503) return false;
      throw error;
    }
    // Changes that were on their way have arrived by now. Documents that were written in between are seen the next
    // time.
    const again = await compare(deps, view, index, [...suspects.keys()]);
    const wrong = new Map([...again].filter(([id, { stored }]) => suspects.get(id)?.stored === stored));
    if (wrong.size > 0) await repair(deps, view, index, wrong);
  }
  deps.report.compared(view.name, ids.length);
  return true;
};

/** Ids of the documents between the resources of a sample, some of which may have no resource. */
const idsShown = async (
  { readStore, sampleSize }: Deps,
  index: string,
  { after, upTo }: Sample,
): Promise<readonly string[]> => {
  const { hits } = await readStore.client.search({
    index,
    _source: false,
    // If more documents than these have no resource, the others are found the next time round.
    size: 2 * sampleSize,
    sort: [{ id: 'asc' }],
    track_total_hits: false,
    query: { range: { id: { gt: after ?? '', ...(upTo === null ? {} : { lte: upTo }) } } },
  });
  return hits.hits.map(({ _id }) => String(_id));
};

/** The differences between the two stores for these ids. */
const compare = async (
  { db, readStore }: Deps,
  view: View,
  index: string,
  ids: readonly string[],
): Promise<Differences> => {
  if (ids.length === 0) return new Map();
  // The document is read first, because the write store is never behind it.
  const documents = await findDocuments(readStore, index, ids);
  const resources = await resourcesOf(db, view, ids);
  return new Map(
    ids.flatMap((id): [string, Difference][] => {
      const stored = resources.get(id);
      if (!stored) return documents.has(id) ? [[id, { fault: 'extra', stored: null }]] : [];
      const fault = faultOf(view, stored, documents.get(id));
      return fault === null ? [] : [[id, { fault, stored: stored.resource.version }]];
    }),
  );
};

/**
 * Writes the documents anew. A document whose version would prevent that is deleted first, because versions may only
 * grow.
 */
const repair = async (deps: Deps, view: View, index: string, wrong: Differences): Promise<void> => {
  const { readStore } = deps;
  const ids = [...wrong.keys()];
  const barring = ids.filter((id) => !['missing', 'older'].includes(wrong.get(id)?.fault ?? ''));
  await forgettingVersions(readStore, index, async () => {
    await deleteFrom(readStore, index, barring);
    // These are read after the deletion, so they include changes that a projector could not write because of the wrong
    // version.
    const resources = [...(await resourcesOf(deps.db, view, ids)).values()];
    for (const [id, error] of await indexInto(readStore, view, index, resources))
      deps.logger.error({ view: view.name, id, error }, 'resource was not projected');
  });
  await readStore.client.indices.refresh({ index });
  const left = await compare(deps, view, index, ids);
  const failed = ids.filter((id) => left.has(id) && left.get(id)?.stored === wrong.get(id)?.stored);
  deps.report.differed(view.name, 'failed', failed.length);
  deps.report.differed(view.name, 'repaired', ids.length - failed.length);
  const documents = ids.slice(0, NAMED_IN_LOG).map((id) => `${id} ${wrong.get(id)?.fault}`);
  deps.logger.warn(
    { view: view.name, differed: ids.length, failed: failed.length, documents },
    'view differed from the write store',
  );
};

/**
 * Runs work on an index that forgets the versions of deleted documents at once. Usually it keeps them for a minute and
 * refuses lower ones.
 */
const forgettingVersions = async (
  { client }: ReadStore,
  index: string,
  work: () => Promise<void>,
): Promise<void> => {
  const keepFor = (gc_deletes: string | null): Promise<unknown> =>
    client.indices.putSettings({ index, settings: { gc_deletes } as estypes.IndicesIndexSettings });
  await keepFor('-1');
  try {
    await work();
  } finally {
    await keepFor(null);
  }
};
