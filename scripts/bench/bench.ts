import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/kernel/errors.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createContainer } from '../../src/main/container.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { startEngines } from '../engines/engines.ts';
import { wholeNumber } from '../whole-number.ts';
import { measureCards } from './cards.ts';
import { measureCreate, measureMerchants } from './creates.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { measureHistory } from './history.ts';
import { measureLists } from './lists.ts';
import { measureLoad } from './load.ts';
import { type Row, table } from './measure.ts';
import { startNativeStore } from './native-store.ts';
import { measurePages } from './pages.ts';
import { measurePanel } from './panel.ts';
import { measureProcesses } from './processes.ts';
import { measureReads } from './reads.ts';
import { measureReproject } from './reproject.ts';
import { measureSeed } from './seeding.ts';
import { type Bench, prepareMerchants } from './setting.ts';
import { measureStatements } from './statements.ts';
import { measureSubscriptions } from './subscriptions.ts';
import { measureVisible } from './visible.ts';
import { measureWebhooks } from './webhooks.ts';

const PARTS = {
  create: measureCreate,
  merchants: measureMerchants,
  load: measureLoad,
  reads: measureReads,
  cards: measureCards,
  pages: measurePages,
  processes: measureProcesses,
  seed: measureSeed,
  visible: measureVisible,
  reproject: measureReproject,
  // Lists come after the reprojection, which leaves as many charges in the view as a quarter of an hour of seeding.
  list: measureLists,
  panel: measurePanel,
  statement: measureStatements,
  webhooks: measureWebhooks,
  history: measureHistory,
  subscriptions: measureSubscriptions,
} as const;
type Part = keyof typeof PARTS;

const MEMORY_GOAL_MIB = 300;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * `make bench`: measures the gateway, as a process of its own, against servers of its own, beside figures of the bare
 * stores from the same run. ONLY=create,list selects parts; SECONDS, ROUNDS, CHARGES and LINES make it shorter.
 * STORE=native measures with the native build of the local write store. MONGODB_URI names another write store to measure
 * with, in which the data is left.
 */
const main = async (): Promise<void> => {
  const parts = partsOf(process.env.ONLY);
  const sizes = {
    seconds: wholeNumber('SECONDS', 10, 3_600),
    rounds: wholeNumber('ROUNDS', 3, 100),
    charges: wholeNumber('CHARGES', 100_000, 10_000_000),
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  // This also happens when it is cut short: gateway and servers end with this process, and their data is removed here.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const native = isNative(process.env.STORE) ? await startNativeStore(dataDir, say) : null;
  const { MONGODB_PROFILE } = process.env;
  const mongodbUri = native?.uri ?? process.env.MONGODB_URI;
  const given = mongodbUri ? { mongodbUri } : {};
  const engines = await startEngines({ dataDir, given, progress: say });
  try {
    const secret = (): string => randomBytes(32).toString('base64url');
    const variables = {
      NODE_ENV: 'development',
      PORT: '0',
      DATA_DIR: dataDir,
      DEMO_DATA: '0',
      MONGODB_URI: engines.mongodbUri,
      MONGODB_DATABASE: `bench-${randomBytes(6).toString('hex')}`,
      ...(MONGODB_PROFILE ? { MONGODB_PROFILE } : {}),
      ELASTICSEARCH_NODE: engines.elasticsearchNode,
      REDIS_URL: engines.redisUrl,
      JWT_SECRET: secret(),
      SECRETS_KEY: secret(),
      KEY_PEPPER: secret(),
    };
    const gateway = await startGatewayProcess(variables);
    const config = loadConfig(variables);
    const container = createContainer({ ...config, logLevel: 'warn' });
    try {
      const processes = {
        gateway: gateway.pid,
        'write store': native?.pid ?? engines.control.mongodb?.pid ?? 0,
        Elasticsearch: engines.control.elasticsearch?.pid ?? 0,
      };
      const bench: Bench = {
        ...sizes,
        variables,
        config,
        container,
        url: gateway.url,
        call: gateway.call,
        processes,
        say,
      };
      const merchants = await prepareMerchants(bench);
      const rows: Row[] = [];
      for (const part of parts) {
        say(`measuring: ${part}`);
        const measured = await PARTS[part](bench, merchants);
        // The figures so far stay when a later part fails.
        for (const { what, gateway: found, result } of measured) say(`  ${what}: ${found} ${result}`);
        rows.push(...measured);
      }
      const memory = gateway.memory();
      rows.push({
        what: 'memory of the gateway process after all that',
        gateway: `${memory.toFixed(0)} MiB`,
        reference: '',
        result: '',
        goal: `≤ ${MEMORY_GOAL_MIB} MiB`,
        isMet: memory <= MEMORY_GOAL_MIB,
      });
      process.stdout.write(`\n${table(rows)}\n`);
    } finally {
      container.get(platform.services).redis.disconnect();
      await container.get(platform.services).readStore.client.close();
      await container.get(platform.services).writeStore.client.close();
      await gateway.stop();
    }
  } finally {
    await engines.stop();
    await native?.stop();
  }
};

const isNative = (store: string | undefined): boolean => {
  if (store !== undefined && store !== 'native')
    throw new ConfigError('STORE must be native, or be left out.');
  return store === 'native';
};

const partsOf = (only: string | undefined): readonly Part[] => {
  const all = Object.keys(PARTS) as Part[];
  const wanted = only ? only.split(',') : all;
  const unknown = wanted.filter((part) => !all.includes(part as Part));
  if (unknown.length > 0) throw new ConfigError(`ONLY must name some of ${all.join(', ')}.`);
  return all.filter((part) => wanted.includes(part));
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const isPlain = error instanceof ConfigError;
    process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
