import type { estypes } from '@elastic/elasticsearch';
import { unavailable } from '../../kernel/errors.ts';
import type { DomainEvent, Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { GATEWAY_TENANT, type TenantId, tenantShownBy } from '../../kernel/tenant.ts';
import { storedTenantOf } from '../write-store/stored-tenant.ts';
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

/** A document of a view. Money in it is minor units. */
type ViewDocument = { readonly id: string };

/**
 * How documents that are appended rather than recorded reach a view: `after` names the outbox consumers that append
 * them, `field` the field by which their rows for the view name them.
 */
export type Feed = { readonly after: string | readonly string[]; readonly field: string };

/**
 * Documents of a view besides the resources of its source. Domain events make them known, each under the event's own
 * id. It takes no outbox rows of its own. The projectors of the views `beside` read these events, and write this view
 * too.
 */
type FromEvents<T extends Resource> = {
  readonly beside: readonly string[];
  /** Document that an event makes known, or null. */
  of(event: DomainEvent): T | null;
};

/** A view has one document for each resource of a store, and for what events make known. */
export type View<T extends Resource = Resource, D extends ViewDocument = ViewDocument> = {
  readonly name: string;
  /** Grows with every change of `properties` or `toDocument`: the view is then filled anew at the next start. */
  readonly version: number;
  readonly source: Store<T>;
  /** With `id` as a keyword, which the index is ordered by. */
  readonly properties: Record<string, estypes.MappingProperty>;
  /** Absent for a view that is fed by the events of its source. */
  readonly feed?: Feed;
  readonly fromEvents?: FromEvents<T>;
  /** Members that its documents show and that events leave out (`keptOnce` of its store): they are read besides. */
  readonly shownKept?: readonly string[];
  /**
   * Set where each document belongs to a tenant and names it: `routed` ones lie on the tenant's shard of the index;
   * `named` ones on that of their id, because their tenant may change.
   */
  readonly tenants?: 'routed' | 'named';
  /** So long its rows may gather, for a view that is read seldom. */
  readonly gatherMs?: number;
  toDocument(resource: T): D;
};

/** A view whose documents, mapping and answers follow from one table of fields. */
export type FieldView<T extends Resource, F extends Fields> = View<T, DocumentOf<T, F>> & {
  readonly fields: F;
  /** The public form of a document. */
  present(document: ValuesOf<T, F>): AnswerOf<T, F>;
};

/** Describes a view: every field of its documents is named once, in `fields`. */
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

/** The tenant of a resource: as it says itself, else as it is stored, else the gateway's. */
const tenantOf = (resource: Resource): TenantId =>
  tenantShownBy(resource) ?? storedTenantOf(resource) ?? GATEWAY_TENANT;

/** The document of a resource as an index has it. */
export const documentOf = <T extends Resource>(view: View<T>, resource: T): object =>
  view.tenants ? { ...view.toDocument(resource), tenantId: tenantOf(resource) } : view.toDocument(resource);

/** Names the shard of a resource's document; undefined where that is the shard of its id. */
export const routingOf = <T extends Resource>({ tenants }: View<T>, resource: T): TenantId | undefined =>
  tenants === 'routed' ? tenantOf(resource) : undefined;

const BULK_BYTES = 5_000_000;

const ALREADY_NEWER = 409;
/** The document itself is at fault; with any other status the store is, and the whole batch is tried again. */
const REFUSED = 400;

/**
 * How soon a document that is written to a view can be found without anybody asking for it. Each refresh costs
 * Elasticsearch about as much as fifty documents. Documents that follow from records can wait a little longer than they
 * can.
 */
const refreshIntervalOf = ({ feed }: View): string => (feed ? '1s' : '400ms');

/** Name by which a view is read: the alias of the one index that serves it. There is none until an index is whole. */
export const aliasOf = (readStore: ReadStore, view: View): string => `${readStore.prefix}${view.name}`;

/** All indexes of a view: one serves, one may be in the making, older ones may have been kept. */
export const indexesOf = (readStore: ReadStore, view: View): string => `${aliasOf(readStore, view)}-v*`;

/** Name by which an index is written. A bulk request to an alias that is gone makes no index by accident. */
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

/** The indexes of views by the views' names, those with the highest numbers first. */
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
 * Whether a list of this program can be read from the index. It is kept up, and no older than the program.
 */
export const canServe = (view: View, index: ViewIndex): boolean =>
  index.isServing && index.isFed && index.version >= view.version;

/**
 * Makes an empty index of the view that is written to from now on; fine if another worker has just done so. Lists read
 * from it at once where there is nothing to show yet. Otherwise nobody searches in it before it is whole (serveFrom), so
 * until then it spends nothing on being found.
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
        // One shard, unless a setting or an index template of the cluster says otherwise (docs/scaling.md).
        ...(shards === undefined ? {} : { number_of_shards: shards }),
        auto_expand_replicas: '0-1',
        refresh_interval: isWhole ? refreshIntervalOf(view) : -1,
        // Ids are in the order of time: newest first a search of many matches soon has its page, and stops.
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
        // A document that somebody writes without naming the tenant would be there twice.
        ...(view.tenants === 'routed' && Number(shards ?? 1) > 1 ? { _routing: { required: true } } : {}),
      },
    });
  } catch (error) {
    if (elasticStatus(error) !== 400 || !(await readStore.client.indices.exists({ index }))) throw error;
  }
  return index;
};

/** Lets lists read from the index from now on, in one step; those that served before are kept, but not kept up. */
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

/** Has nobody write to an index any more that is not to serve. It is kept, for somebody to look at. */
export const abandon = async (readStore: ReadStore, index: string): Promise<void> => {
  await readStore.client.indices.deleteAlias({ index, name: feedOf(index) });
};

/** For so long a process may go on without noticing that a view has another index (indexResources). */
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
 * Indexes resources under their version, into every index of the view that is kept up. It returns the errors by id. A
 * version that is already newer in the view is success. This makes replays, duplicates and several workers harmless.
 * Call it after the commit, so that an index that is being filled misses nothing (fillIndex).
 */
export const indexResources = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  resources: readonly T[],
): Promise<Map<string, string>> => {
  const failures = new Map<string, string>();
  // The newest first: what lists show at the moment is then in the index that they change over to.
  for (const index of await fedIndexes(readStore, view as unknown as View))
    for (const [id, error] of await indexInto(readStore, view, index, resources)) failures.set(id, error);
  return failures;
};

