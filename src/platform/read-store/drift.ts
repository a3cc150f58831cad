import type { estypes } from '@elastic/elasticsearch';
import type { Db } from 'mongodb';
import { GatewayError } from '../../kernel/errors.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import { createIdPages, type IdPage } from '../write-store/local-server.ts';
import type { Membership } from '../write-store/workers.ts';
import { DOMAIN_EVENTS } from '../write-store/write-set.ts';
import type { AwaitConsistency } from './consistency.ts';
import { isReadStoreDown, type ReadStore } from './elastic.ts';
import { findDocuments } from './find-documents.ts';
import { type Fault, faultOf } from './parity.ts';
import { resourcesOf } from './resources.ts';
import { deleteFrom, indexInto, listIndexes, type View } from './view.ts';

/** A round every ten seconds, which is the default, reads four million documents a day. Each costs some seven requests. */
const SAMPLE_SIZE = 500;
const CHORE = 'drift';
const NAMED_IN_LOG = 20;

type Deps = {
  readonly db: Db;
  readonly readStore: ReadStore;
  readonly views: readonly View[];
  readonly awaitConsistency: AwaitConsistency;
  readonly logger: Logger;
  /** How many resources are looked at in a round, and the documents beside them: the most that a round costs. */
  readonly sampleSize: number;
  readonly report: {
    compared(view: string, documents: number): void;
    /** Documents that differed, and whether they are as they should be now. */
    differed(view: string, outcome: 'repaired' | 'failed', documents: number): void;
  };
};

/** A resource's document, as far as it is not as it should be; `extra` is one without a resource. */
type Difference = {
  readonly fault: Fault | 'extra';
  /** The version in the write store, null where there is none. */
  readonly stored: number | null;
};
type Differences = ReadonlyMap<string, Difference>;

/** Looks for drift in one worker, round by round. The first one leaves a process that has just started alone. */
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
 * One round of the walk over all views. It compares the next few resources of a view with the documents whose ids lie
 * between theirs. It repairs what differs. Repeated calls see everything, then begins anew; the place is kept in the
 * write store, so a restart does not set it back. It is harmless if two do so at once.
 */
export const createDriftDetector = (deps: Deps): (() => Promise<void>) => {
  const walk = createWalk(deps);
  return async () => {
    const sample = await walk.current();
    try {
      if (await putRight(deps, sample)) await walk.goOn(sample);
    } catch (error) {
      // Other checks report that; the sample waits.
      if (!isReadStoreDown(error)) throw error;
    }
  };
};

/** A collection that the resources of a view come from. */
type Origin = { readonly view: View; readonly collection: string };

/** Resources next to each other: all whose id is above `after`, up to and with `upTo` (null: to the end). */
type Sample = Origin & IdPage & { readonly after: string | null };

type Place = { readonly view: string; readonly collection: string; readonly after: string | null };

/** A way over the resources of all views in the order of their ids, in steps of one sample. */
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
    /** The sample that is to be looked at now: the same one until `goOn`. */
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

/** Compares a sample and repairs what differs. False where the view is too far behind to say what does. */
const putRight = async (deps: Deps, sample: Sample): Promise<boolean> => {
  const { view } = sample;
  const indexes = (await listIndexes(deps.readStore, [view])).get(view.name) ?? [];
  // One of another version belongs to another version of the program, which shows resources in another way.
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
    // Changes on their way have arrived; documents that were written in between are seen the next time.
    const again = await compare(deps, view, index, [...suspects.keys()]);
    const wrong = new Map([...again].filter(([id, { stored }]) => suspects.get(id)?.stored === stored));
    if (wrong.size > 0) await repair(deps, view, index, wrong);
  }
  deps.report.compared(view.name, ids.length);
  return true;
};

/** Documents between the resources of a sample, some of which may have no resource. */
const idsShown = async (
  { readStore, sampleSize }: Deps,
  index: string,
  { after, upTo }: Sample,
): Promise<readonly string[]> => {
  const { hits } = await readStore.client.search({
    index,
    _source: false,
    // Where more than these have no resource, the others follow the next time round.
    size: 2 * sampleSize,
    sort: [{ id: 'asc' }],
    track_total_hits: false,
    query: { range: { id: { gt: after ?? '', ...(upTo === null ? {} : { lte: upTo }) } } },
  });
  return hits.hits.map(({ _id }) => String(_id));
};

/** Differences between the two stores for these ids. */
const compare = async (
  { db, readStore }: Deps,
  view: View,
  index: string,
  ids: readonly string[],
): Promise<Differences> => {
  if (ids.length === 0) return new Map();
  // The document first: the write store is never behind it.
  const documents = await findDocuments(readStore, index, ids);
  const resources = await resourcesOf(db, view, ids);
  return new Map(
    ids.flatMap((id): [string, Difference][] => {
      const resource = resources.get(id);
      if (!resource) return documents.has(id) ? [[id, { fault: 'extra', stored: null }]] : [];
      const fault = faultOf(view, resource, documents.get(id));
      return fault === null ? [] : [[id, { fault, stored: resource.version }]];
    }),
  );
};

/** Writes the documents anew. A document that bars the way by its version is deleted first: versions only ever grow. */
const repair = async (deps: Deps, view: View, index: string, wrong: Differences): Promise<void> => {
  const { readStore } = deps;
  const ids = [...wrong.keys()];
  const barring = ids.filter((id) => !['missing', 'older'].includes(wrong.get(id)?.fault ?? ''));
  await forgettingVersions(readStore, index, async () => {
    await deleteFrom(readStore, index, barring);
    // Read after that: what a projector could not write because of a wrong version is in here.
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

/** An index keeps the versions of what was deleted for a minute, by whomever, and refuses lower ones; but not here. */
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
