import type { Db } from 'mongodb';
import { ConfigError } from '../../src/kernel/errors.ts';
import { createContainer } from '../../src/main/container.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { listIndexes } from '../../src/platform/read-store/view.ts';
import type { KeyRing } from '../../src/platform/secrets.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { openLocalServers } from '../local-gateway.ts';

type Job = {
  readonly db: Db;
  /** The path that FILE names. */
  readonly file: string;
  /** The keys that seal files; the first one for new ones. */
  readonly ring: KeyRing;
  readonly say: (line: string) => void;
  readonly onProgress: (documents: number) => void;
  /** Removes the indexes of the views, which may be newer than what was restored. */
  dropViews(): Promise<void>;
};

const SHOW_EVERY_MS = 1_000;

/** Runs a script about the write store of this installation and one file, then ends the process. */
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
  container.get(platform.redis).on('error', () => undefined);
  const readStore = container.get(platform.readStore);
  const { client, db } = openWriteStore(config.mongodbUri, config.mongodbDatabase, { forScans: true });
  let shownAt = Date.now();
  try {
    await job({
      db,
      file,
      ring: container.get(platform.keyRings).sealing,
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
    container.get(platform.redis).disconnect();
    await readStore.client.close();
    await client.close();
    await container.get(platform.writeStore).client.close();
    await engines.stop();
  }
};
