import { ConfigError } from '../src/kernel/errors.ts';
import { type Config, loadConfig } from '../src/main/config.ts';
import { developmentSecrets } from './development-secrets.ts';
import { attachOrStartEngines, type EngineOptions, type Engines, startEngines } from './engines/engines.ts';

type LocalServers = {
  readonly config: Config;
  /** The settings as variables, for processes that are to run with them. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly engines: Engines;
};

/**
 * Settings and servers of an installation on this machine. Local servers replace those that the environment does not
 * name. `attach` uses the servers of a gateway that already runs on this DATA_DIR.
 */
export const openLocalServers = async (options: {
  readonly attach: boolean;
  readonly progress: (line: string) => void;
  readonly onExit?: NonNullable<EngineOptions['onExit']>;
}): Promise<LocalServers> => {
  const dataDir = process.env.DATA_DIR || '.data';
  const open = options.attach ? attachOrStartEngines : startEngines;
  const engines = await open({
    dataDir,
    given: {
      mongodbUri: process.env.MONGODB_URI || undefined,
      elasticsearchNode: process.env.ELASTICSEARCH_NODE || undefined,
      redisUrl: process.env.REDIS_URL || undefined,
    },
    progress: options.progress,
    ...(options.onExit ? { onExit: options.onExit } : {}),
  }).catch((error: Error) => {
    // One sentence says why local servers do not start: another Portico, no Python, no network.
    throw new ConfigError(error.message, { cause: error });
  });
  try {
    const isProduction = process.env.NODE_ENV === 'production';
    const variables = {
      ...(isProduction ? {} : developmentSecrets(dataDir)),
      ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value)),
      MONGODB_URI: engines.mongodbUri,
      ELASTICSEARCH_NODE: engines.elasticsearchNode,
      REDIS_URL: engines.redisUrl,
    };
    return { config: loadConfig(variables), variables, engines };
  } catch (error) {
    await engines.stop();
    throw error;
  }
};
