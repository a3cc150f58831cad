import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'supertest';
import type { EngineName } from '../../scripts/engines/engines.ts';
import { auditWithin } from '../support/audit.ts';
import { callsOf, expectUnavailable } from '../support/calls.ts';
import { PATIENT } from '../support/client.ts';
import { OPERATOR, startTestGateway, type TestGateway, type TestMerchant } from '../support/gateway.ts';
import { startLoad } from '../support/load.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import { eventually } from '../support/program.ts';
import { brokenPromises } from '../support/promises.ts';
import { someOf, volume } from '../support/volume.ts';

/** In the proof as long, and the views as soon afterwards, as the operator is promised (docs/operations.md). */
const ELASTICSEARCH_AWAY_MS = volume({ usual: 500, proof: 180_000 });
const CAUGHT_UP_WITHIN_MS = volume({ usual: 120_000, proof: 60_000 });

jest.setTimeout(600_000);
const engines = createOwnEngines();
const { dataDir, server, startAll, variables } = engines;
beforeAll(engines.start);
afterAll(engines.stop);

/** A gateway on the servers of this suite; `use` may leave servers down. */
const withGateway = async (
  use: (gateway: TestGateway, merchant: TestMerchant) => Promise<void>,
  overrides: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const gateway = await startTestGateway({ ...variables(), ...overrides });
  const cleanUp = async (): Promise<void> => {
    await startAll();
    await gateway.stop();
  };
  try {
    await use(gateway, await gateway.createMerchant());
  } catch (error) {
    // What `use` says counts, and not what follows from it.
    await cleanUp().catch(() => undefined);
    throw error;
  }
  await cleanUp();
};

