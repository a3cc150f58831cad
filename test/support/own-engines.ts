import { rmSync } from 'node:fs';
import {
  type EngineControl,
  type EngineName,
  type Engines,
  type EngineUrls,
  startEngines,
} from '../../scripts/engines/engines.ts';
import { newDataDir } from './data-dir.ts';
import { TEST_SERVERS } from './volume.ts';

/** Servers of a single suite, which may stop them and make their commands fail. */
type OwnEngines = {
  readonly dataDir: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  server(name: EngineName): EngineControl;
  /** Starts the servers that a test has left down. */
  startAll(): Promise<void>;
  /** The variables of a gateway on these servers. */
  variables(): {
    readonly MONGODB_URI: string;
    readonly ELASTICSEARCH_NODE: string;
    readonly REDIS_URL: string;
  };
};

/**
 * Servers that are started before the tests of a file and stopped afterwards; the `given` ones belong to all suites.
 */
export const createOwnEngines = (
  given: EngineUrls = {},
  { transactionSeconds }: { readonly transactionSeconds: number } = TEST_SERVERS,
): OwnEngines => {
  const dataDir = newDataDir('own');
  let engines: Engines | null = null;
  const started = (): Engines => {
    if (!engines) throw new Error('the servers are not running');
    return engines;
  };
  return {
    dataDir,
    async start() {
      const progress = (): void => undefined;
      engines = await startEngines({ ...TEST_SERVERS, transactionSeconds, dataDir, given, progress });
    },
    async stop() {
      await engines?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    server(name) {
      const control = started().control[name];
      if (!control) throw new Error(`${name} was not started here`);
      return control;
    },
    async startAll() {
      await Promise.all(Object.values(started().control).map((control) => control.start()));
    },
    variables() {
      const { mongodbUri, elasticsearchNode, redisUrl } = started();
      return { MONGODB_URI: mongodbUri, ELASTICSEARCH_NODE: elasticsearchNode, REDIS_URL: redisUrl };
    },
  };
};
