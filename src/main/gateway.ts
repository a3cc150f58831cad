import type { Container } from 'inversify';
import * as identity from '../modules/identity/identity.module.ts';
import * as platform from '../platform/platform.module.ts';
import { createSparingLog } from '../platform/sparing-log.ts';
import { migrate, platformMigrations } from '../platform/write-store/migrate.ts';
import { putTenantFirst } from '../platform/write-store/shard-store.ts';
import { shardedDatabaseOf } from '../platform/write-store/sharded-database.ts';
import { type Api, startApi } from './api.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { openFilesWarning } from './open-files.ts';
import { createPublicUrl } from './public-url.ts';
import { TENANT_COLLECTIONS } from './tenants.ts';
import { startTracing } from './tracing.ts';
import { startWorker, type Worker } from './worker.ts';

/** A running gateway: API, workers or both, as `ROLE` says. */
export type Gateway = {
  readonly container: Container;
  /** Address of the API, or of a worker's health and metrics. */
  readonly url: string;
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>;
};

/** Closes the connections of a container's stores. */
export const closeStores = async (container: Container): Promise<void> => {
  container.get(platform.redis).disconnect();
  await container.get(platform.readStore).client.close();
  await container.get(platform.scanStore).client.close();
  await container.get(platform.writeStore).client.close();
};

/** Starts a gateway: brings the write store up to date, then serves. */
export const startGateway = async (config: Config): Promise<Gateway> => {
  const stopTracing = await startTracing(config);
  const publicUrl = createPublicUrl(config);
  const container = createContainer(config, publicUrl);
  const logger = container.get(platform.logger);
  const warning = openFilesWarning(config);
  if (warning !== null) logger.warn(warning);
  const complain = createSparingLog(logger, 'warn');
  container.get(platform.redis).on('error', (error: Error) => complain(error, {}, 'redis is not available'));
  let api: Api | null = null;
  let worker: Worker | null = null;
  const storeClock = container.get(platform.storeClock);
  const stop = async (): Promise<void> => {
    storeClock.stop();
    await api?.stop();
    await worker?.stop();
    await closeStores(container);
    await stopTracing();
  };
  try {
    const migrations = [...platformMigrations, ...container.getAll(platform.migrations).flat()];
    // A step may read, or index, all that there is.
    await migrate(container.get(platform.scanStore).db, migrations, logger);
    if (config.commitGroups === 'tenant')
      await putTenantFirst(
        shardedDatabaseOf(container.get(platform.scanStore)),
        [...TENANT_COLLECTIONS.keys()],
        (line) => logger.info(line),
      );
    await storeClock.compare();
    storeClock.start();
    await container.get(identity.ensureOperator)(config.bootstrapOperator);
    if (config.role !== 'api') worker = await startWorker(container, config);
    api = await startApi(container, config, publicUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { container, url: api.url, stop };
};
