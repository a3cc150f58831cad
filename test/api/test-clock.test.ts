import type { Response } from 'supertest';
import { createPortico, PorticoError } from '../../src/client/client.ts';
import { timestamp } from '../../src/kernel/clock.ts';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { TEST_CLOCKS } from '../../src/modules/test-clock/write/test-clock.store.ts';
import { DELIVERIES, type WebhookDelivery } from '../../src/modules/webhooks/write/delivery.ts';
import { createDueOfTest } from '../../src/modules/webhooks/write/sending/due-of-test.store.ts';
import { TOLERATED_MS } from '../../src/platform/write-store/store-clock.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { startTestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { aSubscriber, subscribe } from '../support/subscribers.ts';

const SETTINGS = { ...PATIENT, TEST_CLOCK: '1', WEBHOOK_RETRY_SCHEDULE: '3600,86400' };
const gateway = useGateway(SETTINGS);

const CLOCK = '/v1/test-helpers/clock';
const ADVANCE = `${CLOCK}/advance`;
const MINUTE_MS = 60_000;

let shop: TestMerchant;
let by: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  shop = await gateway().createMerchant();
  by = withKey(gateway, shop.testKey);
  await gateway().setFees(shop.id, [aSpreadFee()]);
});
afterAll(() => receiver.close());

const timeOf = async (client = by): Promise<number> =>
  Date.parse((await client.get(CLOCK).expect(200)).body.now);
const advance = async (move: object, client = by): Promise<Response['body']> =>
  (await client.post(ADVANCE, move).expect(200)).body;
/** The answer, as counts by kind. */
const happened = (answer: Response['body']): Readonly<Record<string, number>> =>
  Object.fromEntries(
    answer.happened.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
  );
const create = async (path: string, body: object, client = by): Promise<Response['body']> =>
  (await client.post(path, body).expect(201)).body;