/** Indexes resources into one index of the view. */
export const indexInto = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  index: string,
  resources: readonly T[],
): Promise<Map<string, string>> => {
  const failures = new Map<string, string>();
  let lines: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const { items } = await readStore.client.bulk<string, never>({
      index: feedOf(index),
      require_alias: true,
      // Thousands of items come back, so no more of each is asked for than is looked at.
      filter_path: ['items.*._id', 'items.*.status', 'items.*.error'],
      operations: lines,
    });
    for (const { index: item } of items) {
      if (!item?.error || item.status === ALREADY_NEWER) continue;
      if (item.status !== REFUSED) {
        readStore.fed.delete(aliasOf(readStore, view as unknown as View));
        throw new Error(`${view.name}: ${item.status} ${item.error.reason}`);
      }
      failures.set(String(item._id), item.error.reason ?? 'refused');
    }
    lines = [];
    bytes = 0;
  };
  for (const resource of resources) {
    let document: string;
    try {
      document = JSON.stringify(documentOf(view, resource));
    } catch (error) {
      failures.set(resource.id, String(error));
      continue;
    }
    const { id: _id, version } = resource;
    const routing = routingOf(view, resource);
    lines.push(JSON.stringify({ index: { _id, routing, version, version_type: 'external' } }), document);
    bytes += document.length;
    if (bytes > BULK_BYTES) await flush();
  }
  await flush();
  return failures;
};

/** Deletes documents from an index, on whatever shards they lie; fine where they are not in it. */
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

/** Deletes the documents of resources that are no more from every index of the view that is kept up. */
export const deleteDocuments = async <T extends Resource>(
  readStore: ReadStore,
  view: View<T>,
  ids: readonly string[],
): Promise<void> => {
  const indexes = await fedIndexes(readStore, view as unknown as View);
  for (const index of indexes) await deleteFrom(readStore, index, ids);
};

const READINESS_MS = 2_000;

/** Throws 503 while no index of the view is whole; an answer is believed for two seconds. */
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
