import { ConfigError } from '../src/kernel/errors.ts';
import { createContainer } from '../src/main/container.ts';
import { READ_STORE, REDIS, RENEWAL, WRITE_STORE } from '../src/platform/platform.module.ts';
import { openLocalServers } from './local-gateway.ts';

/**
 * Makes anew what was made with an older one of `SECRETS_KEY` and `KEY_PEPPER`, also while gateways work; ends with 1
 * where something still needs one.
 */
const rotate = async (): Promise<number> => {
  const { config, engines } = await openLocalServers({
    attach: true,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(REDIS).on('error', () => undefined);
  const left: string[] = [];
  try {
    for (const { what, run } of container.getAll(RENEWAL)) {
      const done = await run();
      left.push(...done.left);
      process.stdout.write(`${done.renewed} ${what} made anew\n`);
    }
  } finally {
    container.get(REDIS).disconnect();
    await container.get(READ_STORE).client.close();
    await container.get(WRITE_STORE).client.close();
    await engines.stop();
  }
  for (const sentence of left) process.stdout.write(`${sentence}\n`);
  process.stdout.write(
    left.length === 0
      ? 'Nothing needs an older secret any more.\n'
      : `${left.length} would be lost with the older secret: roll them, or keep it until they were used.\n`,
  );
  return left.length === 0 ? 0 : 1;
};

rotate().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isConfiguration = error instanceof ConfigError;
    process.stderr.write(
      `${isConfiguration ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
    process.exitCode = 1;
  },
);
