import { errors } from '@elastic/elasticsearch';
import type { ReadStore } from '../../../src/platform/read-store/elastic.ts';
import { NotSimulated } from '../store/values.ts';

type Document = { readonly version: number; readonly source: { readonly id: string } };
type Index = { readonly aliases: Set<string>; readonly documents: Map<string, Document> };

/** The indexes of all processes. */
export type Indexes = Map<string, Index>;

const answered = (statusCode: number, type: string): Error =>
  new errors.ResponseError({
    statusCode,
    headers: {},
    warnings: null,
    body: { error: { type, reason: type }, status: statusCode },
    meta: {} as never,
  });

const patterned = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

type Action = {
  readonly add?: { readonly index: string; readonly alias: string };
  readonly remove?: { readonly index: string; readonly alias: string };
};
type Search = {
  readonly index: string;
  readonly size?: number;
  readonly _source?: false;
  readonly sort?: readonly { readonly id?: 'asc' }[];
  readonly search_after?: readonly string[];
  readonly query?: {
    readonly ids?: { readonly values: readonly string[] };
    readonly range?: { readonly id?: { readonly gt?: string; readonly lte?: string } };
  };
};

const createSearches = (indexes: Indexes) => {
  /** Indexes of that name, or behind that alias. */
  const named = (name: string): readonly Index[] => {
    const own = indexes.get(name);
    const found = own ? [own] : [...indexes.values()].filter(({ aliases }) => aliases.has(name));
    if (found.length === 0) throw answered(404, 'index_not_found_exception');
    return found;
  };
  const search = ({ index, size = 10, _source, sort, search_after, query, ...others }: Search) => {
    const unknown = Object.keys(others).find((name) => !['version', 'track_total_hits'].includes(name));
    if (unknown !== undefined) throw new NotSimulated(`a search with ${unknown}`);
    const isWanted = (id: string): boolean => {
      if (query === undefined) return true;
      if (query.ids) return query.ids.values.includes(id);
      if (!query.range?.id) throw new NotSimulated('this query');
      const { gt = '', lte } = query.range.id;
      return id > gt && (lte === undefined || id <= lte);
    };
    if (sort && sort[0]?.id !== 'asc') throw new NotSimulated('this order');
    const [after = ''] = search_after ?? [];
    const hits = named(index)
      .flatMap(({ documents }) => [...documents])
      .filter(([id]) => id > after && isWanted(id))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, size)
      .map(([_id, { version, source }]) => ({
        _id,
        _version: version,
        ...(_source === false ? {} : { _source: source }),
      }));
    return { hits: { hits } };
  };
  const count = ({ index }: { readonly index: string }) => ({
    count: named(index).reduce((sum, { documents }) => sum + documents.size, 0),
  });
  return { named, search, count };
};

type Line = {
  readonly index?: { readonly _id: string; readonly version: number };
  readonly delete?: { readonly _id: string };
};

const createBulk =
  (named: (name: string) => readonly Index[], refuses: () => boolean) =>
  ({ index, operations }: { readonly index: string; readonly operations: readonly (string | object)[] }) => {
    const [into] = named(index);
    const items: object[] = [];
    const lines = operations.map((one) => (typeof one === 'string' ? JSON.parse(one) : one));
    for (let place = 0; place < lines.length; place += 1) {
      const line: Line = lines[place];
      if (line.delete) {
        into?.documents.delete(line.delete._id);
        items.push({ delete: { _id: line.delete._id, status: 200 } });
        continue;
      }
      if (!line.index) throw new NotSimulated('this line of a bulk request');
      place += 1;
      const { _id, version } = line.index;
      const known = into?.documents.get(_id)?.version ?? 0;
      const status = refuses() ? 429 : version <= known ? 409 : 200;
      if (status === 200) into?.documents.set(_id, { version, source: lines[place] });
      items.push({
        index: { _id, status, ...(status === 200 ? {} : { error: { reason: `status ${status}` } }) },
      });
    }
    return { items };
  };

const createIndices = (indexes: Indexes) => ({
  getAlias: ({ index }: { readonly index: readonly string[] }) => {
    const patterns = index.map(patterned);
    return Object.fromEntries(
      [...indexes]
        .filter(([name]) => patterns.some((pattern) => pattern.test(name)))
        .map(([name, { aliases }]) => [
          name,
          { aliases: Object.fromEntries([...aliases].map((alias) => [alias, {}])) },
        ]),
    );
  },
  create: ({ index, aliases = {} }: { readonly index: string; readonly aliases?: object }) => {
    if (indexes.has(index)) throw answered(400, 'resource_already_exists_exception');
    indexes.set(index, { aliases: new Set(Object.keys(aliases)), documents: new Map() });
  },
  exists: ({ index }: { readonly index: string }) => indexes.has(index),
  existsAlias: ({ name }: { readonly name: string }) =>
    [...indexes.values()].some(({ aliases }) => aliases.has(name)),
  putSettings: () => undefined,
  refresh: () => undefined,
  updateAliases: ({ actions }: { readonly actions: readonly Action[] }) => {
    for (const { add, remove } of actions) {
      if (remove) indexes.get(remove.index)?.aliases.delete(remove.alias);
      if (add) {
        const index = indexes.get(add.index);
        if (!index) throw answered(404, 'index_not_found_exception');
        index.aliases.add(add.alias);
      }
    }
  },
  deleteAlias: ({ index, name }: { readonly index: string; readonly name: string }) => {
    indexes.get(index)?.aliases.delete(name);
  },
  delete: ({ index }: { readonly index: string }) => {
    indexes.delete(index);
  },
});

const openPointInTime = (): never => {
  throw new NotSimulated('a point in time');
};

/** Every function of these, answered after the way to the server and back. */
const sent = <F extends Readonly<Record<string, (request: never) => unknown>>>(
  functions: F,
  send: (what: string, apply: () => unknown) => Promise<unknown>,
) =>
  Object.fromEntries(
    Object.entries(functions).map(([name, apply]) => [
      name,
      (request: never) => send(name, () => apply(request)),
    ]),
  );

export const readStoreDown = (): Error => new errors.ConnectionError('connection closed');

/**
 * Elasticsearch as far as views are written, filled, repaired and compared. Lists of the API are not asked for, so that
 * their searches are refused. A search finds at once what was written.
 */
export const openMemoryReadStore = (
  indexes: Indexes,
  prefix: string,
  send: (what: string, apply: () => unknown) => Promise<unknown>,
  refuses: () => boolean,
): ReadStore => {
  const { named, search, count } = createSearches(indexes);
  const client = {
    ...sent({ search, count, openPointInTime, bulk: createBulk(named, refuses) }, send),
    indices: sent(createIndices(indexes), send),
    close: async () => undefined,
  };
  return {
    client: client as unknown as ReadStore['client'],
    prefix,
    fed: new Map(),
    shardsOf: () => undefined,
  };
};
