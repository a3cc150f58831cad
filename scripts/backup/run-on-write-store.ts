import { ConfigError } from '../../src/kernel/errors.ts';
import { createContainer } from '../../src/main/container.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { listIndexes } from '../../src/platform/read-store/view.ts';
import type { KeyRing } from '../../src/platform/secrets.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { openLocalServers } from '../local-gateway.ts';

type Job = {
  readonly db: Database;
  /** The path in FILE. */
  readonly file: string;
  /** The keys that seal files; new files use the first one. */
  readonly ring: KeyRing;
  readonly say: (line: string) => void;
  readonly onProgress: (documents: number) => void;
  /** Removes the indexes of the views, which may be newer than the restored data. */
  dropViews(): Promise<void>;
};

const SHOW_EVERY_MS = 1_000;

/** Runs a script on the write store of this installation and one file, then ends the process. */
export const runOnWriteStore = (job: (on: Job) => Promise<void>): void => {
  run(job).catch((error: unknown) => {
    const isPlain = error instanceof ConfigError || !(error instanceof Error);
    process.stderr.write(
      `${isPlain ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
    );
    process.exitCode = 1;
  });
};

const run = async (job: (on: Job) => Promise<void>): Promise<void> => {
  const file = process.env.FILE;
  if (!file) throw new ConfigError('Name the file: FILE=portico.backup');
  const { config, engines } = await openLocalServers({
    attach: true,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(platform.services).redis.on('error', () => undefined);
  const { readStore } = container.get(platform.services);
  const { client, db } = openWriteStore(config.mongodbUri, config.mongodbDatabase, { forScans: true });
  let shownAt = Date.now();
  try {
    await job({
      db,
      file,
      ring: container.get(platform.services).keyRings.sealing,
      say: (line) => process.stdout.write(`${line}\n`),
      onProgress: (documents) => {
        if (Date.now() - shownAt < SHOW_EVERY_MS) return;
        shownAt = Date.now();
        process.stderr.write(`${documents} documents\n`);
      },
      async dropViews() {
        for (const indexes of (await listIndexes(readStore, container.get(platform.views))).values())
          if (indexes.length > 0)
            await readStore.client.indices.delete({ index: indexes.map(({ name }) => name) });
      },
    });
  } finally {
    container.get(platform.services).redis.disconnect();
    await readStore.client.close();
    await client.close();
    await container.get(platform.services).writeStore.client.close();
    await engines.stop();
  }
};
