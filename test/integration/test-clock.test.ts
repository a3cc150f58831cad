import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { TOLERATED_MS } from '../../src/platform/write-store/store-clock.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';
import { aSubscriber, faultsOfCycles, subscribe } from '../support/subscribers.ts';

jest.setTimeout(600_000);

const SETTINGS = { ...PATIENT, TEST_CLOCK: '1' };
const CLOCK = '/v1/test-helpers/clock';
/** A percentage for each number of installments. */
const SIX = [3, 3.5, 4, 4.5, 5, 5.5];
/** Noon of a day on which no story crosses midnight, however slow the machine is. */
const START = '2030-01-07T12:00:00.000Z';

const advance = async (by: Client, move: object): Promise<Response['body']> => {
  const { body } = await by.post(`${CLOCK}/advance`, move).expect(200);
  if (!body.complete)
    await pollUntil(
      async () => (await by.get(CLOCK).expect(200)).body.advancing,
      (advancing) => !advancing,
      300_000,
    );
  return body;
};

/** Begins a marketplace: sales that a master shares with a seller, a Pix that nobody pays, and a subscription. */
const beginStory = async (gateway: () => TestGateway): Promise<readonly Client[]> => {
  const master = await gateway().createMaster();
  await gateway().setFees(master.id, [aSpreadFee({ definition: { fixed: 0, percentages: SIX } })]);
  const seller = await createSubMerchant(gateway, master);
  const shop = withKey(gateway, master.testKey);
  await advance(await operator(gateway, 'test'), { to: START });
  for (const installments of [1, 3, 6]) {
    const request = aCardRequest({ amount: 300 + installments });
    const paymentMethod = { ...request.paymentMethod, installments };
    const split = [{ merchantId: seller.id, percentage: 80 }];
    await shop.post('/v1/charges', { ...request, paymentMethod, split }).expect(201);
  }
  await shop.post('/v1/charges', aPixRequest()).expect(201);
  await subscribe(shop, await aSubscriber(shop));
  return [shop, withKey(gateway, seller.testKey)];
};

/** A statement without ids, and with the days of its lines: their instants differ by how long the requests took. */
const statementOf = async (by: Client): Promise<readonly object[]> => {
  const { body } = await by.getAfter('latest', '/v1/statement?size=100');
  expect(body.pages).toBe(1);
  return body.data.map((line: Response['body']) => ({
    day: line.createdAt.slice(0, 10),
    movement: line.movement_type,
    bucket: line.bucket,
    amount: line.amount,
    balanceAfter: line.balanceAfter,
  }));
};

