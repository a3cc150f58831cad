import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '../../config/environments.ts';
import { attachOrStartEngines } from '../../scripts/engines/engines.ts';
import { freePorts } from '../../scripts/engines/probe.ts';
import { openReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { auditWithin } from '../support/audit.ts';
import { OPERATOR } from '../support/gateway.ts';
import { newPromises, startLoad } from '../support/load.ts';
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

const KILLS = volume({ usual: 3, proof: 15 });
const CLIENTS = 6;
/** Every third kill comes while the program is still starting. */
const isDuringStart = (kill: number): boolean => kill % 3 === 0;

const dataDir = mkdtempSync(join(tmpdir(), 'portico-kill-'));
jest.setTimeout(420_000);
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
        const load = startLoad({ url, key, clients: CLIENTS, operatorToken, promises });
        const { charges, refunds, alerts } = promises;
        const known = { charges: charges.size + 5, refunds: refunds.size, alerts: alerts.size };
        await eventually(
          'charges, refunds and alerts are made',
          () => charges.size > known.charges && refunds.size > known.refunds && alerts.size > known.alerts,
          120_000,
        );
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
      expect(await auditWithin(stores, 90_000)).toEqual([]);
      expect(await brokenPromises(stores.db, promises)).toEqual([]);
      expect(promises.outages).toBeGreaterThan(0);
    } finally {
      await stores.close();
    }
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});
