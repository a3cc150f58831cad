import type { Document } from 'mongodb';
import { ConfigError } from '../../kernel/errors.ts';

/** An index of a collection, as the server lists it. */
export type Index = {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
  readonly partialFilterExpression?: object;
};

/** An index to be created; the server names it after its fields where it has no name. */
type NewIndex = Omit<Index, 'name'> & { readonly name?: string };

/** The database that is to be distributed over shards. */
export type ShardedDatabase = {
  readonly name: string;
  /** Runs a command of the database `admin`. */
  admin(command: Document): Promise<Document>;
  indexesOf(collection: string): Promise<readonly Index[]>;
  createIndex(collection: string, index: NewIndex): Promise<void>;
  dropIndex(collection: string, name: string): Promise<void>;
  /** Whether some document of the collection does not name its tenant. */
  hasNameless(collection: string): Promise<boolean>;
  /** The shard key of a collection; null where it is not sharded. */
  shardKeyOf(collection: string): Promise<object | null>;
};

export const NO_MONGOS =
  'MONGODB_URI leads to no mongos: only a sharded cluster of MongoDB can spread collections, and any other server needs no shards.';

const COMMAND_NOT_FOUND = 59;

/** Throws a ConfigError where the server is no router of a sharded cluster. */
export const assertMongos = async ({ admin }: Pick<ShardedDatabase, 'admin'>): Promise<void> => {
  const { msg } = await admin({ hello: 1 });
  if (msg !== 'isdbgrid') throw new ConfigError(NO_MONGOS);
};

const beginsWithTenant = ({ key }: Pick<Index, 'key'>): boolean => Object.keys(key)[0] === 'tenantId';

/** Unique indexes that a collection cannot have once it is sharded, each with its replacement. */
const uniqueIndexesToReplace = (
  indexes: readonly Index[],
): readonly { readonly former: Index; readonly by: NewIndex }[] =>
  indexes
    .filter((index) => index.unique === true && !beginsWithTenant(index))
    .map((former) => ({
      former,
      by: {
        name: `${former.name}_of_tenant`,
        key: { tenantId: 1, ...former.key },
        unique: true,
        ...(former.partialFilterExpression
          ? { partialFilterExpression: former.partialFilterExpression }
          : {}),
      },
    }));

/**
 * The shard key of a collection: a tenant's documents are together, and a huge tenant can still be divided. MongoDB
 * accepts a unique index only where it begins with the whole shard key, so the second field is that of the unique
 * index, else `_id`.
 */
const shardKeyFor = (indexes: readonly Index[]): Readonly<Record<string, 1>> => {
  const unique = indexes.find((index) => index.unique === true && beginsWithTenant(index));
  return { tenantId: 1, [Object.keys(unique?.key ?? {})[1] ?? '_id']: 1 };
};

/** Whether an index of all documents begins with the key. */
const isBeginningOfOne = (wanted: object, indexes: readonly Index[]): boolean =>
  indexes.some(
    ({ key, partialFilterExpression }) =>
      partialFilterExpression === undefined &&
      Object.keys(wanted).every((field, place) => Object.keys(key)[place] === field),
  );

/** The fields of a unique index without the tenant. */
const withoutTenant = ({ tenantId: _, ...rest }: Index['key']): Index['key'] => rest;

/** The part of the database that concerns indexes. */
type IndexedDatabase = Pick<ShardedDatabase, 'indexesOf' | 'createIndex' | 'dropIndex' | 'hasNameless'>;

/**
 * Makes each unique index begin with the tenant while gateways work: the new index is complete before the former one is
 * dropped. It continues where it was killed, and several processes may run it at once. Throws a ConfigError where a
 * document does not name its tenant, because no statement would find it and the new index would not cover it.
 */
export const putTenantFirst = async (
  database: IndexedDatabase,
  collections: readonly string[],
  say: (line: string) => void,
): Promise<void> => {
  for (const collection of collections) {
    const known = await database.indexesOf(collection);
    for (const { former, by } of uniqueIndexesToReplace(known)) {
      // The index exists already where a start was killed in between.
      if (known.every(({ name }) => name !== by.name)) await database.createIndex(collection, by);
      if (await database.hasNameless(collection))
        throw new ConfigError(`${collection}: documents do not name their tenant; run make tenants first.`);
      await database.dropIndex(collection, former.name);
      say(`${collection}: the unique index ${former.name} begins with the tenant now`);
    }
    const indexes = await database.indexesOf(collection);
    const keys = new Set(indexes.map(({ key }) => JSON.stringify(key)));
    // Statements that ask every shard search by the other fields of a unique index.
    for (const { key } of indexes.filter((index) => index.unique === true && beginsWithTenant(index)))
      if (!keys.has(JSON.stringify(withoutTenant(key))))
        await database.createIndex(collection, { key: withoutTenant(key) });
  }
};

/** Shards collections by tenant, and leaves alone what is done already. Reports what it does. */
export const shardStore = async (
  database: ShardedDatabase,
  collections: readonly string[],
  say: (line: string) => void,
): Promise<void> => {
  await assertMongos(database);
  await database.admin({ enableSharding: database.name }).catch((error: { readonly code?: number }) => {
    // Newer servers need no command to enable sharding for a database.
    if (error.code !== COMMAND_NOT_FOUND) throw error;
  });
  for (const collection of collections) {
    await putTenantFirst(database, [collection], say);
    const wanted = shardKeyFor(await database.indexesOf(collection));
    const key = await database.shardKeyOf(collection);
    if (key !== null) {
      if (JSON.stringify(key) !== JSON.stringify(wanted))
        throw new ConfigError(`${collection} is sharded by another key: ${JSON.stringify(key)}.`);
      say(`${collection}: is sharded already`);
      continue;
    }
    if (!isBeginningOfOne(wanted, await database.indexesOf(collection)))
      await database.createIndex(collection, { key: wanted });
    await database.admin({ shardCollection: `${database.name}.${collection}`, key: wanted });
    say(`${collection}: sharded by ${Object.keys(wanted).join(' and ')}`);
  }
};
