import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../../scripts/engines/probe.ts';
import { openReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { aCardRequest } from '../builders.ts';
import { newDataDir } from '../support/data-dir.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { BY_TENANT, removeData, startTestGateway, testVariables } from '../support/gateway.ts';
import { PRODUCTION } from '../support/production.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { someOf, volume } from '../support/volume.ts';

const MAIN = 'dist/src/main/main.js';
const RUN = 'dist/scripts/run.js';

/** The variables of a gateway of its own on the servers of the tests, as a server process gets them. */
const variablesFor = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...testVariables(),
  PORT: '0',
  ...changes,
});

/** How a start that must fail ends, and what it says. */
const refusal = async (
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly message: string }> => {
  const program = startProgram(script, variables);
  const code = await program.ended;
  return { code, message: program.stderr().trim() };
};

const listening = async (program: Program): Promise<string> =>
  (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
const welcomed = async (program: Program): Promise<string> =>
  (await untilPrinted(program, /Portico is ready: (http\S+)[\s\S]*Ctrl-C/, 120_000))[1] ?? '';

const createCharge = async (url: string, key: string, reference: string): Promise<Response> =>
  fetch(`${url}/v1/charges`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(aCardRequest({ reference })),
  });

/** A merchant's key, made by a gateway in this process that is gone when the processes of the test start. */
const prepareMerchant = async (variables: Readonly<Record<string, string>>): Promise<string> => {
  const gateway = await startTestGateway(variables);
  const { testKey } = await gateway.createMerchant();
  await gateway.stop({ keepData: true });
  return testKey;
};

/** The stores behind these variables, to look into from outside. */
const openStores = (variables: Readonly<Record<string, string>>) => {
  const writeStore = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
  const readStore = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
  return {
    db: writeStore.db,
    readStore,
    async end() {
      await writeStore.client.close();
      await readStore.client.close();
      await removeData(variables);
    },
  };
};

jest.setTimeout(180_000);
beforeAll(buildProgram);
afterEach(endPrograms);

describe('a start with wrong settings', () => {
  it('names every variable that is missing, in one message', async () => {
    const { code, message } = await refusal(MAIN, { NODE_ENV: 'production' });
    expect(code).toBe(1);
    expect(message.split('\n')).toHaveLength(1);
    for (const name of [
      'MONGODB_URI',
      'ELASTICSEARCH_NODE',
      'REDIS_URL',
      'JWT_SECRET',
      'SECRETS_KEY',
      'KEY_PEPPER',
    ])
      expect(message).toContain(name);
  });

  it('names every variable that is wrong, in one message', async () => {
    const wrong = {
      PORT: '70000',
      ROLE: 'both',
      MONGODB_URI: 'http://localhost',
      REDIS_URL: 'localhost',
      JWT_SECRET: 'short',
      TLS_CERT: 'cert.pem',
      TRUSTED_PROXIES: 'nobody',
      LOG_LEVEL: 'loud',
      HOST: '0.0.0.0',
    };
    const { code, message } = await refusal(MAIN, variablesFor({ ...wrong, NODE_ENV: 'development' }));
    expect(code).toBe(1);
    expect(message.split('\n')).toHaveLength(1);
    for (const name of [...Object.keys(wrong), 'TLS_KEY']) expect(message).toContain(name);
  });

  it('is refused in development where others could reach the port', async () => {
    for (const HOST of someOf(['0.0.0.0', '::', '192.168.1.10'], 1)) {
      const { code, message } = await refusal(MAIN, variablesFor({ NODE_ENV: 'development', HOST }));
      expect(code).toBe(1);
      expect(message).toMatch(/^Wrong configuration: HOST must be a loopback address.*$/);
    }
  });

  it('is refused in production while there is no operator and no credentials for the first one', async () => {
    const { BOOTSTRAP_OPERATOR_EMAIL: _, BOOTSTRAP_OPERATOR_PASSWORD: __, ...production } = PRODUCTION;
    const variables = variablesFor(production);
    const stores = openStores(variables);
    const { code, message } = await refusal(MAIN, variables);
    expect(code).toBe(1);
    expect(message.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
      expect.stringMatching(/BOOTSTRAP_OPERATOR_EMAIL and BOOTSTRAP_OPERATOR_PASSWORD/),
    ]);
    await stores.end();
  });

  it('names the port in a sentence where another program has it', async () => {
    const variables = variablesFor();
    const stores = openStores(variables);
    const first = startProgram(MAIN, variables);
    const port = new URL(await listening(first)).port;
    const { code, message } = await refusal(MAIN, { ...variables, PORT: port });
    expect(code).toBe(1);
    expect(message).toMatch(new RegExp(`^Another program listens on 127\\.0\\.0\\.1:${port}: .*PORT\\.$`));
    await endPrograms();
    await stores.end();
  });
});

