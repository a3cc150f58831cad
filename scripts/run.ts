import { ConfigError } from '../src/kernel/errors.ts';
import { startGateway } from '../src/main/gateway.ts';
import { stopOnSignal } from '../src/main/stop-on-signal.ts';
import { prepareDemo } from './demo-data.ts';
import { openLocalServers } from './local-gateway.ts';
import { welcome } from './welcome.ts';

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Starts everything on this machine: the servers that are not given, the gateway, demo data. */
const run = async (): Promise<void> => {
  const { config, engines } = await openLocalServers({
    attach: false,
    progress,
    onExit: (name, code) => {
      progress(`The ${name} server ended unexpectedly (${code}); see ${config.dataDir}/logs. Stopping.`);
      process.exit(1);
    },
  });
  const gateway = await startGateway({ ...config, logLevel: process.env.LOG_LEVEL ?? 'warn' }).catch(
    async (error: unknown) => {
      await engines.stop();
      throw error;
    },
  );
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
