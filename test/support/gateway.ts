import type { Container } from 'inversify';
import { MongoClient } from 'mongodb';
import type { Response, Test } from 'supertest';
import { newCommitId } from '../../src/kernel/ids.ts';
import { loadConfig } from '../../src/main/config.ts';
import { type Gateway, startGateway } from '../../src/main/gateway.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { type Database, databaseOf } from '../../src/platform/write-store/database.ts';
import { callAt, type Method } from './call.ts';
import { assertStepsKnown } from './recorded-steps.ts';
import { assertListed, OF_TESTS, watchStatements } from './statements.ts';
import { assertWithinTenants, watchTransactions } from './tenants.ts';

export const OPERATOR = { email: 'operator@portico.test', password: 'portico-demo' };
const SECRET = 'a secret of the tests that is long enough to be one';

/** A merchant of the tests, with its keys in both environments. */
export type TestMerchant = {
  readonly id: string;
  readonly testKey: string;
  readonly liveKey: string;
  readonly publicKey: string;
  readonly livePublicKey: string;
};

export type TestGateway = {
  readonly url: string;
  readonly container: Container;
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly variables: Readonly<Record<string, string>>;
  /** Calls the API; the answer is checked against the OpenAPI document. */
  call(method: Method | 'head', path: string): Test;
  /** The operator's token for the live or the test environment. */
  operatorToken(environment?: 'live' | 'test'): Promise<string>;
  createMerchant(fields?: Readonly<Record<string, unknown>>): Promise<TestMerchant>;
  /** Creates a merchant that may have sub-merchants. */
  createMaster(fields?: Readonly<Record<string, unknown>>): Promise<TestMerchant>;
  /** Replaces the fee definitions of a merchant. */
  setFees(merchantId: string, fees: readonly object[]): Promise<void>;
  /** Stops the gateway and drops its database, unless another gateway is to continue with it. */
  stop(options?: { readonly keepData: boolean }): Promise<void>;
};

/**
 * Variables of a gateway with a database and names of its own on the shared servers. It works as on a sharded cluster,
 * so that `startTestGateway` and `startProgram` can check its statements by the rules for one.
 */
