import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '../../config/environments.ts';
import { attachOrStartEngines } from '../../scripts/engines/engines.ts';
import { freePorts } from '../../scripts/engines/probe.ts';
import { openReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { type Audited, auditWithin } from '../support/audit.ts';
import { OPERATOR, startTestGateway } from '../support/gateway.ts';
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

const KILLS = volume({ usual: 2, proof: 15 });
const KILLS_OF_ONE = volume({ usual: 2, proof: 16 });
const CLIENTS = 6;
/** Every other kill comes while the program is still starting. */
const isDuringStart = (kill: number): boolean => kill % 2 === 0;

const dataDir = mkdtempSync(join(tmpdir(), 'portico-kill-'));
jest.setTimeout(volume({ usual: 420_000, proof: 1_200_000 }));
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

/** An operator's token for the test environment, in which alerts cost a fee from now on. */
const prepareAlerts = async (url: string): Promise<string> => {
  const post = async (path: string, body: object, token = ''): Promise<{ accessToken: string }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { accessToken: string };
  };
  const { accessToken } = await post('/v1/auth/login', { ...OPERATOR, environment: 'test' });
  const fee = { name: 'chargeback_alert_fee', content: { amount: 2.5, currency: 'BRL' } };
  await post('/v1/admin/settings', fee, accessToken);
  return accessToken;
};

/** Waits until clients have been promised some more of everything. */
const untilMore = ({ charges, refunds, alerts }: Promises): Promise<void> => {
  const known = { charges: charges.size + 5, refunds: refunds.size, alerts: alerts.size };
  return eventually(
    'charges, refunds and alerts are made',
    () => charges.size > known.charges && refunds.size > known.refunds && alerts.size > known.alerts,
    120_000,
  );
};

const expectKept = async (promises: Promises, stores: Audited): Promise<void> => {
  expect(await auditWithin(stores, 90_000)).toEqual([]);
  expect(await brokenPromises(stores.db, promises)).toEqual([]);
  expect(promises.outages).toBeGreaterThan(0);
};

describe('a program that is killed again and again under load', () => {
  it('keeps every promise and leaves nothing torn, without anybody helping', async () => {
    const [PORT = 0] = await freePorts(1);
    // The shorter provider time-out lets the reconciler settle what one kill tore while the next one comes.
    const variables = { DATA_DIR: dataDir, PORT: String(PORT), PROVIDER_TIMEOUT_MS: '1000' };
    const start = (): Program => startProgram('dist/scripts/run.js', variables);
    const ready = (program: Program): Promise<RegExpExecArray> =>
      untilPrinted(program, /Portico is ready: (\S+)[\s\S]*test key +(\S+)[\s\S]*Ctrl-C/, 120_000);

    let program = start();
    const [, url = '', key = ''] = await ready(program);
    const operatorToken = await prepareAlerts(url);
    const promises = newPromises();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (isDuringStart(kill)) {
        await sleep(Math.random() * 5_000);
        program.signal('SIGKILL');
      } else {
        await ready(program);
        const load = startLoad({ urls: [url], key, clients: CLIENTS, operatorToken, promises });
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
    } finally {
      await stores.close();
    }
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});

describe('two APIs and two workers, one of which is killed again and again under load', () => {
  type Process = { readonly program: Program; readonly url: string };

  it('keep every promise, and the others do the work of the dead one until it is back', async () => {
    // Sets up and looks on: no client of the load comes to it, and it does no worker's work.
    const gateway = await startTestGateway({ ROLE: 'api' });
    const start = async (role: string): Promise<Process> => {
      const program = startProgram('dist/src/main/main.js', { ...gateway.variables, ROLE: role });
      const [, url = ''] = await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
      return { program, url };
    };
    const isWorkOlderThan = async (time: Date): Promise<boolean> =>
      (await gateway.db.collection(OUTBOX).findOne({ createdAt: { $lt: time } })) !== null;

    const { testKey: key } = await gateway.createMerchant();
    const operatorToken = await prepareAlerts(gateway.url);
    const roles = ['api', 'api', 'worker', 'worker'];
    const processes = await Promise.all(roles.map(start));
    const urls = processes.slice(0, 2).map(({ url }) => url);
    const promises = newPromises();
    const load = startLoad({ urls, key, clients: CLIENTS, operatorToken, promises });
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
    for (const { program } of processes) program.signal('SIGTERM');
    expect(await Promise.all(processes.map(({ program }) => program.ended))).toEqual([0, 0, 0, 0]);
    await gateway.stop();
  });
});
