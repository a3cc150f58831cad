import type { Document } from 'mongodb';
import { type Index, NO_MONGOS, putTenantFirst, type ShardedDatabase, shardStore } from './shard-store.ts';

/**
 * A cluster in memory that obeys MongoDB's rules: a unique index of a sharded collection has to begin with its whole
 * shard key, and only a database with sharding enabled has sharded collections.
 */
const createCluster = (indexes: Readonly<Record<string, readonly Index[]>>, msg = 'isdbgrid') => {
  const known = new Map(Object.entries(indexes).map(([name, all]) => [name, [...all]]));
  const keys = new Map<string, object>();
  const commands: Document[] = [];
  const nameless = new Set<string>();
  const spread = new Set<string>();
  const of = (collection: string): Index[] => known.get(collection) ?? [];
  const database: ShardedDatabase = {
    name: 'portico',
    async admin(command) {
      commands.push(command);
      if (command.hello) return { msg };
      if (command.enableSharding) spread.add(command.enableSharding);
      if (command.shardCollection) {
        const [ofDatabase = '', collection = ''] = String(command.shardCollection).split('.');
        if (!spread.has(ofDatabase)) throw new Error(`${ofDatabase} may not be spread`);
        const fields = Object.keys(command.key);
        const wrong = of(collection).find(
          ({ unique, key }) => unique && fields.some((field, place) => Object.keys(key)[place] !== field),
        );
        if (wrong) throw new Error(`${wrong.name} does not begin with the key`);
        const supports = ({ key, partialFilterExpression }: Index): boolean =>
          !partialFilterExpression && fields.every((field, place) => Object.keys(key)[place] === field);
        if (!of(collection).some(supports)) throw new Error('there is no index that begins with the key');
        keys.set(collection, command.key);
      }
      return { ok: 1 };
    },
    indexesOf: async (collection) => of(collection),
    async createIndex(collection, index) {
      const name = index.name ?? Object.keys(index.key).join('_');
      const same = of(collection).find((one) => one.name === name);
      if (same && JSON.stringify(same.key) !== JSON.stringify(index.key))
        throw new Error(`there is another index ${name}`);
      if (same) return;
      known.set(collection, [...of(collection), { ...index, name }]);
    },
    async dropIndex(collection, name) {
      known.set(
        collection,
        of(collection).filter((index) => index.name !== name),
      );
    },
    hasNameless: async (collection) => nameless.has(collection),
    shardKeyOf: async (collection) => keys.get(collection) ?? null,
  };
  return { database, commands, of, keys, nameless };
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
      ['refunds', { tenantId: 1, chargeId: 1 }],
      ['charges', { tenantId: 1, _id: 1 }],
    ]);
    expect(of('refunds').filter(({ unique }) => unique)).toEqual([
      expect.objectContaining({
        key: { tenantId: 1, chargeId: 1 },
        unique: true,
        partialFilterExpression: blocking,
      }),
    ]);
    // Statements that search every shard for the refund of a charge have an index, too.
    expect(of('refunds')).toContainEqual(expect.objectContaining({ key: { chargeId: 1 } }));
    expect(said).toEqual([
      'refunds: the unique index one_blocking_refund begins with the tenant now',
      'refunds: sharded by tenantId and chargeId',
      'charges: sharded by tenantId and _id',
    ]);
  });

  it('needs no index besides a unique one that begins with the key', async () => {
    const unique = { name: 'resource', key: { resourceId: 1, version: 1 }, unique: true } as const;
    const { database, of, keys } = createCluster({ domain_events: [unique] });
    await shardStore(database, ['domain_events'], () => undefined);
    expect(keys.get('domain_events')).toEqual({ tenantId: 1, resourceId: 1 });
    expect(of('domain_events').map(({ key }) => Object.keys(key).join())).toEqual([
      'tenantId,resourceId,version',
      'resourceId,version',
    ]);
  });

  it('has unique indexes that begin with the tenant wherever it was killed before', async () => {
    const whole = createCluster({ refunds: REFUNDS });
    await putTenantFirst(whole.database, ['refunds'], () => undefined);
    const calls = ['createIndex', 'dropIndex'] as const;
    for (let killedAt = 1; killedAt <= 3; killedAt += 1) {
      const { database, of } = createCluster({ refunds: REFUNDS });
      let step = 0;
      const dying = { ...database };
      for (const name of calls)
        dying[name] = async (...args: never) => {
          step += 1;
          if (step === killedAt) throw new Error('killed');
          await (database[name] as (...given: never) => Promise<void>)(...args);
        };
      await expect(putTenantFirst(dying, ['refunds'], () => undefined)).rejects.toThrow('killed');
      expect(of('refunds').some(({ unique }) => unique)).toBe(true);
      await putTenantFirst(database, ['refunds'], () => undefined);
      expect(new Set(of('refunds'))).toEqual(new Set(whole.of('refunds')));
    }
  });

  it('keeps a unique index as long as a document does not name its tenant', async () => {
    const { database, of, nameless } = createCluster({ refunds: REFUNDS });
    nameless.add('refunds');
    await expect(putTenantFirst(database, ['refunds'], () => undefined)).rejects.toThrow('make tenants');
    expect(of('refunds')).toEqual(expect.arrayContaining([...REFUNDS]));
    nameless.clear();
    await putTenantFirst(database, ['refunds'], () => undefined);
    expect(of('refunds').filter(({ unique }) => unique)).toHaveLength(1);
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

  it.each<[string, number, boolean]>([
    ['where servers spread every database without being told', 59, true],
    ['unless the command fails otherwise', 13, false],
  ])('is spread %s', async (_, code, isSpread) => {
    const { database, commands, keys } = createCluster({ refunds: REFUNDS });
    await database.admin({ enableSharding: database.name });
    const admin: ShardedDatabase['admin'] = async (command) => {
      if (command.enableSharding) throw Object.assign(new Error('enableSharding'), { code });
      return database.admin(command);
    };
    const sharding = shardStore({ ...database, admin }, ['refunds'], () => undefined);
    await (isSpread ? sharding : expect(sharding).rejects.toThrow('enableSharding'));
    expect([keys.size, commands.some((command) => 'shardCollection' in command)]).toEqual(
      isSpread ? [1, true] : [0, false],
    );
  });

  it('is refused on any other server, which stays as it is', async () => {
    const { database, of } = createCluster({ refunds: REFUNDS }, 'replica set');
    await expect(shardStore(database, ['refunds'], () => undefined)).rejects.toThrow(NO_MONGOS);
    expect(of('refunds')).toEqual(REFUNDS);
  });
});
