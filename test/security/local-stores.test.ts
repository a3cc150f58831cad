import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import {
  attachOrStartEngines,
  type EngineName,
  type EngineOptions,
  type Engines,
  startEngines,
} from '../../scripts/engines/engines.ts';
import { newDataDir } from '../support/data-dir.ts';

jest.setTimeout(240_000);

const dataDir = newDataDir('data');
const options: EngineOptions = { dataDir, progress: () => undefined };
let engines: Engines;
beforeAll(async () => {
  engines = await startEngines(options);
});
afterAll(async () => {
  await engines.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const askRedis = async (url: string): Promise<string> => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => undefined);
  try {
    return await redis.ping();
  } catch (error) {
    return (error as Error).message;
  } finally {
    redis.disconnect();
  }
};

const withMongo = async <T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = new MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};
const askMongo = (uri: string): Promise<string> =>
  withMongo(uri, async (client) =>
    JSON.stringify(await client.db('any').collection('any').findOne({})),
  ).catch((error: Error) => error.message);

const fetchElastic = (node: string, path: string): Promise<Response> => {
  const { origin, username, password } = new URL(node);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return fetch(`${origin}${path}`, { headers: username ? { authorization } : {} });
};
const askElastic = async (node: string): Promise<number> =>
  (await fetchElastic(node, '/_cat/indices')).status;
/** Where it listens for other nodes. */
const nodePort = async (): Promise<number> => {
  type Nodes = { readonly nodes: Readonly<Record<string, { readonly transport_address: string }>> };
  const answer = await fetchElastic(engines.elasticsearchNode, '/_nodes/transport');
  const [node] = Object.values(((await answer.json()) as Nodes).nodes);
  return Number(node?.transport_address.split(':')[1]);
};

const address = (name: EngineName): string =>
  ({ mongodb: engines.mongodbUri, elasticsearch: engines.elasticsearchNode, redis: engines.redisUrl })[name];
const without = (url: string): string => url.replace(/\/\/.*@/, '//');
const guessed = (url: string): string => url.replace(/:[^:@/]*@/, ':guessed@');

describe('a local server', () => {
  it('keeps its files from other users of the machine', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const files = ['redis/valkey.conf', 'mongodb/portico.password', 'elasticsearch/portico.password'];
    for (const file of [...files, 'engines.1.json'])
      expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
  });

  it.each<EngineName>(['mongodb', 'elasticsearch', 'redis'])(
    '(%s) has a password of its own, which its command line and its log do not show',
    (name) => {
      const { hostname, password } = new URL(address(name));
      expect(hostname).toBe('127.0.0.1');
      expect(password).toMatch(/^[\w-]{32}$/);
      expect(readFileSync(join(dataDir, 'logs', `${name}.log`), 'utf8')).not.toContain(password);
      if (process.platform !== 'linux') return;
      const commandLine = readFileSync(`/proc/${engines.control[name]?.pid}/cmdline`, 'utf8');
      expect(commandLine).not.toBe('');
      expect(commandLine).not.toContain(password);
    },
  );

  it('of the queues answers nobody without the password', async () => {
    expect(await askRedis(engines.redisUrl)).toBe('PONG');
    expect(await askRedis(without(engines.redisUrl))).toContain('NOAUTH');
    expect(await askRedis(guessed(engines.redisUrl))).toMatch(/NOAUTH|WRONGPASS/);
  });

  it('of the write store answers nobody without the password', async () => {
    expect(await askMongo(engines.mongodbUri)).toBe('null');
    expect(await askMongo(without(engines.mongodbUri))).toContain('requires authentication');
    expect(await askMongo(guessed(engines.mongodbUri))).toMatch(/authentication failed/i);
  });

  it('of the read store answers nobody without the password, and no other node', async () => {
    expect(await askElastic(engines.elasticsearchNode)).toBe(200);
    expect(await askElastic(without(engines.elasticsearchNode))).toBe(401);
    expect(await askElastic(guessed(engines.elasticsearchNode))).toBe(401);
    const port = await nodePort();
    expect(port).not.toBe(Number(new URL(engines.elasticsearchNode).port));
    const answer = await new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1');
      let said = '';
      socket.on('data', (data) => {
        said += String(data);
      });
      socket.on('error', () => undefined).on('close', () => done(said));
      // A whole message of its protocol, which it would answer otherwise.
      socket.on('connect', () => socket.write(Buffer.from('455300000013', 'hex')));
    });
    expect(answer).toBe('');
  });

  it('is open to who may read its folder, as the tools that attach to a running gateway do', async () => {
    const attached = await attachOrStartEngines(options);
    expect(attached.mongodbUri).toBe(engines.mongodbUri);
    expect(await askMongo(attached.mongodbUri)).toBe('null');
    expect(await askElastic(attached.elasticsearchNode)).toBe(200);
    expect(await askRedis(attached.redisUrl)).toBe('PONG');
    await attached.stop();
    expect(await askMongo(engines.mongodbUri)).toBe('null');
  });

  it('comes back with its data and another password after a crash', async () => {
    const before = engines.mongodbUri;
    await withMongo(before, (client) => client.db('kept').collection('kept').insertOne({ n: 1 }));
    await Promise.all(Object.values(engines.control).map((server) => server.kill()));
    await engines.stop();
    for (const name of ['mongodb', 'elasticsearch'])
      writeFileSync(join(dataDir, name, 'portico.password'), 'half writ');
    engines = await startEngines(options);
    expect(new URL(engines.mongodbUri).password).not.toBe(new URL(before).password);
    const kept = await withMongo(engines.mongodbUri, (client) =>
      client
        .db('kept')
        .collection('kept')
        .findOne({}, { projection: { _id: 0 } }),
    );
    expect(kept).toEqual({ n: 1 });
    expect(await askElastic(engines.elasticsearchNode)).toBe(200);
  });
});
