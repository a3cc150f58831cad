import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { DELIVERIES, isSuccess, type WebhookDelivery } from '../../src/modules/webhooks/write/delivery.ts';
import { aCardRequest } from '../builders.ts';
import { PATIENT, withKey } from '../support/client.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../support/gateway.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { flaky, type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { volume } from '../support/volume.ts';

const KILLS = volume({ usual: 1, proof: 10 });
const EVENTS = volume({ usual: 60, proof: 5_000 });
const AWAY_MS = volume({ usual: 1_000, proof: 60_000 });
const PATIENCE_MS = volume({ usual: 180_000, proof: 1_800_000 });

jest.setTimeout(PATIENCE_MS + 120_000);

/** A Redis of this file alone, which it takes down; the other servers are those of all suites. */
const engines = createOwnEngines({
  mongodbUri: process.env.MONGODB_URI ?? '',
  elasticsearchNode: process.env.ELASTICSEARCH_NODE ?? '',
});
beforeAll(() => engines.start(), 120_000);
afterAll(() => engines.stop(), 120_000);

describe('deliveries', () => {
  const MERCHANTS = 5;
  const CLIENTS = 5;
  let gateway: TestGateway;
  let merchants: TestMerchant[];
  let receiver: Receiver;
  let worker: Program;

  const startWorker = async (): Promise<void> => {
    worker = startProgram('dist/src/main/main.js', { ...gateway.variables, ROLE: 'worker' });
    await untilPrinted(worker, /this is a worker/, 120_000);
  };
  beforeAll(async () => {
    await buildProgram();
    receiver = await startReceiver();
    const settings = { ...PATIENT, ROLE: 'api', WEBHOOK_RETRY_SCHEDULE: '0,1,0,1,0,1' };
    gateway = await startTestGateway({ ...engines.variables(), ...settings });
    await startWorker();
    merchants = [];
    for (let n = 0; n < MERCHANTS; n += 1) {
      const merchant = await gateway.createMerchant();
      await post(merchant, '/v1/webhook-endpoints', { url: `${receiver.url}/endpoint/${n}`, events: ['*'] });
      merchants.push(merchant);
    }
  }, 240_000);
  afterAll(async () => {
    await engines.startAll();
    await endPrograms();
    await gateway?.stop();
    await receiver?.close();
  }, 120_000);

  const post = async ({ testKey }: TestMerchant, path: string, body: object) =>
    (await gateway.call('post', path).auth(testKey, '').send(body).expect(201)).body;

  /** Pays so many charges, each of which makes two events; answers what endpoints have to hear, as `name id`. */
  const pay = async (count: number, fields: object = {}): Promise<Set<string>> => {
    const expected = new Set<string>();
    let left = count;
    const client = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const merchant = merchants[left % MERCHANTS];
        if (!merchant) throw new Error('no merchant');
        const { id } = await post(merchant, '/v1/charges', aCardRequest(fields));
        for (const name of ['charge.created', 'charge.paid']) expected.add(`${name} ${id}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return expected;
  };

  const isPayout = ({ body }: Received): boolean => JSON.parse(body).event.startsWith('payout.');
  const nameOf = ({ body }: Received): string => {
    const { event, data } = JSON.parse(body);
    return `${event} ${data.id}`;
  };
  /** Waits until endpoints have accepted all that is expected and nothing is in flight any more. */
  const untilArrived = (expected: ReadonlySet<string>): Promise<void> =>
    eventually(
      `${expected.size} events at their endpoints`,
      async () => {
        const accepted = new Set(
          receiver.received.filter((one) => one.accepted && atEndpoint(one)).map(nameOf),
        );
        if ([...expected].some((name) => !accepted.has(name))) return false;
        return (await deliveries({ status: 'pending' })).length === 0;
      },
      PATIENCE_MS,
    );
  const atEndpoint = ({ path }: Received): boolean => path.startsWith('/endpoint/');
  const deliveries = (filter: object = {}): Promise<WebhookDelivery[]> =>
    gateway.db.collection(DELIVERIES.collection).find<WebhookDelivery>(filter).toArray();
  const targetOf = ({ path, eventId }: Received): string => `${receiver.url}${path} ${eventId}`;
  const groups = <T>(all: readonly T[], keyOf: (one: T) => string): T[][] => {
    const found = new Map<string, T[]>();
    for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
    return [...found.values()];
  };
  /** Invariants of every outcome: one body for all attempts, numbers without gaps, no attempt without need. */
  const expectSound = async (): Promise<void> => {
    const requests = groups(receiver.received, targetOf);
    expect(requests.filter((attempts) => new Set(attempts.map(({ body }) => body)).size > 1)).toEqual([]);
    const all = await deliveries();
    const tried = new Map(all.map((delivery) => [`${delivery.url} ${delivery.eventId}`, delivery]));
    for (const attempts of requests) {
      const [first] = attempts;
      const delivery = first && tried.get(targetOf(first));
      expect(attempts.length).toBeLessThanOrEqual(delivery?.tried ?? 0);
    }
    const needless = all.filter(({ attempts }) => attempts.slice(0, -1).some(isSuccess));
    expect(needless).toEqual([]);
    for (const ofEndpoint of groups(
      all.filter(({ endpointId }) => endpointId),
      ({ queue }) => queue,
    )) {
      const numbers = ofEndpoint.map(({ sequence }) => sequence ?? 0).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
    expect(receiver.followed).toBe(0);
  };

  it('all arrive at a flaky receiver, with retries of the same bytes, payouts once, postbacks three times at most', async () => {
    receiver.react(flaky);
    const expected = await pay(Math.ceil(EVENTS / 2), { postbackUrl: `${receiver.url}/postback` });
    for (const merchant of merchants) {
      const list = withKey(() => gateway, merchant.testKey).getAfter('latest', '/v1/webhook-endpoints');
      const { body } = await list;
      for (const event of ['payout.approved', 'payout.rejected', 'payout.approved'])
        await gateway
          .call('post', `/v1/webhook-endpoints/${body.data[0].id}/test`)
          .auth(merchant.testKey, '')
          .send({ event })
          .expect(202);
    }
    await untilArrived(expected);
    await expectSound();
    const payouts = groups(receiver.received.filter(isPayout), targetOf);
    expect(payouts.map(({ length }) => length)).toEqual(Array.from({ length: 3 * MERCHANTS }, () => 1));
    const postbacks = await deliveries({ channel: 'postback' });
    expect(postbacks.length).toBeGreaterThanOrEqual(EVENTS);
    expect(postbacks.filter(({ tried }) => tried > 3)).toEqual([]);
  });

  it('all arrive although Redis loses everything and then is away, and no command notices', async () => {
    receiver.react(() => 10);
    const redis = new Redis(engines.variables().REDIS_URL);
    let isPaid = false;
    const paying = pay(Math.ceil(EVENTS / 4)).finally(() => {
      isPaid = true;
    });
    for (let flushes = 0; flushes < 3; flushes += 1) {
      const before = receiver.received.length;
      await eventually('more is sent', () => isPaid || receiver.received.length > before + 5, PATIENCE_MS);
      await redis.flushall();
    }
    redis.disconnect();
    const expected = await paying;
    const duringOutage = pay(Math.ceil(EVENTS / 4));
    await engines.server('redis').kill();
    await sleep(AWAY_MS);
    for (const name of await duringOutage) expected.add(name);
    await engines.server('redis').start();
    await untilArrived(expected);
    await expectSound();
  });

  it('all arrive although the worker is killed again and again, twice only where an attempt was in flight', async () => {
    receiver.react(() => 10);
    const expected = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = receiver.received.length;
      const paying = pay(Math.ceil(EVENTS / 4));
      await eventually('some are sent', () => receiver.received.length > before + 10, PATIENCE_MS);
      worker.signal('SIGKILL');
      await worker.ended;
      for (const name of await paying) expected.add(name);
      await startWorker();
    }
    await untilArrived(expected);
    await expectSound();
    const interrupted = (await deliveries()).flatMap(({ attempts }) =>
      attempts.filter(({ error }) => error === 'interrupted'),
    );
    expect(interrupted.length).toBeLessThanOrEqual(KILLS * MERCHANTS);
  });
});
