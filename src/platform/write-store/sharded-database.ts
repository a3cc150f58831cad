import type { IndexSpecification } from 'mongodb';
import type { WriteStore } from './mongo.ts';
import type { ShardedDatabase } from './shard-store.ts';

const INDEX_NOT_FOUND = 27;

/** The write store as a database whose collections can be sharded. */
export const shardedDatabaseOf = ({ client, db }: WriteStore): ShardedDatabase => ({
  name: db.databaseName,
  admin: (command) => client.db('admin').command(command),
  indexesOf: async (collection) => await db.collection(collection).listIndexes().toArray(),
  async createIndex(collection, { key, ...options }) {
    await db.collection(collection).createIndex(key as IndexSpecification, options);
  },
  async dropIndex(collection, name) {
    await db
      .collection(collection)
      .dropIndex(name)
      .catch((error: { readonly code?: number }) => {
        // Another process was faster.
        if (error.code !== INDEX_NOT_FOUND) throw error;
      });
  },
  hasNameless: async (collection) =>
    (await db
      .collection(collection)
      .findOne({ tenantId: { $exists: false } }, { projection: { _id: 1 } })) !== null,
  async shardKeyOf(collection) {
    // The server also lists collections there that are not sharded, or that no longer exist.
    const known = await client
      .db('config')
      .collection<{ _id: string; key: object }>('collections')
      .findOne({
        _id: `${db.databaseName}.${collection}`,
        unsplittable: { $ne: true },
        dropped: { $ne: true },
      });
    return known?.key ?? null;
  },
});
