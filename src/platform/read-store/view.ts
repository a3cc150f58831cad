import type { estypes } from '@elastic/elasticsearch';
import { unavailable } from '../../kernel/errors.ts';
import type { DomainEvent, Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { GATEWAY_TENANT, type TenantId, tenantShownBy } from '../../kernel/tenant.ts';
import type { StoredResource } from '../write-store/stored-resource.ts';
import { elasticStatus, type ReadStore } from './elastic.ts';
import {
  type AnswerOf,
  type DocumentOf,
  type Fields,
  type FieldsOf,
  foldedMappingOf,
  mappingOf,
  present,
  toDocument,
  type ValuesOf,
} from './fields.ts';
import { findDocuments } from './find-documents.ts';

/** A document of a view; money in it is in minor units. */
type ViewDocument = { readonly id: string };

/**
 * How appended documents, which have no events, reach a view: `after` names the outbox consumers that append them,
 * `field` is the field by which rows for the view identify them.
 */
export type Feed = { readonly after: string | readonly string[]; readonly field: string };

/**
 * Documents of a view besides the resources of its source. Domain events make them known, each with the event's own id.
 * They need no outbox rows of their own, because the projectors of the views `beside`, which read these events, write
 * this view as well.
 */
type FromEvents<T extends Resource> = {
  readonly beside: readonly string[];
  /** The document that an event makes known; null where it makes none known. */
  of(event: DomainEvent): T | null;
};

/** A view has one document for each resource of a store, and for each document that events make known. */
export type View<T extends Resource = Resource, D extends ViewDocument = ViewDocument> = {
  readonly name: string;
  /**
   * To be increased with every change of `properties` or `toDocument`, after which the next start fills the view anew.
   */
  readonly version: number;
  readonly source: Store<T>;
  /** Includes `id` as a keyword, by which the index is sorted. */
  readonly properties: Record<string, estypes.MappingProperty>;
  /** Absent for a view that is fed by the events of its source. */
  readonly feed?: Feed;
  readonly fromEvents?: FromEvents<T>;
  /** Members that documents show although events leave them out (`keptOnce` of the store), so they have to be read. */
  readonly shownKept?: readonly string[];
  /**
   * Set where documents name their tenant. `routed` ones are on the shard of the tenant; `named` ones are on the shard
   * of their id, because their tenant may change.
   */
  readonly tenants?: 'routed' | 'named';
  /** How long the view's rows may gather, for a view that is seldom read. */
  readonly gatherMs?: number;
  toDocument(resource: T): D;
};

/** A view whose documents, mapping and answers all follow from one table of fields. */
export type FieldView<T extends Resource, F extends Fields> = View<T, DocumentOf<T, F>> & {
  readonly fields: F;
  /** The form of a document in answers. */
  present(document: ValuesOf<T, F>): AnswerOf<T, F>;
};

/** Declares a view, in which every field of the documents is named once (`fields`). */
export const defineView = <T extends Resource, const F extends Fields>({
  fields,
  ...about
}: Omit<View<T>, 'properties' | 'toDocument'> & { readonly fields: FieldsOf<T, F> }): FieldView<T, F> => ({
  ...about,
  fields,
  properties: {
    ...mappingOf(fields),
    ...foldedMappingOf(fields),
    ...(about.tenants ? { tenantId: { type: 'keyword' } } : {}),
  },
  toDocument: (resource) => toDocument(fields, resource) as DocumentOf<T, F>,
  present: (document) => present(fields, document) as AnswerOf<T, F>,
});

/** The tenant of a resource: the one that it names, else the stored one, else the gateway's. */
const tenantOf = ({ resource, tenantId }: StoredResource): TenantId =>
  tenantShownBy(resource) ?? tenantId ?? GATEWAY_TENANT;

/** The document of a resource, as it is indexed. */
export const documentOf = <T extends Resource>(view: View<T>, stored: StoredResource<T>): object =>
  view.tenants
    ? { ...view.toDocument(stored.resource), tenantId: tenantOf(stored) }
    : view.toDocument(stored.resource);

/** The routing value of a resource's document; undefined where the document is on the shard of its id. */
export const routingOf = <T extends Resource>(
  { tenants }: View<T>,
  stored: StoredResource<T>,
): TenantId | undefined => (tenants === 'routed' ? tenantOf(stored) : undefined);

const BULK_BYTES = 5_000_000;

const ALREADY_NEWER = 409;
/**
 * The status for a document that is itself at fault. With any other status the store is, and the whole batch is tried
 * again.
 */
const REFUSED = 400;

/**
 * How soon a new document can be found without an explicit refresh. Each refresh costs Elasticsearch about as much as
 * fifty documents. Appended documents can wait a little longer.
 */
const refreshIntervalOf = ({ feed }: View): string => (feed ? '1s' : '400ms');

/**
 * The alias by which a view is read, which belongs to the one index that serves it. It does not exist until an index is
 * complete.
 */
export const aliasOf = (readStore: ReadStore, view: View): string => `${readStore.prefix}${view.name}`;

/** Pattern for all indexes of a view: one serves, one may be under construction, and older ones may have been kept. */
export const indexesOf = (readStore: ReadStore, view: View): string => `${aliasOf(readStore, view)}-v*`;

/**
 * The alias by which an index is written. A bulk request to an alias that no longer exists creates no index by
 * accident.
 */
const feedOf = (index: string): string => `${index}.fed`;

/** An index of a view; `portico-charges-v3-2` is the second one of version 3. */
export type ViewIndex = {
  readonly name: string;
  readonly version: number;
  readonly number: number;
  /** Whether projectors write to it. */
  readonly isFed: boolean;
  /** Whether lists read from it. */
  readonly isServing: boolean;
};

/** The indexes of each view by the view's name, those with the highest numbers first. */
export const listIndexes = async (
  readStore: ReadStore,
  views: readonly View[],
): Promise<ReadonlyMap<string, readonly ViewIndex[]>> => {
  const found = await readStore.client.indices.getAlias({
    index: views.map((view) => indexesOf(readStore, view)),
  });
  return new Map(
    views.map((view) => {
      const alias = aliasOf(readStore, view);
      const indexes = Object.entries(found).flatMap(([name, { aliases }]): ViewIndex[] => {
        const [, version, number] = name.startsWith(`${alias}-v`)
          ? (/^-v(\d+)(?:-(\d+))?$/.exec(name.slice(alias.length)) ?? [])
          : [];
        if (version === undefined) return [];
        return [
          {
            name,
            version: Number(version),
            number: Number(number ?? 0),
            isFed: feedOf(name) in aliases,
            isServing: alias in aliases,
          },
        ];
      });
      return [view.name, indexes.sort((a, b) => b.version - a.version || b.number - a.number)];
    }),
  );
};

/**
 * Whether this program can read lists from the index, which has to be kept up to date and no older than the program.
 */
export const canServe = (view: View, index: ViewIndex): boolean =>
  index.isServing && index.isFed && index.version >= view.version;

/**
 * Creates an empty index of the view, to which projectors write from now on; succeeds where another worker has just
 * done so. Where there is nothing to show yet, lists read from it at once. Otherwise it is not searched before it is
 * complete (serveFrom), so until then it does not refresh.
 */
export const createIndex = async (
  readStore: ReadStore,
  view: View,
  number: number,
  { isWhole }: { readonly isWhole: boolean },
): Promise<string> => {
  const index = `${aliasOf(readStore, view)}-v${view.version}-${number}`;
  const shards = readStore.shardsOf(view.name);
  try {
    await readStore.client.indices.create({
      index,
      aliases: {
        [feedOf(index)]: { is_write_index: true },
        ...(isWhole ? { [aliasOf(readStore, view)]: {} } : {}),
      },
      settings: {
        // There is one shard unless a setting or an index template of the cluster says otherwise (docs/scaling.md).
        ...(shards === undefined ? {} : { number_of_shards: shards }),
        auto_expand_replicas: '0-1',
        refresh_interval: isWhole ? refreshIntervalOf(view) : -1,
        // Ids sort by time, so a newest-first search with many matches soon has its page, and stops.
        index: { sort: { field: 'id', order: 'desc' } },
        analysis: {
          analyzer: {
            words: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] },
          },
        },
      },
      mappings: {
        dynamic: false,
        properties: view.properties,
        // A document that was written once without its tenant would exist twice.
        ...(view.tenants === 'routed' && Number(shards ?? 1) > 1 ? { _routing: { required: true } } : {}),
      },
    });
  } catch (error) {
    if (elasticStatus(error) !== 400 || !(await readStore.client.indices.exists({ index }))) throw error;
  }
  return index;
};

