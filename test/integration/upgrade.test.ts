import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { pollUntil } from '../support/client.ts';
import { newDataDir } from '../support/data-dir.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { OPERATOR, removeData, testVariables } from '../support/gateway.ts';
import { buildCommit, lastRelease } from '../support/last-release.ts';
import { startLoad } from '../support/load.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { brokenPromises } from '../support/promises.ts';
import { assertTenantsNamed } from '../support/tenants.ts';

const CLIENTS = 4;
/**
 * As by default, commands of all tenants share transactions. The last release names no tenant, so none can be asked for.
 * Views of what it wrote are mended when they are checked.
 */
const variables = testVariables({ COMMIT_GROUPS: 'all', VIEW_CHECK_SECONDS: '1' });
const dataDir = newDataDir('upgrade');
const release = lastRelease();
/** Where the compiled sources of each version are. */
let last = '';

jest.setTimeout(900_000);
beforeAll(async () => {
  await buildProgram();
  if (release !== null) last = buildCommit(release);
});
afterAll(async () => {
  await endPrograms();
  await removeData(variables);
  if (last) rmSync(last, { recursive: true });
  rmSync(dataDir, { recursive: true, force: true });
});

type Process = { readonly program: Program; readonly url: string };

const start = async (folder: string, role: 'api' | 'worker'): Promise<Process> => {
  const program = startProgram(`${folder}/dist/src/main/main.js`, { ...variables, ROLE: role });
  const [, url = ''] = await untilPrinted(program, /Portico is listening on (\S+)/, 120_000);
  return { program, url };
};

const nameTenants = (): Program =>
  startProgram('dist/scripts/tenants.js', { ...variables, DATA_DIR: dataDir });

const untilNamed = async (): Promise<void> => {
  const program = nameTenants();
  expect([await program.ended, program.stderr()]).toEqual([0, '']);
};

const stop = async ({ program }: Process): Promise<void> => {
  program.signal('SIGTERM');
  expect(await program.ended).toBe(0);
};

const post = async (url: string, path: string, body: object, token = '') => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string; accessToken: string; secretKey: string };
};

const createKey = async (url: string): Promise<string> => {
  const { accessToken } = await post(url, '/v1/auth/login', { ...OPERATOR, environment: 'test' });
  const fields = { legalName: 'Loja', email: 'loja@example.test', role: 'Merchant' };
  const { id } = await post(url, '/v1/admin/merchants', fields, accessToken);
  const keys = `/v1/admin/merchants/${id}/api-keys`;
  return (await post(url, keys, { livemode: false }, accessToken)).secretKey;
};

const LISTS = ['/v1/charges?size=5', '/v1/statement?size=5', '/v1/refunds?size=5', '/v1/balance'];

/** Asks again, because a view on a busy machine may take longer than a request waits. */
const isToBeSentAgain = (status: number, text: string): boolean =>
  status === 503 && text.includes('is not up to date yet');

/** Reads as a merchant does, up to date at each second try, until it is stopped. Notes each answer that is not 200. */
const startReading = (urls: readonly string[], key: string) => {
  const failures: string[] = [];
  let reads = 0;
  let stopped = false;
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const ask = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    return { status: response.status, text: await response.text() };
  };
  const read = async (): Promise<void> => {
    for (; !stopped; reads += 1) {
      const path = LISTS[reads % LISTS.length] ?? '';
      const url = urls[Math.floor(reads / (2 * LISTS.length)) % urls.length] ?? '';
      const isLatest = Math.floor(reads / LISTS.length) % 2 === 0 && path !== '/v1/balance';
      const headers = { authorization, ...(isLatest ? { 'X-Consistency-Token': 'latest' } : {}) };
      try {
        const { status, text } = await pollUntil(
          () => ask(url + path, headers),
          (answer) => !(isLatest && isToBeSentAgain(answer.status, answer.text)),
        );
        if (status !== 200) failures.push(`${path} ${status} ${text}`);
      } catch (error) {
        failures.push(`${path} ${error}`);
      }
      await sleep(150);
    }
  };
  const reading = read();
  return {
    failures,
    count: () => reads,
    async stop() {
      stopped = true;
      await reading;
    },
  };
};

/** A copy of the sources without their history knows no earlier version. */
const inAClone = release === null ? it.skip : it;

describe('an upgrade from the last release, side by side on one store', () => {
  inAClone('fails no request, and nothing is missing, doubled or shown differently afterwards', async () => {
    const [oldWorker, oldApi] = [await start(last, 'worker'), await start(last, 'api')];
    const urls = [oldApi.url];
    const key = await createKey(oldApi.url);
    const load = startLoad({ urls, key, clients: CLIENTS });
    const reading = startReading(urls, key);
    const { promises } = load;
    const untilMore = (): Promise<void> => {
      const [charges, refunds, reads] = [promises.charges.size, promises.refunds.size, reading.count()];
      return eventually(
        'both versions are at work',
        () =>
          promises.charges.size > charges + 10 &&
          promises.refunds.size > refunds &&
          reading.count() > reads + 2 * LISTS.length,
        120_000,
      );
    };

    await untilMore();
    const newWorker = await start('.', 'worker');
    const views = startProgram('dist/scripts/await-views.js', variables);
    expect(await views.ended).toBe(0);
    await stop(oldWorker);
    await untilMore();
    const newApi = await start('.', 'api');
    urls.push(newApi.url);
    // Killed in the middle, and run to its end while both versions go on.
    const killed = nameTenants();
    await eventually('it names some', () => killed.stdout() !== '' || killed.stderr() !== '');
    killed.signal('SIGKILL');
    await killed.ended;
    await untilNamed();
    await untilMore();
    // The balancer sends nothing more to the old one; what is in flight, it finishes.
    urls.shift();
    await stop(oldApi);
    await untilMore();
    // Names what the last release has added since.
    await untilNamed();
    await Promise.all([load.stop(), reading.stop()]);

    expect(reading.failures).toEqual([]);
    expect(promises.unexpected).toEqual([]);
    expect(promises.outages).toBe(0);
    const writeStore = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
    const readStore = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
    try {
      expect(await differencesWithin({ db: writeStore.db, readStore }, 300_000)).toEqual([]);
      expect(await brokenPromises(writeStore.db, promises)).toEqual([]);
      await assertTenantsNamed(writeStore.db);
    } finally {
      await readStore.client.close();
      await writeStore.client.close();
    }
    await Promise.all([stop(newApi), stop(newWorker)]);
  });
});