describe('SIGTERM', () => {
  it('lets requests in flight finish, then ends the process with 0 within ten seconds', async () => {
    const variables = variablesFor({ SIMULATOR_LATENCY_MS: '1500', PROVIDER_TIMEOUT_MS: '5000' });
    const key = await prepareMerchant(variables);
    const stores = openStores(variables);
    const program = startProgram(MAIN, variables);
    const url = await listening(program);

    const references = ['first', 'second', 'third', 'fourth'];
    const answers = references.map((reference) => createCharge(url, key, reference));
    await eventually('all requests are in flight', async () => {
      return (await stores.db.collection('charges').countDocuments()) === references.length;
    });
    const signalledAt = performance.now();
    program.signal('SIGTERM');
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(201);
      expect(await answer.json()).toMatchObject({ status: 'paid' });
    }
    expect(await program.ended).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(10_000);
    expect(await stores.db.collection('charges').countDocuments({ status: 'paid' })).toBe(references.length);
    await expect(createCharge(url, key, 'late')).rejects.toThrow();
    await stores.end();
  });
});

describe('processes with roles', () => {
  it('work together, and two workers project, fold and settle what the API records', async () => {
    const variables = variablesFor({ PROVIDER_TIMEOUT_MS: '1000' });
    const key = await prepareMerchant(variables);
    const stores = openStores(variables);
    const worker = startProgram(MAIN, { ...variables, ROLE: 'worker' });
    const api = startProgram(MAIN, { ...variables, ROLE: 'api' });
    const url = await listening(api);
    const [, workerUrl] = await untilPrinted(worker, /listening on (http\S+) .*this is a worker/);
    expect((await fetch(`${workerUrl}/health/ready`)).status).toBe(200);
    expect((await fetch(`${workerUrl}/v1/charges`)).status).toBe(404);
    const list = async (): Promise<{ total: number }> => {
      const response = await fetch(`${url}/v1/charges`, {
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
          'x-consistency-token': 'latest',
        },
      });
      return response.status === 200 ? ((await response.json()) as { total: number }) : { total: -1 };
    };

    const MANY = volume({ usual: 12, proof: 30 });
    let created = 0;
    const createMany = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        created += 1;
        expect((await createCharge(url, key, `role-${created}`)).status).toBe(201);
      }
    };
    await createMany(volume({ usual: 5, proof: 10 }));
    await eventually('one worker shows all', async () => (await list()).total === created);
    // Prometheus asks the worker for its work: the API's process knows nothing of it.
    expect(await (await fetch(`${workerUrl}/metrics`)).text()).toMatch(
      /portico_outbox_rows_done_total\{consumer="[^"]+"\} [1-9]/,
    );

    // The second joins while the first is at work, and the first leaves while the second is.
    const second = startProgram(MAIN, { ...variables, ROLE: 'worker' });
    await Promise.all([createMany(MANY), untilPrinted(second, /this is a worker/)]);
    await eventually('two workers show all', async () => (await list()).total === created);
    await Promise.all([createMany(MANY), sleep(100).then(() => worker.signal('SIGTERM'))]);
    expect(await worker.ended).toBe(0);
    await eventually('the other worker shows all', async () => (await list()).total === created);
    expect(await differencesWithin(stores, 30_000)).toEqual([]);

    for (const program of [api, second]) program.signal('SIGTERM');
    expect(await Promise.all([api.ended, second.ended])).toEqual([0, 0]);
    await stores.end();
  });
});

describe('make run', () => {
  const dataDir = newDataDir('run');
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const keysIn = (text: string): string[] => text.match(/(test|live) key +sk_\S+/g) ?? [];

  it('prints lines that work as they are, refuses a second start beside it, and comes back with its keys', async () => {
    const [PORT = 0, other = 0] = await freePorts(2);
    const variables = { ...BY_TENANT, DATA_DIR: dataDir, PORT: String(PORT) };
    const first = startProgram(RUN, variables);
    const url = await welcomed(first);
    expect(keysIn(first.stdout())).toHaveLength(2);

    const [create, list, refund] = first.stdout().match(/^curl .*$/gm) ?? [];
    const paste = async (line: string | undefined): Promise<Record<string, unknown>> =>
      JSON.parse((await promisify(execFile)('bash', ['-c', line ?? 'false'])).stdout);
    const created = await paste(create);
    expect(created).toMatchObject({ status: 'paid', amount: 129.9 });
    expect(await paste(list)).toMatchObject({ data: [{ id: created.id }, {}, {}] });
    expect(await paste(refund)).toMatchObject({ status: 'refunded' });

    const beside = await refusal(RUN, { ...variables, PORT: String(other) });
    expect(beside.code).toBe(1);
    expect(beside.message).toMatch(/^Another Portico \(process \d+\) is using \S+: stop it, or choose .*\.$/);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    const second = startProgram(RUN, variables);
    await welcomed(second);
    expect(keysIn(second.stdout())).toEqual(keysIn(first.stdout()));
    const [, listAgain] = second.stdout().match(/^curl .*$/gm) ?? [];
    const page = await paste(listAgain?.replace('size=3', 'size=100'));
    expect((page.data as { id: string }[]).map((charge) => charge.id)).toContain(created.id);
    second.signal('SIGTERM');
    expect(await second.ended).toBe(0);
  });
});
