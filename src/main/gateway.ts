import type { Container } from 'inversify';
import * as platform from '../platform/platform.module.ts';
import { createSparingLog } from '../platform/sparing-log.ts';
import { migrate, platformMigrations } from '../platform/write-store/migrate.ts';
import { putTenantFirst } from '../platform/write-store/shard-store.ts';
import { shardedDatabaseOf } from '../platform/write-store/sharded-database.ts';
import { type Api, startApi } from './api.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { modules } from './modules.ts';
import { openFilesWarning } from './open-files.ts';
import { createPublicUrl } from './public-url.ts';
import { TENANT_COLLECTIONS } from './tenants.ts';
import { startTracing } from './tracing.ts';
import { startWorker, type Worker } from './worker.ts';

/** A running gateway: the API, the workers or both, depending on `ROLE`. */
export type Gateway = {
  readonly container: Container;
  /** Address of the API; for a worker, of its health and metrics. */
  readonly url: string;
  /** Finishes the work in flight, then closes everything. */
  stop(): Promise<void>;
};

/** Closes the connections of a container's stores. */
export const closeStores = async (container: Container): Promise<void> => {
  const { redis, readStore, scanStore, writeStore } = container.get(platform.services);
  redis.disconnect();
  await readStore.client.close();
  await scanStore.client.close();
  await writeStore.client.close();
};

/** Starts a gateway: migrates the write store, then serves. */
export const startGateway = async (config: Config): Promise<Gateway> => {
  const stopTracing = await startTracing(config);
  const publicUrl = createPublicUrl(config);
  const container = createContainer(config, publicUrl);
  const { logger, redis, scanStore } = container.get(platform.services);
  const warning = openFilesWarning(config);
  if (warning !== null) logger.warn(warning);
  const complain = createSparingLog(logger, 'warn');
  redis.on('error', (error: Error) => complain(error, {}, 'redis is not available'));
  let api: Api | null = null;
  let worker: Worker | null = null;
  const storeClock = container.get(platform.storeClock);
  const stop = async (): Promise<void> => {
    storeClock.stop();
    await api?.stop();
    await container.get(modules).requestLog.keepRequests.flush();
    await worker?.stop();
    await closeStores(container);
    await stopTracing();
  };
  try {
    const migrations = [...platformMigrations, ...container.getAll(platform.migrations).flat()];
    // A migration may read or index a whole collection, which takes time.
    await migrate(scanStore.db, migrations, logger);
    if (config.commitGroups === 'tenant')
      await putTenantFirst(shardedDatabaseOf(scanStore), [...TENANT_COLLECTIONS.keys()], (line) =>
        logger.info(line),
      );
    await storeClock.compare();
    storeClock.start();
    await container.get(modules).identity.ensureOperator(config.bootstrapOperator);
    if (config.role !== 'api') worker = await startWorker(container, config);
    api = await startApi(container, config, publicUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { container, url: api.url, stop };
};