/** Whether the process has stopped; where the system does not tell, it is taken for stopped. */
const isStopped = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`;
  return !existsSync(file) || readFileSync(file, 'utf8').includes(') T ');
};

/** Lets a server hang while `use` runs: it is there, and answers nothing. */
const whileHanging = async (names: readonly EngineName[], use: () => Promise<void>): Promise<void> => {
  const pids = names.map((name) => server(name).pid ?? 0);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    // On a busy machine it goes on for a moment.
    await eventually('they hang', async () => pids.every(isStopped));
    await use();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
};

describe('while Elasticsearch is down', () => {
  it('commands and reads by id go on, lists answer 503, and the views catch up by themselves', async () => {
    await withGateway(
      async (gateway, merchant) => {
        const { create, createPix, read, list, refund } = callsOf(gateway, merchant);
        const { body: before } = await create('before').expect(201);
        await eventually('the list shows it', async () => (await list()).body.total === 1);

        await server('elasticsearch').kill();
        const load = startLoad({ urls: [gateway.url], key: merchant.testKey, clients: 4 });
        await sleep(ELASTICSEARCH_AWAY_MS);
        const { body: during } = await create('during').expect(201);
        expect(during.status).toBe('paid');
        await createPix('pix').expect(201);
        await refund(before.id).expect(201);
        expect((await read(before.id).expect(200)).body.status).toBe('refunded');
        expect((await read(during.id).expect(200)).body.status).toBe('paid');
        await expectUnavailable(list());
        await expectUnavailable(list().set('X-Consistency-Token', 'latest'));
        const { body: health } = await gateway.call('get', '/health/ready').expect(200);
        expect(health).toMatchObject({
          status: 'degraded',
          stores: { elasticsearch: { status: 'degraded' } },
        });
        const { charges, refunds } = load.promises;
        await eventually('charges and refunds are made', () => charges.size > 10 && refunds.size > 0);

        await server('elasticsearch').start();
        await load.stop();
        expect(await auditWithin(gateway, CAUGHT_UP_WITHIN_MS)).toEqual([]);
        expect((await list().expect(200)).body.total).toBe(charges.size + 3);
        expect(await brokenPromises(gateway.db, load.promises)).toEqual([]);
        expect(load.promises.outages).toBe(0);
      },
      { PROVIDER_TIMEOUT_MS: '5000' },
    );
  });

  it('a gateway can start; its views are made when Elasticsearch is there', async () => {
    await server('elasticsearch').stop();
    await withGateway(async (gateway, merchant) => {
      const { create, list } = callsOf(gateway, merchant);
      await create('first').expect(201);
      await expectUnavailable(list());
      await server('elasticsearch').start();
      await eventually('the list shows it', async () => (await list()).body.total === 1);
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
    });
  });
});

describe('where the data of Elasticsearch is lost', () => {
  it('while the program is stopped, the next start fills the views again', async () => {
    const first = await startTestGateway(variables());
    const merchant = await first.createMerchant();
    const { create, refund } = callsOf(first, merchant);
    for (let index = 0; index < 12; index += 1) {
      const { body } = await create(`charge-${index}`).expect(201);
      if (index % 3 === 0) await refund(body.id).expect(201);
    }
    expect(await auditWithin(first, 30_000)).toEqual([]);
    await first.stop({ keepData: true });

    await server('elasticsearch').stop();
    rmSync(join(dataDir, 'elasticsearch'), { recursive: true });
    await server('elasticsearch').start();

    const second = await startTestGateway(first.variables);
    const { list } = callsOf(second, merchant);
    await eventually('the list answers', async () => (await list()).status === 200);
    expect((await list()).body.total).toBe(12);
    expect(await auditWithin(second, 30_000)).toEqual([]);
    await second.stop();
  });

  it('under the running program, lists answer 503 until the views are whole again', async () => {
    await withGateway(async (gateway, merchant) => {
      const { create, list } = callsOf(gateway, merchant);
      for (let index = 0; index < 5; index += 1) await create(`before-${index}`).expect(201);
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
      const { client, prefix } = gateway.readStore;
      await client.indices.delete({ index: Object.keys(await client.indices.get({ index: `${prefix}*` })) });
      await create('after').expect(201);
      await eventually(
        'the list is whole',
        async () => {
          const { status, body } = await list();
          expect([200, 503]).toContain(status);
          return status === 200 && body.total === 6;
        },
        60_000,
      );
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
    });
  });
});

describe('a MongoDB that dies under load', () => {
  it('loses nothing that was acknowledged; requests in between answer 503 and nothing stays torn', async () => {
    await withGateway(async (gateway, merchant) => {
      const load = startLoad({ urls: [gateway.url], key: merchant.testKey, clients: 6 });
      const noticed = async (): Promise<void> => {
        load.promises.outages = 0;
        await eventually('clients notice', () => load.promises.outages > 6);
      };
      for (const end of someOf(['kill', 'hang', 'stop', 'kill'] as const, 1)) {
        await sleep(volume({ usual: 500, proof: 1_500 }));
        if (end === 'hang') {
          await whileHanging(['mongodb'], noticed);
          continue;
        }
        await server('mongodb')[end]();
        await noticed();
        await server('mongodb').start();
      }
      const acknowledged = load.promises.charges.size;
      await eventually('charges are made again', () => load.promises.charges.size > acknowledged + 20);
      await load.stop();

      expect(await auditWithin(gateway, 120_000)).toEqual([]);
      expect(await brokenPromises(gateway.db, load.promises)).toEqual([]);
      expect(load.promises.refunds.size).toBeGreaterThan(0);
    });
  });

  it('makes every request answer 503 while it is away', async () => {
    await withGateway(async (gateway, merchant) => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const { body: charge } = await create('before').expect(201);
      await server('mongodb').kill();
      await Promise.all([
        expectUnavailable(create('during')),
        expectUnavailable(read(charge.id)),
        expectUnavailable(list()),
        expectUnavailable(refund(charge.id)),
        expectUnavailable(gateway.call('post', '/v1/auth/login').send(OPERATOR)),
        gateway.call('get', '/health/ready').expect(503),
        gateway.call('get', '/health/live').expect(200),
      ]);
      await server('mongodb').start();
      await refund(charge.id).expect(201);
      expect(await auditWithin(gateway, 60_000)).toEqual([]);
    });
  });
});

describe('while Redis is down', () => {
  it('everything goes on, logins included', async () => {
    await withGateway(async (gateway, merchant) => {
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
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
    });
  });
});

describe('a server that hangs', () => {
  it('ends lists with 503 where it is Elasticsearch, Redis as well; commands go on, and the views catch up', async () => {
    const atOnce = 3;
    const use = async (gateway: TestGateway, merchant: TestMerchant): Promise<void> => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const { body: before } = await create('before').expect(201);
      await whileHanging(['elasticsearch', 'redis'], async () => {
        // A client's own time-out is ten seconds, so whatever is well below it was told by the ping.
        const began = Date.now();
        // Those that hang hold all the places that there are: nobody else waits for one.
        const lists = await Promise.all(
          Array.from({ length: atOnce + 2 }, async () => (await expectUnavailable(list())).body.message),
        );
        expect(lists.filter((message) => message === 'Too many requests are in hand')).toHaveLength(2);
        expect(Date.now() - began).toBeLessThan(8_000);
        const { body: during } = await create('during').expect(201);
        await refund(before.id).expect(201);
        expect((await read(during.id).expect(200)).body.status).toBe('paid');
        await gateway.call('post', '/v1/auth/login').send(OPERATOR).expect(200);
        const { body: health } = await gateway.call('get', '/health/ready').expect(200);
        const degraded = { status: 'degraded' };
        expect(health).toMatchObject({ ...degraded, stores: { elasticsearch: degraded, redis: degraded } });
      });
      expect(await auditWithin(gateway, 60_000)).toEqual([]);
      expect((await list().expect(200)).body.total).toBe(2);
      await eventually('redis is used again', async () => {
        return (await gateway.call('get', '/health/ready')).body.status === 'ok';
      });
    };
    await withGateway(use, { ...PATIENT, MAX_CONCURRENT_REQUESTS: String(atOnce) });
  });

  it('ends every request with 503 where it is MongoDB, also in the middle of a command, which is brought to an end', async () => {
    const use = async (gateway: TestGateway, merchant: TestMerchant): Promise<void> => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const charges = gateway.db.collection('charges');
      const begun = create('begun').then((answer) => answer);
      await eventually('the provider is asked', async () => (await charges.countDocuments()) === 1);
      await whileHanging(['mongodb'], async () => {
        await Promise.all([
          expectUnavailable(create('during')),
          expectUnavailable(read('chg_unknown')),
          expectUnavailable(list()),
          expectUnavailable(refund('chg_unknown')),
          expectUnavailable(gateway.call('post', '/v1/auth/login').send(OPERATOR)),
          gateway.call('get', '/health/ready').expect(503),
          gateway.call('get', '/health/live').expect(200),
        ]);
        // On a busy machine it may have been faster.
        expect([201, 503]).toContain((await begun).status);
      });
      await eventually('all is well', async () => {
        return (await gateway.call('get', '/health/ready')).body.status === 'ok';
      });
      await create('after').expect(201);
      expect(await auditWithin(gateway, 120_000)).toEqual([]);
      // Both, and nothing of what was answered with 503 before it had begun.
      expect(await charges.distinct('status')).toEqual(['paid']);
      expect(await charges.countDocuments()).toBe(2);
    };
    // Long enough for the server to hang before the answer of the provider is stored; asked again about it soon.
    await withGateway(use, { SIMULATOR_LATENCY_MS: '2000', PROVIDER_TIMEOUT_MS: '5000' });
  });
});

describe('a client that is slow', () => {
  const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: portico.test\r\n`;
  const POST = 'POST /v1/auth/login HTTP/1.1\r\nHost: portico.test\r\nContent-Type: application/json\r\n';
  /** What it sends at once, what it sends again and again, and what it hears at the end. */
  const CLIENTS = [
    { what: 'to send its headers', first: GET('/v1/charges'), then: 'X-More: 1\r\n', end: / 408 / },
    { what: 'to send its body', first: `${POST}Content-Length: 9999\r\n\r\n{`, then: ' ', end: / 408 / },
    {
      what: 'to read its answers',
      first: `${GET('/v1/openapi.json')}\r\n`.repeat(200),
      then: '',
      end: / 200 /,
    },
  ];

  it.each(someOf(CLIENTS, 1))('$what loses its connection', async ({ first, then, end }) => {
    await withGateway(async (gateway) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      let heard = '';
      let isOver = false;
      socket
        .on('error', () => undefined)
        .on('close', () => {
          isOver = true;
        });
      socket.write(first);
      socket.once('data', (data) => {
        heard = data.toString();
        if (then === '') socket.pause();
      });
      await eventually(
        'the end of the connection',
        async () => {
          if (!isOver) socket.write(then || `${GET('/v1/openapi.json')}\r\n`);
          await sleep(500);
          return isOver;
        },
        180_000,
      );
      expect(heard).toMatch(end);
      expect(await gateway.call('get', '/health/live').expect(200));
    });
  });
});

describe('limits', () => {
  it('count in Redis for all processes together, and in each by itself while Redis is down', async () => {
    await withGateway(async (gateway) => {
      const settings = { ...gateway.variables, ROLE: 'api' };
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
    await withGateway(async (gateway, { testKey, liveKey }) => {
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
