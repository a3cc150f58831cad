import { ConfigError } from '../src/kernel/errors.ts';
import { createContainer } from '../src/main/container.ts';
import { SPREAD_COLLECTIONS, TENANT_COLLECTIONS } from '../src/main/tenants.ts';
import { UNSHARDED_COLLECTIONS } from '../src/main/unsharded.ts';
import * as platform from '../src/platform/platform.module.ts';
import { nameTenants } from '../src/platform/write-store/name-tenants.ts';
import { assertMongos, shardStore } from '../src/platform/write-store/shard-store.ts';
import { shardedDatabaseOf } from '../src/platform/write-store/sharded-database.ts';
import { openLocalServers } from './local-gateway.ts';

/**
 * Adds the tenant to documents of older versions, even while gateways work. With the argument `shard` it then
 * distributes the collections over the shards of a cluster, and refuses at the start where there is none.
 */
const run = async (toShard: boolean): Promise<void> => {
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const { config, engines } = await openLocalServers({ attach: true, progress: () => undefined });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(platform.services).redis.on('error', () => undefined);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    const store = container.get(platform.services).scanStore;
    const database = shardedDatabaseOf(store);
    if (toShard) await assertMongos(database);
    const named = await nameTenants({
      db: store.db,
      collections: TENANT_COLLECTIONS,
      findTenant: container.get(platform.services).findTenant,
      onNamed: (collection, count) =>
        count > 0 && say(`${collection}: ${count} documents name their tenant now`),
      signal: stopping.signal,
    });
    if (named === 0) say('Every document names its tenant.');
    if (toShard) {
      await shardStore(database, SPREAD_COLLECTIONS, say);
      say(`Not sharded, on the primary shard: ${UNSHARDED_COLLECTIONS.join(', ')}`);
    }
  } finally {
    container.get(platform.services).redis.disconnect();
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).scanStore.client.close();
    await container.get(platform.services).writeStore.client.close();
    await engines.stop();
  }
};

run(process.argv.includes('shard')).catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
