import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, withKey } from '../support/client.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { BY_TENANT, startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { aSubscriber, faultsOfCycles, makeDue, subscribe } from '../support/subscribers.ts';
import { volume } from '../support/volume.ts';

const DUE = volume({ usual: 96, proof: 10_000 });
const KILLS = volume({ usual: 3, proof: 12 });
const AT_ONCE = volume({ usual: 8, proof: 24 });
const PRICE = { amount: 49.9, currency: 'BRL', interval: 'month' };

let gateway: TestGateway;
let shop: Client;

jest.setTimeout(volume({ usual: 600_000, proof: 3_600_000 }));
beforeAll(async () => {
  await buildProgram();
  // Sets up and looks on: no worker's work is done here.
  gateway = await startTestGateway({ ROLE: 'api', PROVIDER_TIMEOUT_MS: '1000' });
  shop = withKey(() => gateway, (await gateway.createMerchant()).testKey);
}, 240_000);
afterAll(async () => {
  await endPrograms();
  await gateway?.stop();
}, 120_000);

const startWorker = async (): Promise<Program> => {
  const program = startProgram('dist/src/main/main.js', {
    ...gateway.variables,
    ...BY_TENANT,
    ROLE: 'worker',
  });
  await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
  return program;
};
const paidCycles = (): Promise<number> =>
  gateway.db.collection('subscription_cycles').countDocuments({ status: 'paid' });

/** Kills one of two workers after the other until `count` has come to `all`; answers those that live then. */
const whileKilled = async (all: number, count: () => Promise<number>): Promise<readonly Program[]> => {
  const workers = await Promise.all([startWorker(), startWorker()]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const wanted = (all * kill) / (KILLS + 1);
    await eventually('more is done', async () => (await count()) >= wanted, 300_000);
    await sleep(Math.random() * 300);
    const victim = workers[kill % 2];
    victim?.signal('SIGKILL');
    expect(await victim?.ended).toBe('SIGKILL');
    workers[kill % 2] = await startWorker();
  }
  return workers;
};
const endInOrder = async (workers: readonly Program[]): Promise<void> => {
  for (const worker of workers) worker.signal('SIGTERM');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
};

describe('subscriptions that all fall due at one minute, while two workers are killed again and again', () => {
  it('are each charged once, and views, ledger and events agree with that', async () => {
    const subscriber = await aSubscriber(shop);
    let left = DUE;
    const client = async (): Promise<void> => {
      while (left-- > 0) await subscribe(shop, subscriber);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    // Subscriptions of a stored card begin their trial at once, so that nothing but the cycle is to come.
    const trialing = { status: 'trialing' };
    expect(await gateway.db.collection('subscriptions').countDocuments(trialing)).toBe(DUE);
    await makeDue(gateway.db, trialing);

    const workers = await whileKilled(DUE, paidCycles);
    await eventually('all are charged', async () => (await paidCycles()) === DUE, 600_000);

    expect(await differencesWithin(gateway, 120_000)).toEqual([]);
    expect(await faultsOfCycles(gateway.db)).toEqual([]);
    // A worker may have been killed after it had stored a charge and before the provider heard of it: that one fails,
    // and the cycle is charged again.
    const charges = gateway.db.collection('charges');
    const ofCycles = { cycle: { $ne: null } };
    expect(await charges.countDocuments({ ...ofCycles, status: 'paid' })).toBe(DUE);
    const statuses = await charges.distinct('status', ofCycles);
    expect(['failed', 'paid']).toEqual(expect.arrayContaining(statuses));
    expect(await gateway.db.collection('simulator_payments').countDocuments({ status: 'paid' })).toBe(DUE);
    expect(await gateway.db.collection('subscriptions').countDocuments({ status: 'active' })).toBe(DUE);
    await endInOrder(workers);
  });

  it('have a page opened once for each attempt where their customers pay, and it is closed when its time has passed', async () => {
    const { db } = gateway;
    const { customerId } = await aSubscriber(shop);
    const body = { customerId, price: PRICE, collection: 'payer', payerMethod: 'checkout', trialDays: 1 };
    const ids: string[] = [];
    const client = async (): Promise<void> => {
      while (ids.length < DUE) {
        const place = ids.push('');
        ids[place - 1] = (await shop.post('/v1/subscriptions', body).expect(201)).body.id;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const own = { id: { $in: ids } };
    const ofOwn = { subscriptionId: { $in: ids } };
    const sessions = db.collection('checkout_sessions');
    const cycles = db.collection('subscription_cycles');
    for (const [attempt, days] of [2, 6].entries()) {
      await makeDue(db, own, 0, days);
      const opened = () =>
        cycles.countDocuments({ ...ofOwn, [`attempts.${attempt}.page`]: { $exists: true } });
      // Where a page has expired, the next one is opened on another day.
      const expired = () => cycles.countDocuments({ ...ofOwn, 'attempts.0.outcome': 'failed' });
      const done = attempt === 0 ? opened : expired;
      const workers = await whileKilled(DUE, done);
      await eventually('all is done', async () => (await done()) === DUE, 600_000);
      // As long as there are workers: nobody else brings the views up to date.
      expect(await differencesWithin(gateway, 120_000)).toEqual([]);
      await endInOrder(workers);
    }
    const made = await sessions.find({ cycle: { $exists: true } }).toArray();
    const known = await cycles.find({ subscriptionId: { $in: ids } }).toArray();
    expect(known).toHaveLength(DUE);
    const pages = known.flatMap(({ attempts }) =>
      attempts.map(({ page }: { page: { id: string } }) => page.id),
    );
    expect(made.map(({ id }) => id).sort()).toEqual([...pages].sort());
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['expired']));
    expect(await db.collection('subscriptions').countDocuments({ ...own, status: 'past_due' })).toBe(DUE);
    expect(await faultsOfCycles(db)).toEqual([]);
  });
});