export const testVariables = (
  overrides: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => {
  const name = `t-${newCommitId().slice(-16)}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URI: process.env.MONGODB_URI ?? '',
    ELASTICSEARCH_NODE: process.env.ELASTICSEARCH_NODE ?? '',
    REDIS_URL: process.env.REDIS_URL ?? '',
    MONGODB_DATABASE: name,
    KEY_PREFIX: name,
    COMMIT_GROUPS: 'tenant',
    JWT_SECRET: SECRET,
    SECRETS_KEY: SECRET,
    KEY_PEPPER: SECRET,
    ...overrides,
  };
};

/** Settings of a gateway as on a sharded cluster, which waits for its stores as long as in production. */
export const BY_TENANT = { COMMIT_GROUPS: 'tenant', COMMAND_TIMEOUT_MS: '8000' } as const;

/**
 * Long enough for no command to get a 503 for lack of time on a busy machine; with this option none for lack of a
 * connection either.
 */
const PATIENCE_MS = '60000';
const WAITING = `&waitQueueTimeoutMS=${PATIENCE_MS}`;

/** `make test` may set `VIEW_SHARDS=4` for all views of every gateway. */
const LAYOUT = {
  COMMAND_TIMEOUT_MS: PATIENCE_MS,
  ...(process.env.VIEW_SHARDS === undefined ? {} : { VIEW_SHARDS: process.env.VIEW_SHARDS }),
};

/**
 * Starts the whole program in this process on the servers of the tests. When it stops, it is checked that no
 * transaction spanned tenants, that each statement on a spread collection named its tenant or may search every shard,
 * and that each document stored there names its tenant.
 */
export const startTestGateway = async (
  overrides: Readonly<Record<string, string>> = {},
): Promise<TestGateway> => {
  const variables = testVariables({ ...LAYOUT, ...overrides });
  const config = loadConfig(variables);
  const waits = variables.COMMAND_TIMEOUT_MS === PATIENCE_MS;
  const options = `&monitorCommands=true${waits ? WAITING : ''}`;
  const gateway: Gateway = await startGateway({ ...config, mongodbUri: config.mongodbUri + options });
  const { container, url } = gateway;
  const { client } = container.get(platform.services).writeStore;
  const transactions = watchTransactions(client);
  const statements = watchStatements(client, container.get(platform.services).scanStore.client);
  const db = databaseOf(client.db(config.mongodbDatabase, OF_TESTS));
  const { readStore } = container.get(platform.services);

  const call: TestGateway['call'] = (method, path) => callAt(url, method, path);

  const tokens = new Map<string, { readonly token: string; readonly since: number }>();
  const operatorToken = async (environment: 'live' | 'test' = 'live'): Promise<string> => {
    const known = tokens.get(environment);
    // A session that is not used for a quarter of an hour ends.
    if (known && Date.now() - known.since < 600_000) return known.token;
    const { body } = await call('post', '/v1/auth/login')
      .send({ ...OPERATOR, environment })
      .expect(200);
    tokens.set(environment, { token: body.accessToken, since: Date.now() });
    return body.accessToken;
  };

  const created = { legalName: 'Loja Exemplo Ltda', email: 'loja@example.test', role: 'Merchant' };
  const admin = async (method: 'post' | 'put', path: string, body: object): Promise<Response['body']> => {
    const token = await operatorToken();
    const answer = await call(method, path).auth(token, { type: 'bearer' }).send(body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const createMerchant: TestGateway['createMerchant'] = async (fields = {}) => {
    const merchant = await admin('post', '/v1/admin/merchants', { ...created, ...fields });
    const keys = `/v1/admin/merchants/${merchant.id}/api-keys`;
    const test = await admin('post', keys, { livemode: false });
    const live = await admin('post', keys, { livemode: true });
    return {
      id: merchant.id,
      testKey: test.secretKey,
      liveKey: live.secretKey,
      publicKey: test.publicKey,
      livePublicKey: live.publicKey,
    };
  };

  return {
    url,
    container,
    db,
    readStore,
    variables,
    call,
    operatorToken,
    createMerchant,
    async createMaster(fields = {}) {
      const master = await createMerchant({ role: 'MerchantMaster', ...fields });
      await admin('post', `/v1/merchants/${master.id}/settings`, { name: 'enable_connect', content: true });
      return master;
    },
    async setFees(merchantId, fees) {
      await admin('put', `/v1/admin/merchants/${merchantId}/fee-definitions`, fees);
    },
    async stop(options) {
      await gateway.stop();
      if (!options?.keepData) {
        await assertStepsKnown(variables);
        await removeData(variables);
      }
      assertListed(statements());
      assertWithinTenants(transactions());
    },
  };
};

/** Removes the data of a gateway with these variables, once it has stopped. */
export const removeData = async (variables: Readonly<Record<string, string>>): Promise<void> => {
  // Servers of a single suite are gone soon, and may be stopped and started at any time.
  if (variables.ELASTICSEARCH_NODE === process.env.ELASTICSEARCH_NODE) await deleteIndexes(variables);
  // The data of a local server is removed after all tests. A killed program may have left a transaction open there, for
  // which dropping the database would wait.
  if (variables.MONGODB_URI !== process.env.GIVEN_MONGODB_URI) return;
  const client = new MongoClient(variables.MONGODB_URI ?? '');
  await client
    .db(variables.MONGODB_DATABASE)
    .dropDatabase()
    .finally(() => client.close());
};

/** Removes indexes, because those that stay are refreshed several times a second, and a server accepts only so many. */
const deleteIndexes = async (variables: Readonly<Record<string, string>>): Promise<void> => {
  const { client, prefix } = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
  try {
    const index = Object.keys(await client.indices.get({ index: `${prefix}*` }));
    if (index.length > 0) await client.indices.delete({ index, ignore_unavailable: true });
  } catch {
    // No test fails because its data could not be removed.
  } finally {
    await client.close();
  }
};

/** A gateway for all tests of a file. */
export const useGateway = (overrides: Readonly<Record<string, string>> = {}): (() => TestGateway) => {
  let gateway: TestGateway | null = null;
  // The machine may be busy with other suites, and no test is about speed.
  jest.setTimeout(300_000);
  beforeAll(async () => {
    gateway = await startTestGateway(overrides);
  }, 180_000);
  afterAll(() => gateway?.stop(), 120_000);
  return () => {
    if (!gateway) throw new Error('the gateway is not running');
    return gateway;
  };
};
