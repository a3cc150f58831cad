import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from 'inversify';
import { ConfigError } from '../src/kernel/errors.ts';
import { createContainer } from '../src/main/container.ts';
import { startGateway } from '../src/main/gateway.ts';
import * as platform from '../src/platform/platform.module.ts';
import { countLiveRows } from '../src/platform/write-store/outbox.ts';
import { isAnyWorkerAlive } from '../src/platform/write-store/workers.ts';
import { takeLock } from './engines/lock.ts';
import { openLocalServers } from './local-gateway.ts';
import { createProgress } from './progress.ts';
import { type Seeded, seedCharges } from './seed/seed-charges.ts';
import { wholeNumber } from './whole-number.ts';

/** `make seed CHARGES=10000`, also with MERCHANTS and SEED: adds realistic charges to the present data. */
const main = async (): Promise<void> => {
  const charges = wholeNumber('CHARGES', 10_000, 1_000_000);
  const merchants = wholeNumber('MERCHANTS', 8, 10_000);
  const seed = wholeNumber('SEED', 1, 2 ** 31 - 1);
  const { config, engines } = await openLocalServers({ attach: true, progress: say });
  const lock = takeLock(config.dataDir, 'seed', null);
  if ('pid' in lock) throw new ConfigError(`Another make seed (process ${lock.pid}) is running.`);
  const container = createContainer({ ...config, logLevel: 'warn' });
  const { db } = container.get(platform.services);
  container.get(platform.services).redis.on('error', () => undefined);
  // Where a gateway runs, its workers go on with their work. Otherwise a worker is started to set up the stores, and
  // once more at the end for the remaining work. During the seeding, its full checks would keep the local write store
  // busy.
  const isAlone = !(await isAnyWorkerAlive(db));
  const startWorker = () => startGateway({ ...config, role: 'worker', port: 0, logLevel: 'warn' });
  let worker = isAlone ? await startWorker() : null;
  try {
    await worker?.stop();
    worker = null;
    const progress = createProgress('charges', charges);
    const { update: onProgress } = progress;
    const seeded = await seedCharges(container, { charges, merchants, seed, until: new Date(), onProgress });
    const seconds = progress.end();
    if (isAlone) worker = await startWorker();
    const left = await drained(container);
    process.stdout.write(summary(seeded, charges, seconds, left));
  } finally {
    await worker?.stop();
    container.get(platform.services).redis.disconnect();
    await container.get(platform.services).readStore.client.close();
    await container.get(platform.services).writeStore.client.close();
    lock.release(null);
    await engines.stop();
  }
};

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A gateway in use may never have finished all of its work; it continues without this script. */
const WAIT_AT_MOST_MS = 60_000;

/**
 * Waits until workers have done the little work that seeding leaves to them; returns how many pieces of it are left.
 */
const drained = async (container: Container): Promise<number> => {
  const { db } = container.get(platform.services);
  const until = Date.now() + WAIT_AT_MOST_MS;
  for (let saidAt = Date.now(); ; await sleep(200)) {
    const left = await countLiveRows(db);
    if (left === 0 || Date.now() > until) return left;
    if (Date.now() - saidAt < 2_000) continue;
    say(`views and ledger: ${left} left`);
    saidAt = Date.now();
  }
};

const summary = (seeded: Seeded, charges: number, seconds: number, left: number): string => {
  const { merchants, statuses, refunds, alerts, payouts, journals } = seeded;
  const [first] = merchants;
  const list = Object.entries(statuses)
    .sort((a, b) => b[1] - a[1])
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
  const rate = Math.round(charges / seconds);
  return [
    `${charges} charges of ${merchants.length} merchants in ${seconds.toFixed(1)} s (${rate}/s): ${list}`,
    `${refunds} refunds, ${alerts} chargeback alerts, ${payouts} payout requests, ${journals} journals`,
    left === 0
      ? 'Views, balances and statements are complete.'
      : `The gateway is busy: ${left} rows are left.`,
    ...(first ? [`One of them, ${first.legalName}: test key ${first.testKey}`] : []),
    '',
  ].join('\n');
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const isPlain = error instanceof ConfigError || !(error instanceof Error);
    process.stderr.write(
      `${isPlain ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
    );
    process.exit(1);
  },
);
