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

const DUE = volume({ usual: 240, proof: 10_000 });
const KILLS = volume({ usual: 4, proof: 12 });
const AT_ONCE = 24;

let gateway: TestGateway;
let shop: Client;

jest.setTimeout(volume({ usual: 600_000, proof: 3_600_000 }));
beforeAll(async () => {
  await buildProgram();
  // Sets up and looks on: no worker's work is done here.
  gateway = await startTestGateway({ ...BY_TENANT, ROLE: 'api', PROVIDER_TIMEOUT_MS: '1000' });
  shop = withKey(() => gateway, (await gateway.createMerchant()).testKey);
}, 240_000);
afterAll(async () => {
  await endPrograms();
  await gateway?.stop();
}, 120_000);

const startWorker = async (): Promise<Program> => {
  const program = startProgram('dist/src/main/main.js', { ...gateway.variables, ROLE: 'worker' });
  await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
  return program;
};
const paidCycles = (): Promise<number> =>
  gateway.db.collection('subscription_cycles').countDocuments({ status: 'paid' });

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

    const workers = await Promise.all([startWorker(), startWorker()]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const wanted = (DUE * kill) / (KILLS + 1);
      await eventually('more is charged', async () => (await paidCycles()) >= wanted, 300_000);
      await sleep(Math.random() * 300);
      const victim = workers[kill % 2];
      victim?.signal('SIGKILL');
      expect(await victim?.ended).toBe('SIGKILL');
      workers[kill % 2] = await startWorker();
    }
    await eventually('all are charged', async () => (await paidCycles()) === DUE, 600_000);

    expect(await differencesWithin(gateway, 120_000)).toEqual([]);
    expect(await faultsOfCycles(gateway.db)).toEqual([]);
    const charges = gateway.db.collection('charges');
    expect(await charges.countDocuments({ cycle: { $ne: null } })).toBe(DUE);
    expect(await gateway.db.collection('simulator_payments').countDocuments({ status: 'paid' })).toBe(DUE);
    expect(await gateway.db.collection('subscriptions').countDocuments({ status: 'active' })).toBe(DUE);
    for (const worker of workers) worker.signal('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  });
});
