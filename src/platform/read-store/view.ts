import type { estypes } from '@elastic/elasticsearch';
import type { Db } from 'mongodb';
import { unavailable } from '../../kernel/errors.ts';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import type { Logger } from '../logger.ts';
import { RESOURCE_ONLY } from '../write-store/mongo.ts';
import { elasticStatus, type ReadStore } from './elastic.ts';

/** A document of a view. Money in it is minor units; see engines: no `scaled_float`. */
export type ViewDocument = { readonly id: string };

/**
 * How documents that are appended rather than recorded reach a view: `after` names the outbox consumer that appends
 * them, `field` the field by which its rows for the view name them.
 */
export type Feed = { readonly after: string; readonly field: string };

/** What a view is made of: one document for each resource of a store. */
export type View<T extends Resource = Resource, D extends ViewDocument = ViewDocument> = {
  readonly name: string;
  /** Grows with every change of `properties` or `toDocument`: the view is then filled anew at the next start. */
  readonly version: number;
  readonly source: Store<T>;
  readonly properties: Record<string, estypes.MappingProperty>;
  /** Absent for a view that is fed by the events of its source. */
  readonly feed?: Feed;
  toDocument(resource: T): D;
};

const FILL_BATCH = 500;
const BULK_BYTES = 5_000_000;

const ALREADY_NEWER = 409;
/** The document itself is at fault; with any other status the store is, and the whole batch is tried again. */
const REFUSED = 400;

/** How soon a written document can be found without anybody asking for it. */
const REFRESH_INTERVAL = '200ms';

export const aliasOf = (readStore: ReadStore, view: View): string => `${readStore.prefix}${view.name}`;
const indexOf = (readStore: ReadStore, view: View): string => `${aliasOf(readStore, view)}-v${view.version}`;

/**
 * Makes the view's index where it is missing, points the alias at it, and fills it from the write store where it is
 * empty or its last filling was cut short. Projectors may write at the same time: versions decide what stays.
 */
export const ensureView = async (deps: {
  readonly db: Db;
  readonly readStore: ReadStore;
  readonly view: View;
  readonly logger: Logger;
}): Promise<void> => {
  const { client } = deps.readStore;
  const index = indexOf(deps.readStore, deps.view);
  await createIndex(deps.readStore, deps.view);
  await pointAlias(deps.readStore, deps.view);
  const source = deps.db.collection<{ _id: string }>(deps.view.source.collection);
  const isSourceEmpty = (await source.findOne({}, { projection: { _id: 1 } })) === null;
  const { count } = await client.count({ index });
  if ((await isFilled(deps.readStore, deps.view)) && (count > 0 || isSourceEmpty)) return;

  await markFilled(deps.readStore, deps.view, false);
  let filled = 0;
  for (
    let batch: Resource[] = [],
      cursor = source.find({}, { projection: RESOURCE_ONLY, batchSize: FILL_BATCH });
    ;
  ) {
    const resource = await cursor.next();
    if (resource) batch.push(resource as unknown as Resource);
    if (batch.length === FILL_BATCH || (!resource && batch.length > 0)) {
      const outcome = await indexResources(deps.readStore, deps.view, batch);
      for (const [id, error] of outcome)
        deps.logger.error({ view: deps.view.name, id, error }, 'resource was not projected');
      filled += batch.length;
      batch = [];
    }
    if (!resource) break;
  }
  await client.indices.refresh({ index });
  await markFilled(deps.readStore, deps.view, true);
  deps.logger.info({ view: deps.view.name, resources: filled }, 'view filled from the write store');
};

const createIndex = async (readStore: ReadStore, view: View): Promise<void> => {
  try {
    await readStore.client.indices.create({
      index: indexOf(readStore, view),
      settings: {
        number_of_shards: 1,
        auto_expand_replicas: '0-1',
        refresh_interval: REFRESH_INTERVAL,
        analysis: {
          analyzer: {
            words: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] },
          },
        },
      },
      mappings: { dynamic: false, _meta: { filled: false }, properties: view.properties },
    });
  } catch (error) {
    if (
      elasticStatus(error) !== 400 ||
      !(await readStore.client.indices.exists({ index: indexOf(readStore, view) }))
    )
      throw error;
  }
};

const pointAlias = async (readStore: ReadStore, view: View): Promise<void> => {
  const alias = aliasOf(readStore, view);
  const index = indexOf(readStore, view);
  const current = (await readStore.client.indices.existsAlias({ name: alias }))
    ? Object.keys(await readStore.client.indices.getAlias({ name: alias }))
    : [];
  if (current.length === 1 && current[0] === index) return;
  await readStore.client.indices.updateAliases({
    actions: [
      ...current.filter((name) => name !== index).map((name) => ({ remove: { index: name, alias } })),
      { add: { index, alias, is_write_index: true } },
    ],
  });
};

const isFilled = async (readStore: ReadStore, view: View): Promise<boolean> => {
  const index = indexOf(readStore, view);
  const mapping = await readStore.client.indices.getMapping({ index });
  return mapping[index]?.mappings._meta?.filled === true;
};

const markFilled = async (readStore: ReadStore, view: View, filled: boolean): Promise<void> => {
  await readStore.client.indices.putMapping({ index: indexOf(readStore, view), _meta: { filled } });
};

/**
 * Indexes resources under their version and returns the errors by id. A version that is already newer in the view
 * is success: that is what makes replays, duplicates and several workers harmless.
 */
export const indexResources = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  resources: readonly T[],
): Promise<Map<string, string>> => {
  const failures = new Map<string, string>();
  let lines: object[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const { items } = await readStore.client.bulk({
      index: aliasOf(readStore, view),
      require_alias: true,
      operations: lines,
    });
    for (const { index: item } of items) {
      if (!item?.error || item.status === ALREADY_NEWER) continue;
      if (item.status !== REFUSED) throw new Error(`${view.name}: ${item.status} ${item.error.reason}`);
      failures.set(String(item._id), item.error.reason ?? 'refused');
    }
    lines = [];
    bytes = 0;
  };
  for (const resource of resources) {
    let document: ViewDocument;
    try {
      document = view.toDocument(resource);
    } catch (error) {
      failures.set(resource.id, String(error));
      continue;
    }
    lines.push(
      { index: { _id: resource.id, version: resource.version, version_type: 'external' } },
      document,
    );
    bytes += JSON.stringify(document).length;
    if (bytes > BULK_BYTES) await flush();
  }
  await flush();
  return failures;
};

const READINESS_MS = 2_000;

/** Throws 503 while the view does not hold everything that it should; an answer is believed for two seconds. */
export const createReadiness = (readStore: ReadStore): ((view: View) => Promise<void>) => {
  const readyAt = new Map<string, number>();
  return async (view) => {
    if (Date.now() - (readyAt.get(view.name) ?? 0) < READINESS_MS) return;
    if (!(await isFilled(readStore, view))) throw unavailable(`The ${view.name} view is being built`);
    readyAt.set(view.name, Date.now());
  };
};
