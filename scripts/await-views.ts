import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../src/main/config.ts';
import { createContainer } from '../src/main/container.ts';
import * as platform from '../src/platform/platform.module.ts';
import { isReadStoreDown, type ReadStore } from '../src/platform/read-store/elastic.ts';
import { canServe, listIndexes, type View } from '../src/platform/read-store/view.ts';
import { wholeNumber } from './whole-number.ts';

const LOOK_EVERY_MS = 1_000;

const namesMissing = async (readStore: ReadStore, views: readonly View[]): Promise<readonly string[]> => {
  const indexes = await listIndexes(readStore, views);
  return views
    .filter((view) => !(indexes.get(view.name) ?? []).some((index) => canServe(view, index)))
    .map(({ name }) => name);
};

/**
 * Waits until workers of this version have built every view that its lists need, after which an API of this version may
 * take requests. Exits with 1 after `WITHIN_SECONDS`, and with 0 at once where Elasticsearch is down, because commands
 * work without it.
 */
const main = async (): Promise<number> => {
  const container = createContainer(loadConfig(process.env));
  container.get(platform.services).redis.disconnect();
  const until = Date.now() + wholeNumber('WITHIN_SECONDS', 600, 86_400) * 1_000;
  try {
    for (;;) {
      const missing = await namesMissing(
        container.get(platform.services).readStore,
        container.get(platform.views),
      );
      if (missing.length === 0) return 0;
      process.stdout.write(`being built: ${missing.join(', ')}\n`);
      if (Date.now() > until) return 1;
      await sleep(LOOK_EVERY_MS);
    }
  } catch (error) {
    if (!isReadStoreDown(error)) throw error;
    process.stdout.write('Elasticsearch does not answer: lists will not either, until it does\n');
    return 0;
  } finally {
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).writeStore.client.close();
  }
};

process.exitCode = await main();