describe('the test clock', () => {
  it('is ahead by what it was moved by, for test records only', async () => {
    const before = await timeOf();
    const moved = await advance({ by: 'P10D' });
    expect(Date.parse(moved.now) - Date.parse(moved.from)).toBe(10 * 24 * 60 * MINUTE_MS);
    expect(Date.parse(moved.from)).toBeGreaterThanOrEqual(before - TOLERATED_MS);
    expect(moved).toMatchObject({ complete: true });
    const clock = (await by.get(CLOCK).expect(200)).body;
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(moved.now) - TOLERATED_MS);
    expect(Date.parse(clock.realTime)).toBeLessThan(Date.parse(moved.now));
    expect(clock).toMatchObject({ enabled: true, advancing: false, lastAdvance: moved });

    const charge = await create('/v1/charges', aCardRequest());
    expect(Date.parse(charge.createdAt)).toBeGreaterThanOrEqual(Date.parse(moved.now) - TOLERATED_MS);
    const live = await create('/v1/charges', aCardRequest(), withKey(gateway, shop.liveKey));
    expect(Date.parse(live.createdAt)).toBeLessThan(Date.parse(moved.now));
    // Settings and users belong to no environment.
    const admin = await operator(gateway, 'test');
    const { body } = await admin
      .post(`/v1/merchants/${shop.id}/settings`, { name: 'readAfterWrite', content: true })
      .expect(201);
    expect(Date.parse(body.createdAt)).toBeLessThan(Date.parse(moved.now));
  });

  it('never goes back, and says what is wrong with a move', async () => {
    const before = await timeOf();
    const past = new Date(before - MINUTE_MS).toISOString();
    for (const [move, path] of [
      [{ to: past }, 'to'],
      [{ by: 'P0D' }, 'by'],
      [{ by: 'P1M' }, 'by'],
      [{ by: '-P1D' }, 'by'],
      [{ by: 'P99999D' }, 'by'],
      [{ to: 'tomorrow' }, 'to'],
      [{}, ''],
      [{ by: 'P1D', to: '2027-01-01T00:00:00Z' }, ''],
    ] as const) {
      const { body } = await by.post(ADVANCE, move).expect(400);
      expect([move, body.errors[0].path]).toEqual([move, path]);
    }
    const after = await timeOf();
    expect(after).toBeGreaterThanOrEqual(before - TOLERATED_MS);
    expect(after - before).toBeLessThan(24 * 60 * MINUTE_MS);
  });

  it('is not for live keys, nor for a key that may not create charges', async () => {
    const live = withKey(gateway, shop.liveKey);
    expect((await live.get(CLOCK).expect(403)).body.code).toBe('TEST_ENVIRONMENT_ONLY');
    expect((await live.post(ADVANCE, { by: 'P1D' }).expect(403)).body.code).toBe('TEST_ENVIRONMENT_ONLY');
    const admin = await operator(gateway, 'test');
    await admin.get(CLOCK).expect(200);
    await admin.post(ADVANCE, { by: 'PT1S' }).expect(200);
  });

  it('cannot be moved on a gateway that was started without it, where test records have the real time', async () => {
    const without = await startTestGateway({ ...gateway().variables, TEST_CLOCK: '0', ROLE: 'api' });
    const at = withKey(() => without, shop.testKey);
    expect((await at.post(ADVANCE, { by: 'P1D' }).expect(403)).body.code).toBe('TEST_CLOCK_OFF');
    const { body } = await at.get(CLOCK).expect(200);
    expect(body).toMatchObject({ enabled: false, advancing: false, now: body.realTime });
    await without.stop({ keepData: true });
  });

  it('is moved by the client, which waits until it has arrived', async () => {
    const portico = createPortico({ baseUrl: gateway().url, credentials: shop.testKey });
    const moved = await portico.moveTestClock({ by: 'P1D' });
    expect(moved.complete).toBe(true);
    await expect(portico.moveTestClock({ by: 'P0D' })).rejects.toThrow(PorticoError);
  });

  it('lets payments expire, settles, and ends keys, each at its own instant', async () => {
    await advance({ by: 'PT1S' });
    const pix = await create('/v1/charges', aPixRequest());
    const card = await create('/v1/charges', aCardRequest());
    const end = new Date((await timeOf()) + 5 * 24 * 60 * MINUTE_MS).toISOString();
    const admin = await operator(gateway);
    const keys = `/v1/admin/merchants/${shop.id}/api-keys`;
    const { body: key } = await admin.post(keys, { livemode: false, expiresAt: end }).expect(201);
    await withKey(gateway, key.secretKey).get(CLOCK).expect(200);

    const moved = await advance({ by: 'P40D' });
    expect(happened(moved)).toMatchObject({ charge: 1, api_key: 1 });
    expect(happened(moved).settlement).toBeGreaterThanOrEqual(1);
    await withKey(gateway, key.secretKey).get(CLOCK).expect(401);
    const expired = (await by.get(`/v1/charges/${pix.id}`).expect(200)).body;
    expect(expired).toMatchObject({ status: 'failed', updatedAt: pix.expiresAt });
    const lines = (await by.getAfter('latest', `/v1/statement?chargeId=${card.id}&size=100`)).body.data;
    const settled = lines.filter((line: Response['body']) => line.movement_type === 'settlement');
    expect(settled).toHaveLength(2);
    const { body: read } = await by.get(`/v1/charges/${card.id}`).expect(200);
    expect(read.status).toBe('paid');
    const daysLater = (Date.parse(settled[0].createdAt) - Date.parse(card.createdAt)) / (24 * 60 * MINUTE_MS);
    expect(daysLater).toBeGreaterThan(0);
    expect(daysLater).toBeLessThan(40);
  });

  it('is the clock of a test key, even where an operator changes it from a live session', async () => {
    const admin = await operator(gateway, 'live');
    const keys = `/v1/admin/merchants/${shop.id}/api-keys`;
    const { body: old } = await admin.post(keys, { livemode: false }).expect(201);
    const { body: rolled } = await admin
      .post(`${keys}/${old.id}/roll`, { validForSeconds: 3_600 })
      .expect(201);
    await withKey(gateway, old.secretKey).get(CLOCK).expect(200);
    await advance({ by: 'PT2H' });
    await withKey(gateway, old.secretKey).get(CLOCK).expect(401);
    await withKey(gateway, rolled.secretKey).get(CLOCK).expect(200);
  });

  it('tries webhooks again at the times of their schedule', async () => {
    receiver.react(() => 'fail');
    const endpoint = { url: `${receiver.url}/hooks`, events: ['charge.paid'] };
    await create('/v1/webhook-endpoints', endpoint);
    const charge = await create('/v1/charges', aCardRequest());
    const moved = await advance({ by: 'P3D' });
    const deliveries = (await by.getAfter('latest', `/v1/webhook-deliveries?size=100`)).body.data;
    const [delivery] = deliveries;
    expect(delivery).toMatchObject({ status: 'failed' });
    const { body } = await by.get(`/v1/webhook-deliveries/${delivery.id}`).expect(200);
    const at = body.attempts.map((attempt: Response['body']) => Date.parse(attempt.at));
    expect(at).toHaveLength(3);
    const hours = [at[1] - at[0], at[2] - at[1]].map((ms) => ms / (60 * MINUTE_MS));
    expect(hours[0]).toBeGreaterThan(0.5);
    expect(hours[0]).toBeLessThan(1.5);
    expect(hours[1]).toBeGreaterThan(12);
    expect(hours[1]).toBeLessThan(36);
    expect(happened(moved).webhook_delivery).toBeGreaterThanOrEqual(2);
    expect(charge.status).toBe('paid');
    receiver.react(() => 'accept');
  });

  it('renews subscriptions, and charges each cycle when it begins', async () => {
    const subscriber = await aSubscriber(by);
    const { id } = await subscribe(by, subscriber);
    const moved = await advance({ by: 'P90D' });
    expect(happened(moved).subscription).toBeGreaterThanOrEqual(3);
    const cycles = (await by.get(`/v1/subscriptions/${id}/cycles`).expect(200)).body.data;
    expect(cycles.map(({ status }: Response['body']) => status)).toEqual([
      'paid',
      'paid',
      'paid',
      'scheduled',
    ]);
    for (const cycle of cycles.slice(0, 3)) {
      const [attempt] = cycle.attempts;
      expect(attempt.at).toBe(cycle.dueAt);
      const { body } = await by.get(`/v1/charges/${attempt.chargeId}`).expect(200);
      expect(body.createdAt).toBe(cycle.dueAt);
    }
  });

  it('stops rarely for what stays open for months, because nobody decides on it', async () => {
    const document = { type: 'cpf', id: '529.982.247-25' };
    const facts = { name: 'Ana Souza', email: 'ana@example.com', document };
    const { id: customerId } = await create('/v1/customers', facts);
    const startDate = new Date((await timeOf()) + 80 * DAY_MS).toISOString().slice(0, 10);
    await create(`/v1/customers/${customerId}/payment-methods`, {
      ...{ type: 'pix_automatic', journey: 'qr', interval: 'month', amount: 49.9, startDate },
      ...{ retries: 'none', contract: 'contract-1001', description: 'Gym membership' },
    });
    const paid = await create('/v1/charges', aCardRequest({}, { number: '4000000000007726' }));
    const refunded = await create('/v1/refunds', { chargeId: paid.id, reason: 'sent back' });
    expect(refunded.status).toBe('pending');
    const stops = async (): Promise<number> =>
      (await gateway().db.collection(TEST_CLOCKS.collection).findOne())?.version;
    const before = await stops();
    expect(happened(await advance({ by: 'P90D' }))).toMatchObject({ payment_method: 1 });
    // Some forty with what other tests have left; it would be thousands if each were asked about every hour.
    expect((await stops()) - before).toBeLessThan(200);
  });

  it('stops where an attempt to deliver would have ended that a crash has cut off', async () => {
    const { db } = gateway();
    const deliveries = db.collection<WebhookDelivery>(DELIVERIES.collection);
    const one = await deliveries.findOne({ livemode: false }, { projection: { _id: 0 } });
    if (!one) throw new Error('there is no delivery yet');
    const [begunAt, dueAt] = [1, 60].map((seconds) => timestamp(new Date(Date.now() + seconds * 1_000)));
    const cutOff = { ...one, id: `${one.id}0`, status: 'pending', begunAt, dueAt } as WebhookDelivery;
    await deliveries.insertOne(cutOff);
    expect(await createDueOfTest(db).findNext()).toEqual(new Date(dueAt ?? 0));
    await deliveries.deleteOne({ id: cutOff.id });
  });

  it('has one order of two moves that come at once', async () => {
    const before = await timeOf();
    const moves = await Promise.all([advance({ by: 'P1D' }), advance({ by: 'P2D' }), advance({ by: 'P3D' })]);
    const [first, second, third] = moves.sort((a, b) => (a.from < b.from ? -1 : 1));
    expect(second.from >= first.now && third.from >= second.now).toBe(true);
    expect((await timeOf()) - before).toBeGreaterThanOrEqual(6 * 24 * 60 * MINUTE_MS - TOLERATED_MS);
  });
});
