import type { Document } from 'mongodb';
import { ConfigError } from '../../kernel/errors.ts';

/** Key of all collections that are spread: a tenant lies together, and a huge one can still be divided. */
export const SHARD_KEY = { tenantId: 1, _id: 1 } as const;

/** An index of a collection, as the server lists it. */
export type Index = {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
  readonly partialFilterExpression?: object;
};

/** The database that is to be spread over shards. */
export type ShardedDatabase = {
  readonly name: string;
  /** Runs a command of the database `admin`. */
  admin(command: Document): Promise<Document>;
  indexesOf(collection: string): Promise<readonly Index[]>;
  createIndex(collection: string, index: Omit<Index, 'name'>): Promise<void>;
  dropIndex(collection: string, name: string): Promise<void>;
  /** The key by which a collection is spread, null where it is not. */
  shardKeyOf(collection: string): Promise<object | null>;
};

export const NO_MONGOS =
  'MONGODB_URI leads to no mongos: only a sharded cluster of MongoDB can spread collections, and any other server needs no shards.';

const COMMAND_NOT_FOUND = 59;

/** Throws ConfigError where the server is no router of a sharded cluster. */
export const assertMongos = async ({ admin }: Pick<ShardedDatabase, 'admin'>): Promise<void> => {
  const { msg } = await admin({ hello: 1 });
  if (msg !== 'isdbgrid') throw new ConfigError(NO_MONGOS);
};

const beginsWithTenant = ({ key }: Pick<Index, 'key'>): boolean => Object.keys(key)[0] === 'tenantId';

/** Unique indexes that a collection cannot have once it is spread, each with the one that takes its place. */
export const uniqueIndexesToReplace = (
  indexes: readonly Index[],
): readonly { readonly name: string; readonly by: Omit<Index, 'name'> }[] =>
  indexes
    .filter((index) => index.unique === true && !beginsWithTenant(index))
    .map(({ name, key, partialFilterExpression }) => ({
      name,
      by: {
        key: { tenantId: 1, ...key },
        unique: true,
        ...(partialFilterExpression ? { partialFilterExpression } : {}),
      },
    }));

/** Spreads collections by tenant; what is done already is left as it is. Says what it does. */
export const shardStore = async (
  database: ShardedDatabase,
  collections: readonly string[],
  say: (line: string) => void,
): Promise<void> => {
  await assertMongos(database);
  await database.admin({ enableSharding: database.name }).catch((error: { readonly code?: number }) => {
    // Newer servers spread every database without being told.
    if (error.code !== COMMAND_NOT_FOUND) throw error;
  });
  for (const collection of collections) {
    for (const { name, by } of uniqueIndexesToReplace(await database.indexesOf(collection))) {
      await database.createIndex(collection, by);
      await database.dropIndex(collection, name);
      say(`${collection}: the unique index ${name} begins with the tenant now`);
    }
    const key = await database.shardKeyOf(collection);
    if (key !== null) {
      if (JSON.stringify(key) !== JSON.stringify(SHARD_KEY))
        throw new ConfigError(`${collection} is sharded by another key: ${JSON.stringify(key)}.`);
      say(`${collection}: is sharded already`);
      continue;
    }
    await database.createIndex(collection, { key: SHARD_KEY });
    await database.admin({ shardCollection: `${database.name}.${collection}`, key: SHARD_KEY });
    say(`${collection}: sharded by tenantId and _id`);
  }
};
