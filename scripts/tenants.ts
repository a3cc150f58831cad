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
 * Names the tenant on documents of older versions, also while gateways work. With `shard` as argument it then spreads
 * the collections over the shards of a cluster. Refuses at the start where there is none.
 */
const run = async (toShard: boolean): Promise<void> => {
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const { config, engines } = await openLocalServers({ attach: true, progress: () => undefined });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(platform.redis).on('error', () => undefined);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    const store = container.get(platform.scanStore);
    const database = shardedDatabaseOf(store);
    if (toShard) await assertMongos(database);
    const named = await nameTenants({
      db: store.db,
      collections: TENANT_COLLECTIONS,
      findTenant: container.get(platform.findTenant),
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
    container.get(platform.redis).disconnect();
    await container.get(platform.readStore).client.close();
    await container.get(platform.scanStore).client.close();
    await container.get(platform.writeStore).client.close();
    await engines.stop();
  }
};

run(process.argv.includes('shard')).catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
