import type { Test } from 'supertest';
import { callsOf } from '../support/calls.ts';
import { PATIENT } from '../support/client.ts';
import { useFaults } from '../support/faults.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { OPERATOR, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { eventually } from '../support/program.ts';
import { someOf } from '../support/volume.ts';

const { server, withSharedGateway } = useFaults(
  { mongodbUri: process.env.MONGODB_URI, elasticsearchNode: process.env.ELASTICSEARCH_NODE },
  PATIENT,
);

describe('while Redis is down', () => {
  it('everything goes on, logins included', async () => {
    await withSharedGateway(async (gateway, merchant) => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const login = (): Test => gateway.call('post', '/v1/auth/login').send(OPERATOR);
      for (const end of someOf(['kill', 'stop'] as const, 1)) {
        await server('redis')[end]();
        const { body: charge } = await create(end).expect(201);
        await refund(charge.id).expect(201);
        expect((await read(charge.id).expect(200)).body.status).toBe('refunded');
        await list().set('X-Consistency-Token', 'latest').expect(200);
        await login().expect(200);
        const { body: health } = await gateway.call('get', '/health/ready').expect(200);
        expect(health).toMatchObject({ status: 'degraded', stores: { redis: { status: 'degraded' } } });
        await server('redis').start();
        await eventually('redis is used again', async () => {
          return (await gateway.call('get', '/health/ready')).body.status === 'ok';
        });
        await login().expect(200);
      }
      expect(await differencesWithin(gateway, 30_000)).toEqual([]);
    });
  });
});

describe('limits', () => {
  it('count in Redis for all processes together, and in each by itself while Redis is down', async () => {
    await withSharedGateway(async (gateway) => {
      // On a busy machine Redis may take longer than usual, and would not be counted with.
      const settings = { ...gateway.variables, ROLE: 'api', REDIS_TIMEOUT_MS: '30000' };
      const processes = await Promise.all([startTestGateway(settings), startTestGateway(settings)]);
      const login = async ({ call }: TestGateway): Promise<number> =>
        (await call('post', '/v1/auth/login').send({ ...OPERATOR, password: 'wrong password' })).status;
      try {
        const [one, other] = processes;
        for (let pair = 1; pair <= 5; pair += 1)
          expect([await login(one), await login(other)]).toEqual([401, 401]);
        expect([await login(one), await login(other)]).toEqual([429, 429]);
        await server('redis').kill();
        for (const each of processes) {
          for (let attempt = 1; attempt <= 10; attempt += 1) expect(await login(each)).toBe(401);
          expect(await login(each)).toBe(429);
        }
      } finally {
        await Promise.all(processes.map((each) => each.stop({ keepData: true })));
      }
    });
  });

  it('stop a key that asks too often, and no other one, with Redis and without', async () => {
    await withSharedGateway(async (gateway, { testKey, liveKey }) => {
      const limited = await startTestGateway({
        ...gateway.variables,
        ROLE: 'api',
        RATE_LIMIT_PER_SECOND: '1',
      });
      const ask = async (key: string): Promise<number> =>
        (await limited.call('get', '/v1/balance').auth(key, '')).status;
      const askAtOnce = async (key: string): Promise<readonly number[]> =>
        Promise.all(Array.from({ length: 60 }, () => ask(key)));
      try {
        expect(new Set(await askAtOnce(testKey))).toEqual(new Set([200, 429]));
        expect(await ask(liveKey)).toBe(200);
        await server('redis').kill();
        expect(new Set(await askAtOnce(testKey))).toEqual(new Set([200, 429]));
        expect(await ask(liveKey)).toBe(200);
      } finally {
        await limited.stop({ keepData: true });
      }
    });
  });
});