/** Makes lists read from the index in one step. The indexes that served before are kept, but no longer updated. */
export const serveFrom = async (readStore: ReadStore, view: View, index: string): Promise<void> => {
  const alias = aliasOf(readStore, view);
  const others = ((await listIndexes(readStore, [view])).get(view.name) ?? []).filter(
    ({ name }) => name !== index,
  );
  const { indices } = readStore.client;
  await indices.putSettings({ index, settings: { refresh_interval: refreshIntervalOf(view) } });
  await indices.refresh({ index });
  await indices.updateAliases({
    actions: [
      ...others.flatMap(({ name, isServing, isFed }) => [
        ...(isServing ? [{ remove: { index: name, alias, must_exist: false } }] : []),
        ...(isFed ? [{ remove: { index: name, alias: feedOf(name), must_exist: false } }] : []),
      ]),
      { add: { index, alias } },
    ],
  });
};

/** Ends writes to an index that must not serve. It is kept, so that somebody can examine it. */
export const abandon = async (readStore: ReadStore, index: string): Promise<void> => {
  await readStore.client.indices.deleteAlias({ index, name: feedOf(index) });
};

/** How long a process may not notice that a view has another index (indexResources). */
export const INDEXES_KNOWN_MS = 1_000;

const fedIndexes = async (readStore: ReadStore, view: View): Promise<readonly string[]> => {
  const alias = aliasOf(readStore, view);
  const known = readStore.fed.get(alias);
  if (known && performance.now() - known.at < INDEXES_KNOWN_MS) return known.indexes;
  const at = performance.now();
  const found = (await listIndexes(readStore, [view])).get(view.name) ?? [];
  const indexes = found.filter(({ isFed }) => isFed).map(({ name }) => name);
  if (indexes.length === 0) throw unavailable(`The ${view.name} view has no index`);
  readStore.fed.set(alias, { indexes, at });
  return indexes;
};

