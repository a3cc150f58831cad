import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Engines, startEngines } from '../../scripts/engines/engines.ts';

jest.setTimeout(120_000);

const dataDir = mkdtempSync(join(tmpdir(), 'portico-data-'));
let engines: Engines;
beforeAll(async () => {
  engines = await startEngines({
    dataDir,
    given: { mongodbUri: process.env.MONGODB_URI, elasticsearchNode: process.env.ELASTICSEARCH_NODE },
    progress: () => undefined,
  });
});
afterAll(async () => {
  await engines.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = async (url: string): Promise<string> => {
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

describe('a local server', () => {
  it('keeps its files from other users of the machine', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'redis/valkey.conf')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'engines.1.json')).mode & 0o777).toBe(0o600);
  });

  it('of the queues answers nobody who has not its password, which its command line does not show', async () => {
    const { host, hostname, password } = new URL(engines.redisUrl);
    expect(hostname).toBe('127.0.0.1');
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(await ask(engines.redisUrl)).toBe('PONG');
    expect(await ask(`redis://${host}`)).toContain('NOAUTH');
    expect(await ask(`redis://:guessed@${host}`)).toMatch(/NOAUTH|WRONGPASS/);
    if (process.platform !== 'linux') return;
    const commandLine = readFileSync(`/proc/${engines.control.redis?.pid}/cmdline`, 'utf8');
    expect(commandLine).toContain('valkey');
    expect(commandLine).not.toContain(password);
  });
});
