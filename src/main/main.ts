import { ConfigError } from '../kernel/errors.ts';
import { loadConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Starts the gateway against the servers that the environment names. */
const main = async (): Promise<void> => {
  const gateway = await startGateway(loadConfig(process.env));
  process.stdout.write(`Portico is listening on ${gateway.url ?? 'no port: this is a worker'}\n`);
  stopOnSignal(gateway.stop);
};

main().catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigError;
  process.stderr.write(`${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