/**
 * Indexes resources under their versions, in every index of the view that is kept up to date; returns the errors by id.
 * A version that is already newer in the view counts as success, so replays, duplicates and several workers are
 * harmless. Call it after the commit, so that an index that is being filled misses nothing (fillIndex).
 */
export const indexResources = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  resources: readonly StoredResource<T>[],
): Promise<Map<string, string>> => {
  const failures = new Map<string, string>();
  // The newest index comes first, so that what lists show now is also in the index to which they will switch.
  for (const index of await fedIndexes(readStore, view))
    for (const [id, error] of await indexInto(readStore, view, index, resources)) failures.set(id, error);
  return failures;
};

/** Indexes resources into one index of the view. */
export const indexInto = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  index: string,
  resources: readonly StoredResource<T>[],
): Promise<Map<string, string>> => {
  const failures = new Map<string, string>();
  let lines: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const { items } = await readStore.client.bulk<string, never>({
      index: feedOf(index),
      require_alias: true,
      // The answer has thousands of items, so only the needed members of each are requested.
      filter_path: ['items.*._id', 'items.*.status', 'items.*.error'],
      operations: lines,
    });
    for (const { index: item } of items) {
      if (!item?.error || item.status === ALREADY_NEWER) continue;
      if (item.status !== REFUSED) {
        readStore.fed.delete(aliasOf(readStore, view));
        throw new Error(`${view.name}: ${item.status} ${item.error.reason}`);
      }
      failures.set(String(item._id), item.error.reason ?? 'refused');
    }
    lines = [];
    bytes = 0;
  };
  for (const stored of resources) {
    const { resource } = stored;
    let document: string;
    try {
      document = JSON.stringify(documentOf(view, stored));
    } catch (error) {
      failures.set(resource.id, String(error));
      continue;
    }
    const { id: _id, version } = resource;
    const routing = routingOf(view, stored);
    lines.push(JSON.stringify({ index: { _id, routing, version, version_type: 'external' } }), document);
    bytes += document.length;
    if (bytes > BULK_BYTES) await flush();
  }
  await flush();
  return failures;
};

/** Deletes documents from an index, on whatever shards they are; absent ones do not matter. */
export const deleteFrom = async (
  readStore: ReadStore,
  index: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await readStore.client.indices.refresh({ index });
  const found = await findDocuments(readStore, index, ids);
  const operations = [...found].flatMap(([_id, all]) =>
    all.map(({ routing }) => ({ delete: { _id, ...(routing === undefined ? {} : { routing }) } })),
  );
  if (operations.length === 0) return;
  const { items } = await readStore.client.bulk({ index, operations });
  for (const { delete: item } of items)
    if (item?.error) throw new Error(`${index}: ${item.status} ${item.error.reason}`);
};

/** Deletes the documents of resources that no longer exist from every index of the view that is kept up to date. */
export const deleteDocuments = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  ids: readonly string[],
): Promise<void> => {
  const indexes = await fedIndexes(readStore, view);
  for (const index of indexes) await deleteFrom(readStore, index, ids);
};

const READINESS_MS = 2_000;

/** Throws 503 while no index of the view is complete. A positive answer is trusted for two seconds. */
export const createReadiness = (readStore: ReadStore): ((view: View) => Promise<void>) => {
  const readyAt = new Map<string, number>();
  return async (view) => {
    if (Date.now() - (readyAt.get(view.name) ?? 0) < READINESS_MS) return;
    const indexes = (await listIndexes(readStore, [view])).get(view.name) ?? [];
    if (!indexes.some((index) => canServe(view, index)))
      throw unavailable(`The ${view.name} view is being built`);
    readyAt.set(view.name, Date.now());
  };
};
