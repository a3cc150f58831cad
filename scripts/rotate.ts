import { ConfigError } from '../src/kernel/errors.ts';
import { createContainer } from '../src/main/container.ts';
import * as platform from '../src/platform/platform.module.ts';
import { openLocalServers } from './local-gateway.ts';

/**
 * Renews the values that an older `SECRETS_KEY` or `KEY_PEPPER` made, even while gateways work; exits with 1 where
 * something still needs an older one.
 */
const rotate = async (): Promise<number> => {
  const { config, engines } = await openLocalServers({
    attach: true,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(platform.services).redis.on('error', () => undefined);
  const left: string[] = [];
  try {
    for (const { what, run } of container.getAll(platform.renewals).flat()) {
      const done = await run();
      left.push(...done.left);
      process.stdout.write(`${done.renewed} ${what} made anew\n`);
    }
  } finally {
    container.get(platform.services).redis.disconnect();
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).writeStore.client.close();
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