describe('the test clock', () => {
  it('tells the same story in one move as in ninety days, one after the other', async () => {
    const tell = async (moves: readonly string[]) => {
      const gateway = await startTestGateway(SETTINGS);
      const { differences } = createLedgerTools(() => gateway);
      try {
        const sellers = await beginStory(() => gateway);
        const [shop] = sellers as [Client];
        for (const by of moves) await advance(shop, { by });
        const statements: (readonly object[])[] = [];
        for (const seller of sellers) statements.push(await statementOf(seller));
        expect(await differences()).toEqual([]);
        return statements;
      } finally {
        await gateway.stop();
      }
    };
    const inOneMove = await tell(['P90D']);
    const dayByDay = await tell(Array.from({ length: 90 }, () => 'P1D'));
    expect(dayByDay).toEqual(inOneMove);
    expect(inOneMove[0]?.length).toBeGreaterThan(15);
  });

  it('tells the story that is lived in real time, whose waits the test shortens', async () => {
    /** `pass` lets days pass, after which everything has happened that fell due. */
    type Told = { readonly gateway: TestGateway; readonly shop: Client; readonly sold: Response['body'][] };
    const tell = async (settings: object, pass: (told: Told, days: number) => Promise<void>) => {
      const gateway = await startTestGateway({ ...PATIENT, ...settings });
      try {
        const master = await gateway.createMaster();
        await gateway.setFees(master.id, [aSpreadFee({ definition: { fixed: 0, percentages: SIX } })]);
        const seller = await createSubMerchant(() => gateway, master);
        const shop = withKey(() => gateway, master.testKey);
        const sold: Response['body'][] = [];
        for (const installments of [1, 3, 6]) {
          const request = aCardRequest({ amount: 300 + installments });
          const paymentMethod = { ...request.paymentMethod, installments };
          const split = [{ merchantId: seller.id, percentage: 80 }];
          sold.push((await shop.post('/v1/charges', { ...request, paymentMethod, split }).expect(201)).body);
        }
        const pix = (await shop.post('/v1/charges', aPixRequest()).expect(201)).body;
        const told = { gateway, shop, sold };
        await pass(told, 31);
        await shop.post('/v1/refunds', { chargeId: sold[1].id, reason: 'sent back' }).expect(201);
        await pass(told, 60);
        expect((await shop.get(`/v1/charges/${pix.id}`).expect(200)).body.status).toBe('failed');
        const statements: (readonly object[])[] = [];
        for (const by of [shop, withKey(() => gateway, seller.testKey)])
          statements.push((await statementOf(by)).map((line) => ({ ...line, day: null })));
        expect(await createLedgerTools(() => gateway).differences()).toEqual([]);
        return statements;
      } finally {
        await gateway.stop();
      }
    };
    const byClock = await tell({ TEST_CLOCK: '1' }, async ({ shop }, days) => {
      await advance(shop, { by: `P${days}D` });
    });
    let passed = 0;
    const inRealTime = await tell({}, async ({ gateway, shop, sold }, days) => {
      const over = new Date().toISOString();
      const ended = { $set: { expiresAt: over, reconcileAt: over } };
      const charges = gateway.db.collection<{ readonly status: string }>('charges');
      await charges.updateMany({ status: 'pending' }, ended);
      await pollUntil(
        () => charges.countDocuments({ status: 'pending' }),
        (open) => open === 0,
      );
      passed += days;
      for (let part = 1; part * 30 <= passed; part += 1)
        for (const { paidAt } of sold) {
          const until = new Date(Date.parse(paidAt) + part * 30 * DAY_MS).toISOString();
          await shop.post('/v1/test-helpers/settlements/run', { until }).expect(200);
          await statementOf(shop);
        }
    });
    expect(byClock).toEqual(inRealTime);
    expect(byClock[0]?.length).toBeGreaterThan(10);
  });

  it('moves on every process, and goes on where a worker ends', async () => {
    const api = await startTestGateway({ ...SETTINGS, ROLE: 'api' });
    const shared = api.variables;
    let workers = await Promise.all([1, 2].map(() => startTestGateway({ ...shared, ROLE: 'worker' })));
    const other = await startTestGateway({ ...shared, ROLE: 'api' });
    try {
      const [shop] = (await beginStory(() => api)) as [Client];
      const timeOn = async (gateway: TestGateway): Promise<number> => {
        const by = await operator(() => gateway, 'test');
        return Date.parse((await by.get(CLOCK).expect(200)).body.now);
      };
      // Whichever of the two advances the clock: the second time, the one that stayed leaves.
      for (const _ of ['first', 'second']) {
        const before = await timeOn(api);
        const moving = advance(shop, { by: 'P60D' });
        await pollUntil(
          () => timeOn(other),
          (now) => now > before + DAY_MS,
        );
        const [left] = workers.splice(0, 1);
        await left?.stop({ keepData: true });
        await moving;
        expect(await timeOn(other)).toBeGreaterThanOrEqual(before + 60 * DAY_MS - TOLERATED_MS);
        expect(await timeOn(api)).toBeGreaterThanOrEqual(before + 60 * DAY_MS - TOLERATED_MS);
        workers = [...workers, await startTestGateway({ ...shared, ROLE: 'worker' })];
      }
      const charges = (await shop.getAfter('latest', '/v1/charges?size=100')).body.data;
      const paid = charges.filter(({ subscriptionId }: Response['body']) => subscriptionId);
      // A cycle for each month of 120 days, each charged once.
      expect(paid).toHaveLength(4);
      expect(await createLedgerTools(() => api).differences()).toEqual([]);
    } finally {
      for (const worker of workers) await worker.stop({ keepData: true });
      await other.stop({ keepData: true });
      await api.stop();
    }
  });

  it('goes on where a worker was killed, and nothing is left out or done twice', async () => {
    await buildProgram();
    const api = await startTestGateway({ ...SETTINGS, ROLE: 'api' });
    const startWorker = async (): Promise<Program> => {
      const program = startProgram('dist/src/main/main.js', { ...api.variables, ROLE: 'worker' });
      await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
      return program;
    };
    try {
      const worker = await startWorker();
      const [shop] = (await beginStory(() => api)) as [Client];
      const { body: before } = await shop.get(CLOCK).expect(200);
      const moving = advance(shop, { by: 'P90D' });
      const isOnItsWay = (now: string): boolean => Date.parse(now) > Date.parse(before.now) + 10 * DAY_MS;
      await pollUntil(async () => (await shop.get(CLOCK).expect(200)).body.now, isOnItsWay, 300_000);
      worker.signal('SIGKILL');
      expect(await worker.ended).toBe('SIGKILL');
      const { body: stands } = await shop.get(CLOCK).expect(200);
      expect(stands.advancing).toBe(true);
      await startWorker();
      await moving;
      const { body: after } = await shop.get(CLOCK).expect(200);
      expect(Date.parse(after.now)).toBeGreaterThanOrEqual(
        Date.parse(before.now) + 90 * DAY_MS - TOLERATED_MS,
      );
      const charges = (await shop.getAfter('latest', '/v1/charges?size=100')).body.data;
      const ofCycles = charges.filter(({ subscriptionId }: Response['body']) => subscriptionId);
      const paid = ofCycles.filter(({ status }: Response['body']) => status === 'paid');
      expect(paid).toHaveLength(3);
      expect(charges.filter(({ status }: Response['body']) => status === 'pending')).toEqual([]);
      expect(await faultsOfCycles(api.db)).toEqual([]);
      expect(await createLedgerTools(() => api).differences()).toEqual([]);
    } finally {
      await endPrograms();
      await api.stop();
    }
  });
});
