import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsOf, expectUnavailable } from '../support/calls.ts';
import { PATIENT } from '../support/client.ts';
import { useFaults } from '../support/faults.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { OPERATOR, startTestGateway, type TestGateway, type TestMerchant } from '../support/gateway.ts';
import { startLoad } from '../support/load.ts';
import { eventually } from '../support/program.ts';
import { brokenPromises } from '../support/promises.ts';
import { volume } from '../support/volume.ts';

/** In the proof as long, and the views as soon afterwards, as the operator is promised (docs/operations.md). */
const ELASTICSEARCH_AWAY_MS = volume({ usual: 500, proof: 180_000 });
const CAUGHT_UP_WITHIN_MS = volume({ usual: 120_000, proof: 60_000 });

const { dataDir, server, variables, withGateway, withSharedGateway, whileHanging } = useFaults(
  { mongodbUri: process.env.MONGODB_URI },
  { PROVIDER_TIMEOUT_MS: '5000' },
);

describe('while Elasticsearch is down', () => {
  it('commands and reads by id go on, lists answer 503, and the views catch up by themselves', async () => {
    await withSharedGateway(async (gateway, merchant) => {
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
      expect(await differencesWithin(gateway, CAUGHT_UP_WITHIN_MS)).toEqual([]);
      expect((await list().expect(200)).body.total).toBe(charges.size + 3);
      expect(await brokenPromises(gateway.db, load.promises)).toEqual([]);
      expect(load.promises.outages).toBe(0);
    });
  });
});

describe('where the data of Elasticsearch is lost', () => {
  it('a gateway can start without it, and fills the views when it is there again', async () => {
    const first = await startTestGateway(variables());
    const merchant = await first.createMerchant();
    const { create, refund } = callsOf(first, merchant);
    for (let index = 0; index < 12; index += 1) {
      const { body } = await create(`charge-${index}`).expect(201);
      if (index % 3 === 0) await refund(body.id).expect(201);
    }
    expect(await differencesWithin(first, 30_000)).toEqual([]);
    await first.stop({ keepData: true });

    await server('elasticsearch').stop();
    rmSync(join(dataDir, 'elasticsearch'), { recursive: true });
    const second = await startTestGateway(first.variables);
    try {
      const after = callsOf(second, merchant);
      await after.create('without it').expect(201);
      await expectUnavailable(after.list());
      await server('elasticsearch').start();
      await eventually('the list answers', async () => (await after.list()).status === 200);
      expect((await after.list()).body.total).toBe(13);
      expect(await differencesWithin(second, 30_000)).toEqual([]);
    } finally {
      await server('elasticsearch').start();
      await second.stop();
    }
  });

  it('under the running program, lists answer 503 until the views are whole again', async () => {
    await withSharedGateway(async (gateway, merchant) => {
      const { create, list } = callsOf(gateway, merchant);
      for (let index = 0; index < 5; index += 1) await create(`before-${index}`).expect(201);
      expect(await differencesWithin(gateway, 30_000)).toEqual([]);
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
      expect(await differencesWithin(gateway, 30_000)).toEqual([]);
    });
  });
});

describe('an Elasticsearch that hangs, and Redis as well', () => {
  it('ends lists with 503; commands go on, and the views catch up', async () => {
    const atOnce = 3;
    const use = async (gateway: TestGateway, merchant: TestMerchant): Promise<void> => {
      const { create, read, list, refund } = callsOf(gateway, merchant);
      const { body: before } = await create('before').expect(201);
      await whileHanging(['elasticsearch', 'redis'], async () => {
        // A client's own time-out is ten seconds, so whatever is well below it was told by the ping.
        const began = Date.now();
        // Calls that hang hold all the places that there are: nobody else waits for one.
        const lists = await Promise.all(
          Array.from({ length: atOnce + 2 }, async () => (await expectUnavailable(list())).body.message),
        );
        expect(lists.filter((message) => message === 'Too many requests are in flight')).toHaveLength(2);
        expect(Date.now() - began).toBeLessThan(8_000);
        const { body: during } = await create('during').expect(201);
        await refund(before.id).expect(201);
        expect((await read(during.id).expect(200)).body.status).toBe('paid');
        await gateway.call('post', '/v1/auth/login').send(OPERATOR).expect(200);
        const { body: health } = await gateway.call('get', '/health/ready').expect(200);
        const degraded = { status: 'degraded' };
        expect(health).toMatchObject({ ...degraded, stores: { elasticsearch: degraded, redis: degraded } });
      });
      expect(await differencesWithin(gateway, 60_000)).toEqual([]);
      expect((await list().expect(200)).body.total).toBe(2);
      await eventually('redis is used again', async () => {
        return (await gateway.call('get', '/health/ready')).body.status === 'ok';
      });
    };
    await withGateway(use, { ...PATIENT, MAX_CONCURRENT_REQUESTS: String(atOnce) });
  });
});
