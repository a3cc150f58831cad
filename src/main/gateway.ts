import type { Container } from 'inversify';
import { ENSURE_OPERATOR } from '../modules/identity/identity.module.ts';
import {
  DB,
  LOGGER,
  MIGRATIONS,
  READ_STORE,
  REDIS,
  SCAN_STORE,
  WRITE_STORE,
} from '../platform/platform.module.ts';
import { migrate, platformMigrations } from '../platform/write-store/migrate.ts';
import { type Api, startApi } from './api.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { createPublicUrl } from './public-url.ts';
import { startWorker, type Worker } from './worker.ts';

/** A running gateway: API, workers or both, as `ROLE` says. */
export type Gateway = {
  readonly container: Container;
  /** Address of the API, or of a worker's health and metrics. */
  readonly url: string;
  /** Finishes what is in hand, then closes everything. */
  stop(): Promise<void>;
};

/** Starts a gateway: brings the write store up to date, then serves. */
export const startGateway = async (config: Config): Promise<Gateway> => {
  const publicUrl = createPublicUrl(config);
  const container = createContainer(config, publicUrl);
  const logger = container.get(LOGGER);
  container.get(REDIS).on('error', (error: Error) => logger.warn({ err: error }, 'redis is not available'));
  let api: Api | null = null;
  let worker: Worker | null = null;
  const stop = async (): Promise<void> => {
    await api?.stop();
    await worker?.stop();
    container.get(REDIS).disconnect();
    await container.get(READ_STORE).client.close();
    await container.get(SCAN_STORE).client.close();
    await container.get(WRITE_STORE).client.close();
  };
  try {
    await migrate(container.get(DB), [...platformMigrations, ...container.getAll(MIGRATIONS).flat()], logger);
    await container.get(ENSURE_OPERATOR)(config.bootstrapOperator);
    if (config.role !== 'api') worker = await startWorker(container);
    api = await startApi(container, config, publicUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { container, url: api.url, stop };
};
