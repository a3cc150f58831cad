import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'supertest';
import { auditWithin } from '../support/audit.ts';
import { callsOf, expectUnavailable } from '../support/calls.ts';
import { OPERATOR, startTestGateway, type TestGateway, type TestMerchant } from '../support/gateway.ts';
import { startLoad } from '../support/load.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import { eventually } from '../support/program.ts';
import { brokenPromises } from '../support/promises.ts';
import { someOf, volume } from '../support/volume.ts';

jest.setTimeout(300_000);
const engines = createOwnEngines();
const { dataDir, server, startAll, variables } = engines;
beforeAll(engines.start);
afterAll(engines.stop);

/** A gateway on the servers of this suite; `use` may leave servers down. */
const withGateway = async (
  use: (gateway: TestGateway, merchant: TestMerchant) => Promise<void>,
): Promise<void> => {
  const gateway = await startTestGateway(variables());
  try {
    await use(gateway, await gateway.createMerchant());
  } finally {
    await startAll();
    await gateway.stop();
  }
};

describe('while Elasticsearch is down', () => {
  it('commands and reads by id go on, lists answer 503, and the views catch up by themselves', async () => {
    await withGateway(async (gateway, merchant) => {
      const { create, createPix, read, list, refund } = callsOf(gateway, merchant);
      const { body: before } = await create('before').expect(201);
      await eventually('the list shows it', async () => (await list()).body.total === 1);

      await server('elasticsearch').kill();
      const { body: during } = await create('during').expect(201);
      expect(during.status).toBe('paid');
      await createPix('pix').expect(201);
      await refund(before.id).expect(201);
      expect((await read(before.id).expect(200)).body.status).toBe('refunded');
      expect((await read(during.id).expect(200)).body.status).toBe('paid');
      await expectUnavailable(list());
      await expectUnavailable(list().set('X-Consistency-Token', 'latest'));
      const { body: health } = await gateway.call('get', '/health/ready').expect(200);
      expect(health).toMatchObject({ status: 'degraded', stores: { elasticsearch: { status: 'degraded' } } });

      await server('elasticsearch').start();
      await eventually('the list shows all', async () => (await list()).body.total === 3);
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
    });
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
      for (const end of someOf(['kill', 'stop', 'kill'] as const, 1)) {
        await sleep(volume({ usual: 500, proof: 1_500 }));
        await server('mongodb')[end]();
        await eventually('clients notice', () => load.promises.outages > 0);
        load.promises.outages = 0;
        await server('mongodb').start();
      }
      const acknowledged = load.promises.charges.size;
      await eventually('charges are made again', () => load.promises.charges.size > acknowledged + 20);
      await load.stop();

      expect(await auditWithin(gateway, 90_000)).toEqual([]);
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
  it('everything goes on, logins and their limit included', async () => {
    await withGateway(async (gateway, merchant) => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const login = (password = OPERATOR.password): Test =>
        gateway.call('post', '/v1/auth/login').send({ ...OPERATOR, password });
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
      await server('redis').kill();
      for (let attempt = 1; attempt <= 10; attempt += 1) await login('wrong password').expect(401);
      await login('wrong password').expect(429);
      expect(await auditWithin(gateway, 30_000)).toEqual([]);
    });
  });
});
