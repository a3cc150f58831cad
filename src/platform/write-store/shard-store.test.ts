import type { Document } from 'mongodb';
import { type Index, NO_MONGOS, SHARD_KEY, type ShardedDatabase, shardStore } from './shard-store.ts';

/** A cluster in memory that keeps MongoDB's rule: a unique index of a sharded collection begins with its key. */
const createCluster = (indexes: Readonly<Record<string, readonly Index[]>>, msg = 'isdbgrid') => {
  const known = new Map(Object.entries(indexes).map(([name, all]) => [name, [...all]]));
  const keys = new Map<string, object>();
  const commands: Document[] = [];
  const of = (collection: string): Index[] => known.get(collection) ?? [];
  const database: ShardedDatabase = {
    name: 'portico',
    async admin(command) {
      commands.push(command);
      if (command.hello) return { msg };
      if (command.shardCollection) {
        const collection = String(command.shardCollection).split('.')[1] as string;
        const wrong = of(collection).find(({ unique, key }) => unique && Object.keys(key)[0] !== 'tenantId');
        if (wrong) throw new Error(`${wrong.name} does not begin with the key`);
        if (!of(collection).some(({ key }) => JSON.stringify(key) === JSON.stringify(command.key)))
          throw new Error('there is no index that begins with the key');
        keys.set(collection, command.key);
      }
      return { ok: 1 };
    },
    indexesOf: async (collection) => of(collection),
    async createIndex(collection, index) {
      known.set(collection, [...of(collection), { name: Object.keys(index.key).join('_'), ...index }]);
    },
    async dropIndex(collection, name) {
      known.set(
        collection,
        of(collection).filter((index) => index.name !== name),
      );
    },
    shardKeyOf: async (collection) => keys.get(collection) ?? null,
  };
  return { database, commands, of, keys };
};

const blocking = { blocking: true };
const REFUNDS: readonly Index[] = [
  { name: '_id_', key: { _id: 1 } },
  { name: 'one_blocking_refund', key: { chargeId: 1 }, unique: true, partialFilterExpression: blocking },
  { name: 'reconcileAt_1', key: { reconcileAt: 1 } },
];

describe('a store on a sharded cluster', () => {
  it('is spread by tenant, its unique indexes first', async () => {
    const { database, of, keys } = createCluster({ refunds: REFUNDS, charges: [] });
    const said: string[] = [];
    await shardStore(database, ['refunds', 'charges'], (line) => said.push(line));
    expect([...keys]).toEqual([
      ['refunds', SHARD_KEY],
      ['charges', SHARD_KEY],
    ]);
    expect(of('refunds').filter(({ unique }) => unique)).toEqual([
      expect.objectContaining({
        key: { tenantId: 1, chargeId: 1 },
        unique: true,
        partialFilterExpression: blocking,
      }),
    ]);
    expect(said).toEqual([
      'refunds: the unique index one_blocking_refund begins with the tenant now',
      'refunds: sharded by tenantId and _id',
      'charges: sharded by tenantId and _id',
    ]);
  });

  it('is left as it is the second time', async () => {
    const { database, commands } = createCluster({ refunds: REFUNDS });
    await shardStore(database, ['refunds'], () => undefined);
    commands.length = 0;
    const said: string[] = [];
    await shardStore(database, ['refunds'], (line) => said.push(line));
    expect(said).toEqual(['refunds: is sharded already']);
    expect(commands.some((command) => 'shardCollection' in command)).toBe(false);
  });

  it('is not taken where it is sharded by another key', async () => {
    const { database, keys } = createCluster({ refunds: [] });
    keys.set('refunds', { _id: 'hashed' });
    await expect(shardStore(database, ['refunds'], () => undefined)).rejects.toThrow('another key');
  });

  it('is refused on any other server, which stays as it is', async () => {
    const { database, of } = createCluster({ refunds: REFUNDS }, 'replica set');
    await expect(shardStore(database, ['refunds'], () => undefined)).rejects.toThrow(NO_MONGOS);
    expect(of('refunds')).toEqual(REFUNDS);
  });
});
