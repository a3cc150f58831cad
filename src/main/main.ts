import { ConfigError } from '../kernel/errors.ts';
import { loadConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Starts the gateway against the servers that the environment names. */
const main = async (): Promise<void> => {
  const config = loadConfig(process.env);
  const gateway = await startGateway(config);
  const isWorker = config.role === 'worker';
  process.stdout.write(
    `Portico is listening on ${gateway.url}${isWorker ? ' for health and metrics: this is a worker' : ''}\n`,
  );
  stopOnSignal(gateway.stop);
};

main().catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
