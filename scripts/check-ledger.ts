import { createContainer } from '../src/main/container.ts';
import { modules } from '../src/main/modules.ts';
import * as platform from '../src/platform/platform.module.ts';
import { openLocalServers } from './local-gateway.ts';

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Checks the ledger of this installation, even while a gateway works on it; exits with 1 where something is wrong. */
const checkLedger = async (): Promise<number> => {
  const { config, engines } = await openLocalServers({ attach: true, progress });
  const container = createContainer({ ...config, logLevel: 'error' });
  container.get(platform.services).redis.on('error', () => undefined);
  const counts = new Map<string, number>();
  let shownAt = 0;
  let found = 0;
  try {
    await container.get(modules).ledgerCheck.checkEverything({
      onProgress: (what, done) => {
        counts.set(what, done);
        if (Date.now() - shownAt < 1_000) return;
        shownAt = Date.now();
        progress(`${done} ${what}`);
      },
      onDifference: ({ kind, subject, message }) => {
        found += 1;
        process.stdout.write(`${kind} ${subject}: ${message}\n`);
      },
      restFactor: 0,
    });
  } finally {
    container.get(platform.services).redis.disconnect();
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).scanStore.client.close();
    await container.get(platform.services).writeStore.client.close();
    await engines.stop();
  }
  const checked = [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
  process.stdout.write(`Checked ${checked}: ${found === 0 ? 'no' : found} differences.\n`);
  return found === 0 ? 0 : 1;
};

checkLedger().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  },
);
