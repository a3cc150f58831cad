import { ConfigError } from '../src/kernel/errors.ts';
import type { Config } from '../src/main/config.ts';
import { createContainer } from '../src/main/container.ts';
import { closeStores, type Gateway, startGateway } from '../src/main/gateway.ts';
import { startProcesses } from '../src/main/processes.ts';
import { stopOnSignal } from '../src/main/stop-on-signal.ts';
import * as platform from '../src/platform/platform.module.ts';
import { prepareDemo } from './demo-data.ts';
import { openLocalServers } from './local-gateway.ts';
import { welcome } from './welcome.ts';

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Starts several gateway processes; this process only creates the demo data. */
const startTogether = async (
  config: Config,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Gateway> => {
  const container = createContainer(config);
  container.get(platform.services).redis.on('error', () => undefined);
  const close = () => closeStores(container);
  const processes = await startProcesses(config, variables, container.get(platform.services).logger).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return {
    container,
    url: processes.url,
    async stop() {
      await processes.stop();
      await close();
    },
  };
};

/** Starts everything on this machine: the servers that are not given, the gateway, and the demo data. */
const run = async (): Promise<void> => {
  const { config, variables, engines } = await openLocalServers({
    attach: false,
    progress,
    onExit: (name, code) => {
      progress(`The ${name} server ended unexpectedly (${code}); see ${config.dataDir}/logs. Stopping.`);
      process.exit(1);
    },
  });
  const logLevel = process.env.LOG_LEVEL ?? 'warn';
  const starting =
    config.processes > 1
      ? startTogether({ ...config, logLevel }, { ...variables, LOG_LEVEL: logLevel })
      : startGateway({ ...config, logLevel });
  const gateway = await starting.catch(async (error: unknown) => {
    await engines.stop();
    throw error;
  });
  stopOnSignal(async () => {
    await gateway.stop();
    await engines.stop();
  });
  const demo = config.demoData ? await prepareDemo(gateway.container, config.dataDir, progress) : null;
  process.stdout.write(welcome(gateway.url, config, demo));
};

run().catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
