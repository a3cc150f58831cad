import cluster from 'node:cluster';
import { ConfigError } from '../kernel/errors.ts';
import { createLogger } from '../platform/logger.ts';
import { loadConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { startProcesses } from './processes.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Starts the gateway against the servers that the environment names. */
const main = async (): Promise<void> => {
  const config = loadConfig(process.env);
  const gateway =
    config.processes > 1 && cluster.isPrimary
      ? await startProcesses(config, process.env, createLogger(config.logLevel))
      : await startGateway(config);
  stopOnSignal(gateway.stop);
  // The parent process says it once all of its children listen.
  if (cluster.isWorker) return;
  const isWorker = config.role === 'worker';
  process.stdout.write(
    `Portico is listening on ${gateway.url}${isWorker ? ' for health and metrics: this is a worker' : ''}\n`,
  );
};

main().catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
