import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '../../config/environments.ts';
import { attachOrStartEngines } from '../../scripts/engines/engines.ts';
import { freePorts } from '../../scripts/engines/probe.ts';
import { DIFFERENCES } from '../../src/modules/ledger-check/differences.store.ts';
import { openReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { newDataDir } from '../support/data-dir.ts';
import { differencesWithin, type Stores } from '../support/find-differences.ts';
import { BY_TENANT, OPERATOR, startTestGateway } from '../support/gateway.ts';
import { ANTICIPATION } from '../support/ledger-tools.ts';
import { newPromises, type Promises, startLoad } from '../support/load.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { brokenPromises } from '../support/promises.ts';
import { volume } from '../support/volume.ts';

const KILLS = volume({ usual: 2, proof: 52 });
const KILLS_OF_ONE = volume({ usual: 2, proof: 16 });
const CLIENTS = volume({ usual: 4, proof: 64 });
/** Every other kill comes while the program is still starting. */
const isDuringStart = (kill: number): boolean => kill % 2 === 0;

const dataDir = newDataDir('kill');
jest.setTimeout(volume({ usual: 420_000, proof: 3_600_000 }));
beforeAll(buildProgram);
afterAll(async () => {
  await endPrograms();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The stores of the program that runs on `dataDir`, looked into from outside. */
const openStores = async () => {
  const { mongodbUri, elasticsearchNode } = await attachOrStartEngines({
    dataDir,
    progress: () => undefined,
  });
  const { MONGODB_DATABASE, KEY_PREFIX } = environments.development;
  const writeStore = openWriteStore(mongodbUri, MONGODB_DATABASE);
  const readStore = openReadStore(elasticsearchNode, `${KEY_PREFIX}-`);
  return {
    db: writeStore.db,
    readStore,
    async close() {
      await writeStore.client.close();
      await readStore.client.close();
    },
  };
};

/**
 * An operator's token for the test environment, in which alerts and a merchant's anticipations cost a fee from now on.
 */
const prepareFees = async (url: string, merchantId?: string): Promise<string> => {
  const send = async (
    method: 'POST' | 'PUT',
    path: string,
    body: object,
    token = '',
  ): Promise<{ accessToken: string }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { accessToken: string };
  };
  const { accessToken } = await send('POST', '/v1/auth/login', { ...OPERATOR, environment: 'test' });
  const fee = { name: 'chargeback_alert_fee', content: { amount: 2.5, currency: 'BRL' } };
  await send('POST', '/v1/admin/settings', fee, accessToken);
  if (merchantId)
    await send('PUT', `/v1/admin/merchants/${merchantId}/fee-definitions`, [ANTICIPATION], accessToken);
  return accessToken;
};

/** Waits until clients have been promised some more of everything. */
const untilMore = ({ charges, refunds, alerts, anticipations }: Promises): Promise<void> => {
  const wanted = [charges, refunds, alerts, anticipations].map((kind, index) => ({
    kind,
    size: kind.size + (index === 0 ? 6 : 1),
  }));
  return eventually(
    'charges, refunds, alerts and anticipations are made',
    () => wanted.every(({ kind, size }) => kind.size >= size),
    120_000,
  );
};

const expectKept = async (promises: Promises, stores: Stores): Promise<void> => {
  expect(await differencesWithin(stores, 90_000)).toEqual([]);
  expect(await brokenPromises(stores.db, promises)).toEqual([]);
  // Nothing that a kill left half done ever looked like a difference to the workers, not even for a moment.
  expect(await stores.db.collection(DIFFERENCES).find().toArray()).toEqual([]);
};

describe('a program that is killed again and again under load', () => {
  it('keeps every promise and leaves nothing torn, without anybody helping', async () => {
    const [PORT = 0] = await freePorts(1);
    // The shorter provider time-out lets the reconciler resolve what one kill tore while the next one comes.
    const variables = { ...BY_TENANT, DATA_DIR: dataDir, PORT: String(PORT), PROVIDER_TIMEOUT_MS: '1000' };
    const start = (): Program => startProgram('dist/scripts/run.js', variables);
    const ready = (program: Program): Promise<RegExpExecArray> =>
      untilPrinted(program, /Portico is ready: (\S+)[\s\S]*test key +(\S+)[\s\S]*Ctrl-C/, 120_000);

    let program = start();
    const [, url = '', key = ''] = await ready(program);
    const operatorToken = await prepareFees(url);
    const promises = newPromises();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (isDuringStart(kill)) {
        await sleep(Math.random() * 5_000);
        program.signal('SIGKILL');
      } else {
        await ready(program);
        const load = startLoad({
          urls: [url],
          key,
          clients: CLIENTS,
          operatorToken,
          anticipates: true,
          promises,
        });
        await untilMore(promises);
        await sleep(Math.random() * 2_000);
        program.signal('SIGKILL');
        await program.ended;
        await load.stop();
      }
      expect(await program.ended).toBe('SIGKILL');
      program = start();
    }
    await ready(program);

    const stores = await openStores();
    try {
      await expectKept(promises, stores);
      expect(promises.outages).toBeGreaterThan(0);
    } finally {
      await stores.close();
    }
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});

describe('two APIs and two workers, one of which is killed again and again under load', () => {
  type Process = { readonly program: Program; readonly url: string };

  it('keep every promise, and the others do the work of the killed one until it is back', async () => {
    // Sets up and looks on: no client of the load comes to it, and it does no worker's work.
    const gateway = await startTestGateway({ ...BY_TENANT, ROLE: 'api', OUTBOX_SHARDS: '4' });
    const start = async (role: string): Promise<Process> => {
      const program = startProgram('dist/src/main/main.js', { ...gateway.variables, ROLE: role });
      const [, url = ''] = await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
      return { program, url };
    };
    const isWorkOlderThan = async (time: Date): Promise<boolean> =>
      (await gateway.db.collection(OUTBOX).findOne({ createdAt: { $lt: time } })) !== null;

    const { id, testKey: key } = await gateway.createMerchant();
    const operatorToken = await prepareFees(gateway.url, id);
    const roles = ['api', 'api', 'worker', 'worker'];
    const processes = await Promise.all(roles.map(start));
    const urls = processes.slice(0, 2).map(({ url }) => url);
    const promises = newPromises();
    const load = startLoad({ urls, key, clients: CLIENTS, operatorToken, anticipates: true, promises });
    for (let kill = 0; kill < KILLS_OF_ONE; kill += 1) {
      // In turns one of the APIs and one of the workers, whichever.
      const index = (kill % 2) * 2 + Math.floor(Math.random() * 2);
      const victim = processes[index]?.program;
      await untilMore(promises);
      await sleep(Math.random() * 1_000);
      victim?.signal('SIGKILL');
      expect(await victim?.ended).toBe('SIGKILL');
      const killedAt = new Date();
      await untilMore(promises);
      if (roles[index] === 'worker')
        await eventually(
          'the other worker does all',
          async () => !(await isWorkOlderThan(killedAt)),
          120_000,
        );
      const restarted = await start(roles[index] ?? '');
      processes[index] = restarted;
      if (index < urls.length) urls[index] = restarted.url;
    }
    await load.stop();

    await expectKept(promises, gateway);
    expect(promises.outages).toBeGreaterThan(0);
    for (const { program } of processes) program.signal('SIGTERM');
    expect(await Promise.all(processes.map(({ program }) => program.ended))).toEqual([0, 0, 0, 0]);
    await gateway.stop();
  });
});

describe('two processes under one parent, one of which is killed under load', () => {
  it('keep every promise, and the parent starts the killed one again, adds up metrics and stops both', async () => {
    const gateway = await startTestGateway({ ...BY_TENANT, ROLE: 'api' });
    const variables = {
      ...gateway.variables,
      ROLE: 'all',
      PROCESSES: '2',
      LOG_LEVEL: 'info',
      METRICS_TOKEN: '',
    };
    const program = startProgram('dist/src/main/main.js', variables);
    const [, url = ''] = await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
    const pids = (): readonly number[] =>
      program
        .stdout()
        .split('\n')
        .filter((line) => line.includes('a process listens'))
        .map((line) => Number(JSON.parse(line).pid));
    /** The sum of a counter, as the processes tell it together. */
    const total = async (name: string): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const values = text.split('\n').filter((line) => line.startsWith(`${name}{`));
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    };

    const { id, testKey: key } = await gateway.createMerchant();
    const operatorToken = await prepareFees(gateway.url, id);
    const promises = newPromises();
    const load = startLoad({
      urls: [url],
      key,
      clients: CLIENTS,
      operatorToken,
      anticipates: true,
      promises,
    });
    const killed = new Set<number>();
    expect(pids()).toHaveLength(2);
    for (let kill = 1; kill <= KILLS_OF_ONE / 2; kill += 1) {
      await untilMore(promises);
      const alive = pids().filter((pid) => !killed.has(pid));
      const victim = alive[kill % 2] ?? 0;
      process.kill(victim, 'SIGKILL');
      killed.add(victim);
      await untilMore(promises);
      await eventually('the dead one is back', () => pids().length === 2 + kill, 120_000);
    }
    await untilMore(promises);
    const events = promises.charges.size;
    await load.stop();
    expect(await total('portico_http_request_seconds_count')).toBeGreaterThan(0);
    expect(await total('portico_events_total')).toBeGreaterThan(0);
    expect(events).toBeGreaterThan(0);

    // The other process takes what comes while one is dead, so that a client may notice nothing.
    await expectKept(promises, gateway);
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await gateway.stop();
  });
});
