import type { Document } from 'mongodb';
import { newCommitId } from '../../src/kernel/ids.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { type ShardedDatabase, shardStore } from '../../src/platform/write-store/shard-store.ts';
import { shardedDatabaseOf } from '../../src/platform/write-store/sharded-database.ts';

type Listed = Document & { readonly _id: string };

let store: WriteStore;
/** Where a router lists the collections of all databases. */
const listedCollections = () => store.client.db('config').collection<Listed>('collections');
beforeAll(() => {
  store = openWriteStore(process.env.MONGODB_URI ?? '', `t-${newCommitId().slice(-16)}`);
});
afterAll(async () => {
  await listedCollections().deleteMany({ _id: { $regex: `^${store.db.databaseName}\\.` } });
  await store.db.dropDatabase();
  await store.client.close();
});

/** A server behind a router that only lists what it was told to spread. */
const behindRouter = (): {
  readonly database: ShardedDatabase;
  readonly list: (listed: Listed) => unknown;
} => {
  const database = shardedDatabaseOf(store);
  const list = (listed: Listed) =>
    listedCollections().replaceOne({ _id: listed._id }, listed, { upsert: true });
  return {
    list,
    database: {
      ...database,
      async admin(command) {
        if (command.shardCollection) await list({ _id: command.shardCollection, key: command.key });
        return command.hello ? { msg: 'isdbgrid' } : { ok: 1 };
      },
    },
  };
};

describe('collections of a store', () => {
  it('are spread by tenant with their documents and indexes as they are, and only once', async () => {
    const { database, list } = behindRouter();
    const { db } = store;
    const [refunds, charges] = [db.collection('refunds'), db.collection('charges')];
    const refund = { _id: 'ref_1' as never, tenantId: 'mer_1', chargeId: 'chg_1', blocking: true };
    await refunds.insertOne(refund);
    await refunds.createIndex(
      { chargeId: 1 },
      { name: 'one_blocking', unique: true, partialFilterExpression: { blocking: true } },
    );
    await charges.insertOne({ _id: 'chg_1' as never, tenantId: 'mer_1' });
    // As servers list a collection that lies on one shard, and one that was dropped.
    await list({ _id: `${db.databaseName}.refunds`, key: { _id: 1 }, unsplittable: true });
    await list({ _id: `${db.databaseName}.charges`, key: { _id: 1 }, dropped: true });

    const said: string[] = [];
    const shard = () => shardStore(database, ['refunds', 'charges'], (line) => said.push(line));
    await shard();
    expect(await database.shardKeyOf('refunds')).toEqual({ tenantId: 1, chargeId: 1 });
    expect(await database.shardKeyOf('charges')).toEqual({ tenantId: 1, _id: 1 });
    expect(await database.indexesOf('charges')).toContainEqual(
      expect.objectContaining({ key: { tenantId: 1, _id: 1 } }),
    );
    await refunds.insertOne({ ...refund, _id: 'ref_2' as never, tenantId: 'mer_2' });
    await refunds.insertOne({ ...refund, _id: 'ref_3' as never, blocking: false });
    await expect(refunds.insertOne({ ...refund, _id: 'ref_4' as never })).rejects.toThrow(
      'one_blocking_of_tenant',
    );
    expect(said).toHaveLength(3);

    await shard();
    expect(said.slice(3)).toEqual(['refunds: is sharded already', 'charges: is sharded already']);
  });

  it('are left as they are while a document does not name its tenant', async () => {
    const { database } = behindRouter();
    const events = store.db.collection('events');
    await events.insertOne({ resourceId: 'chg_1' });
    await events.createIndex({ resourceId: 1 }, { unique: true });
    await expect(shardStore(database, ['events'], () => undefined)).rejects.toThrow('make tenants');
    expect(await database.shardKeyOf('events')).toBeNull();
    expect((await events.indexes()).map(({ name }) => name)).toContain('resourceId_1');
  });
});
