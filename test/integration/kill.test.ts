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

const KILLS = 10;
const CLIENTS = 6;
/** Every third kill comes while the program is still starting. */
const isDuringStart = (kill: number): boolean => kill % 3 === 2;

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
    const promises = newPromises();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (isDuringStart(kill)) {
        await sleep(Math.random() * 5_000);
        program.signal('SIGKILL');
      } else {
        await ready(program);
        const load = startLoad({ url, key, clients: CLIENTS, promises });
        const acknowledged = promises.charges.size + 5;
        await eventually('charges are made', () => promises.charges.size > acknowledged);
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
      expect(promises.refunds.size).toBeGreaterThan(0);
      expect(promises.outages).toBeGreaterThan(0);
    } finally {
      await stores.close();
    }
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});
