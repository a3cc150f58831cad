import { ConfigError } from '../src/kernel/errors.ts';
import { createContainer } from '../src/main/container.ts';
import { startGateway } from '../src/main/gateway.ts';
import * as platform from '../src/platform/platform.module.ts';
import { dropOldIndexes, ParityError, reproject } from '../src/platform/read-store/reproject.ts';
import type { View } from '../src/platform/read-store/view.ts';
import { openWriteStore } from '../src/platform/write-store/mongo.ts';
import { isAnyWorkerAlive } from '../src/platform/write-store/workers.ts';
import { takeLock } from './engines/lock.ts';
import { openLocalServers } from './local-gateway.ts';
import { createProgress } from './progress.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * `make reproject`, with `VIEW=charges,statement` for some views: rebuilds views while they serve. With `DROP_OLD=1` it
 * instead deletes the indexes that earlier runs have replaced. Exits with 1 where a view was not replaced.
 */
const main = async (): Promise<number> => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const { config, engines } = await openLocalServers({ attach: true, progress: say });
  const lock = takeLock(config.dataDir, 'reproject', null);
  if ('pid' in lock) throw new ConfigError(`Another make reproject (process ${lock.pid}) is running.`);
  const container = createContainer({ ...config, logLevel: 'warn' });
  const { db } = container.get(platform.services);
  container.get(platform.services).redis.on('error', () => undefined);
  try {
    const views = chosen(container.get(platform.views), process.env.VIEW);
    const { readStore } = container.get(platform.services);
    if (process.env.DROP_OLD === '1') {
      for (const view of views)
        for (const index of await dropOldIndexes(readStore, view)) say(`${index} is deleted`);
      return 0;
    }
    // Projectors have to write to the new index as well; where no gateway runs, a worker is started for as long as this
    // takes.
    const worker = (await isAnyWorkerAlive(db))
      ? null
      : await startGateway({ ...config, role: 'worker', port: 0, logLevel: 'warn' });
    const scans = openWriteStore(config.mongodbUri, config.mongodbDatabase, { forScans: true });
    const deps = {
      db: scans.db,
      readStore,
      awaitConsistency: container.get(platform.services).awaitConsistency,
      logger: container.get(platform.services).logger,
    };
    try {
      let failed = 0;
      for (const view of views) if (!(await reprojectOne(deps, view, stopping.signal))) failed += 1;
      return failed === 0 ? 0 : 1;
    } finally {
      await scans.client.close();
      await worker?.stop();
    }
  } finally {
    container.get(platform.services).redis.disconnect();
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).writeStore.client.close();
    lock.release(null);
    await engines.stop();
  }
};

const reprojectOne = async (
  deps: Parameters<typeof reproject>[0],
  view: View,
  signal: AbortSignal,
): Promise<boolean> => {
  const total = await deps.db.collection(view.source.collection).estimatedDocumentCount();
  const progress = createProgress(view.name, total);
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const onScanned = (): void => {
    progress.end();
    say(`${view.name}: read in ${seconds()}; comparing with the write store`);
  };
  try {
    const done = await reproject(deps, view, { signal, onProgress: progress.update, onScanned });
    if (!done) {
      progress.end();
      say(`${view.name}: cut short; run it again to go on`);
      return false;
    }
    say(`${view.name}: ${done.resources} resources in ${seconds()}, proven; served from ${done.index}`);
    return true;
  } catch (error) {
    progress.end();
    if (!(error instanceof ParityError)) throw error;
    say(`${view.name}: not replaced. ${error.message}`);
    return false;
  }
};

const chosen = (views: readonly View[], names: string | undefined): readonly View[] => {
  const wanted = names ? names.split(',') : views.map(({ name }) => name);
  const unknown = wanted.filter((name) => !views.some((view) => view.name === name));
  if (unknown.length > 0)
    throw new ConfigError(`VIEW must name some of ${views.map(({ name }) => name).join(', ')}.`);
  return views.filter(({ name }) => wanted.includes(name));
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isPlain = error instanceof ConfigError || !(error instanceof Error);
    say(String(isPlain ? (error instanceof Error ? error.message : error) : error.stack));
    process.exit(1);
  },
);
