import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { tenantOf } from '../../src/kernel/tenant.ts';
import { modules } from '../../src/main/modules.ts';
import type { Subscription } from '../../src/modules/subscriptions/write/subscription.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { aCard } from '../builders.ts';
import { type Client, operator, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { whileClockIsOff } from '../support/machine-clock.ts';
import { payersOf, TYPED_CARD } from '../support/payers.ts';
import { eventually } from '../support/program.ts';
import { aSubscriber, faultsOfCycles, makeDue, subscribe } from '../support/subscribers.ts';
import { volume } from '../support/volume.ts';

const ROUNDS = volume({ usual: 4, proof: 100 });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Body = Response['body'];

/** The faults that remain when the gateway's own worker, which may be at an attempt, has ended it. */
const faultsThatStay = (db: Database): Promise<readonly string[]> =>
  pollUntil(
    () => faultsOfCycles(db),
    (faults) => faults.length === 0,
  );

// Its worker makes attempts, too, along with those that the tests make.
const gateway = useGateway();

describe('an attempt that is raced', () => {
  let admin: Client;
  beforeAll(async () => {
    admin = await operator(gateway, 'test');
  });

  const stored = async (id: Subscription['id']): Promise<Subscription> => {
    const found = await gateway().db.collection<Subscription>('subscriptions').findOne({ id });
    if (!found) throw new Error(`no ${id}`);
    return found;
  };
  /** Does what is due for a subscription, as a worker that has just found it. */
  const attempt = async (id: Subscription['id']): Promise<void> => {
    const due = await stored(id);
    const context = { ...systemContext('subscriptions', tenantOf(due)), commits: [] };
    await gateway().container.get(modules).subscriptions.runDue(due, context);
  };
  const aShop = async (): Promise<{ readonly shop: Client; readonly merchantId: string }> => {
    const { id, testKey } = await gateway().createMerchant();
    return { shop: withKey(gateway, testKey), merchantId: id };
  };
  const chargesOf = (id: string): Promise<number> =>
    gateway().db.collection('charges').countDocuments({ 'cycle.subscriptionId': id });

  type Contender = (shop: Client, one: Body, merchantId: string) => Promise<unknown>;
  const change =
    (name: string, body: object): Contender =>
    (shop, { id }) =>
      shop.post(`/v1/subscriptions/${id}/${name}`, body).expect(200);
  const cancelled = async ({ id }: Body): Promise<void> => {
    expect((await stored(id)).status).toBe('cancelled');
  };

  it.each<[string, Contender, (one: Body) => Promise<void>]>([
    ['a cancellation', change('cancel', { when: 'now' }), cancelled],
    [
      'a pause',
      change('pause', {}),
      async ({ id }) => {
        expect((await stored(id)).status).toBe('paused');
      },
    ],
    [
      'the erasure of the customer',
      (_shop, { email }) => admin.post('/v1/admin/customers/erase', { email }).expect(200),
      cancelled,
    ],
    [
      'a block of the merchant',
      (_shop, _one, merchantId) =>
        admin
          .call('patch', `/v1/admin/merchants/${merchantId}`, { status: 'blocked', reason: 'fraud' })
          .expect(200),
      async () => undefined,
    ],
  ])('by %s is recorded, or there is no charge', async (_name, contend, holds) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { shop, merchantId } = await aShop();
      const subscriber = await aSubscriber(shop);
      const email = `ana${round}.${Date.now()}@example.test`;
      await shop.call('patch', `/v1/customers/${subscriber.customerId}`, { email }).expect(200);
      const { id } = await subscribe(shop, subscriber);
      await makeDue(gateway().db, { id });
      const contenders = [
        () => attempt(id),
        () => sleep(Math.random() * 30).then(() => contend(shop, { id, email }, merchantId)),
        () => attempt(id),
      ];
      // Each of them starts first in some rounds.
      const shift = round % contenders.length;
      const order = [...contenders.slice(shift), ...contenders.slice(0, shift)];
      await Promise.all(order.map((contender) => contender()));

      const made = await chargesOf(id);
      expect(made).toBeLessThanOrEqual(1);
      await holds({ id });
      // Nothing is charged from now on, no matter which was first.
      await makeDue(gateway().db, { id }, 0, 90);
      await attempt(id);
      expect(await chargesOf(id)).toBe(made);
    }
    expect(await faultsThatStay(gateway().db)).toEqual([]);
  });

  it('by another card is made with one of both, once', async () => {
    const { shop } = await aShop();
    for (let round = 0; round < ROUNDS; round += 1) {
      const subscriber = await aSubscriber(shop, { ...aCard(), number: '4000000000000341' });
      const { id } = await subscribe(shop, subscriber);
      const token = (await shop.post('/v1/card-tokens', aCard()).expect(201)).body.id;
      const path = `/v1/customers/${subscriber.customerId}/payment-methods`;
      const method = (await shop.post(path, { token, consentAt: '2026-01-31T12:00:00.000Z' }).expect(201))
        .body;
      await makeDue(gateway().db, { id });
      const other = { paymentMethodId: method.id };
      await Promise.all([
        attempt(id),
        shop.call('patch', `/v1/subscriptions/${id}`, other).expect(200),
        attempt(id),
      ]);
      await attempt(id);
      // The gateway's own worker may have been faster with the last attempt, and be still at it.
      await pollUntil(
        () => gateway().db.collection('subscription_cycles').findOne({ subscriptionId: id }),
        (cycle) => cycle?.status === 'paid',
      );
      expect(await stored(id)).toMatchObject({ status: 'active', open: [], paymentMethodId: method.id });
    }
    expect(await faultsThatStay(gateway().db)).toEqual([]);
  });
});

describe('a customer who is deleted while something of theirs is stored', () => {
  const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
  /** Everything of a customer that goes on after the deletion, as a lost race would leave it. */
  const leftOf = async (customerId: string): Promise<readonly string[]> => {
    const { db } = gateway();
    const [subscriptions, methods, sessions] = await Promise.all([
      db.collection('subscriptions').find({ customerId, endedAt: null }).toArray(),
      db.collection('payment_methods').find({ customerId, status: 'active' }).toArray(),
      db.collection('checkout_sessions').find({ customerId, status: 'open' }).toArray(),
    ]);
    return [...subscriptions, ...methods, ...sessions].map(({ id }) => id);
  };
  const subscribing = (shop: Client, customerId: string, _token: string) =>
    shop.post('/v1/subscriptions', { customerId, price, collection: 'payer', payerMethod: 'pix' });
  const storing = (shop: Client, customerId: string, token: string) =>
    shop.post(`/v1/customers/${customerId}/payment-methods`, {
      token,
      consentAt: '2026-01-31T12:00:00.000Z',
    });
  const opening = (shop: Client, customerId: string, _token: string) =>
    shop.post('/v1/checkout-sessions', { amount: 10, currency: 'BRL', customerId });

  it.each([
    ['a subscription', subscribing],
    ['a card', storing],
    ['a checkout session', opening],
  ])('leaves %s neither without its customer nor unended', async (_name, begin) => {
    const refused = 'CUSTOMER_HAS_SUBSCRIPTIONS';
    const statuses = new Set<string>();
    for (let round = 0; round < 4 * ROUNDS; round += 1) {
      const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
      const facts = { name: 'Ana Souza', email: 'ana@example.test', phone: '+5511999990000' };
      const address = { country: 'BR', line1: 'Rua A', city: 'Santos', state: 'SP', postalCode: '11000000' };
      const document = { type: 'cpf', id: '39053344705' };
      const payer = { ...facts, address, document };
      const customerId = (await shop.post('/v1/customers', payer).expect(201)).body.id;
      const token = (await shop.post('/v1/card-tokens', aCard()).expect(201)).body.id;
      const [begun, deleted] = await Promise.all([
        begin(shop, customerId, token),
        sleep(Math.random() * 20).then(() => shop.call('delete', `/v1/customers/${customerId}`)),
      ]);
      statuses.add(`${begun.status} ${deleted.status}`);
      // A revocation is the worker's, which goes on after the answer.
      if (deleted.status === 204)
        await eventually('nothing is left', async () => (await leftOf(customerId)).length === 0);
      else expect([begun.status, deleted.status, deleted.body.code]).toEqual([201, 422, refused]);
    }
    for (const both of statuses) expect(['201 204', '404 204', '201 422']).toContain(both);
  });
});

describe('a page on which a cycle is paid, and its subscription is changed meanwhile', () => {
  const { pay } = payersOf(gateway);
  const ends: readonly (readonly [
    string,
    (shop: Client, id: string, sessionId: string) => Promise<unknown>,
  ])[] = [
    ['cancelled', (shop, id) => shop.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200)],
    ['paused', (shop, id) => shop.post(`/v1/subscriptions/${id}/pause`, {}).expect(200)],
    [
      'past its time',
      (_shop, _id, id) => {
        const past = new Date(Date.now() - 1).toISOString();
        const changes = { $set: { expiresAt: past, reconcileAt: past } };
        return gateway().db.collection('checkout_sessions').updateOne({ id, status: 'open' }, changes);
      },
    ],
  ];

  it.each(ends)('is paid once or %s, and never both', async (_name, end) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // From the eleventh card of a minute on a shop has its payers prove their work.
      const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
      const { customerId } = await aSubscriber(shop);
      const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
      const body = { customerId, price, collection: 'payer', payerMethod: 'checkout', trialDays: 1 };
      const { id } = (await shop.post('/v1/subscriptions', body).expect(201)).body;
      await makeDue(gateway().db, { id });
      const cycle = () => gateway().db.collection('subscription_cycles').findOne({ subscriptionId: id });
      const page = (await pollUntil(cycle, (found) => found !== null))?.attempts[0].page;
      const path = new URL(page.url).pathname;
      await Promise.all([
        pay(path, 'credit_card', TYPED_CARD),
        sleep(Math.random() * 40).then(() => end(shop, id, page.id)),
        pay(path, 'credit_card', TYPED_CARD),
      ]);
      const read = async () => ({
        charges: await gateway().db.collection('charges').find({ 'cycle.subscriptionId': id }).toArray(),
        session: await gateway().db.collection('checkout_sessions').findOne({ id: page.id }),
        attempt: (await cycle())?.attempts[0],
      });
      const { charges, session, attempt } = await pollUntil(
        read,
        (found) => found.attempt.outcome !== 'pending' && found.session?.status !== 'open',
      );
      const paid = charges.filter(({ status }) => status === 'paid');
      expect(paid.length).toBeLessThanOrEqual(1);
      expect(charges.filter(({ status }) => status !== 'paid')).toEqual([]);
      expect([session?.status === 'completed', attempt.outcome]).toEqual(
        paid.length === 1 ? [true, 'paid'] : [false, 'failed'],
      );
    }
    expect(await faultsThatStay(gateway().db)).toEqual([]);
  });
});

describe('a clock of the machine that jumps', () => {
  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['a day ahead', DAY_MS],
    ['a day back', -DAY_MS],
  ])('%s lets each due cycle be charged once, and none before its time', async (_name, byMs) => {
    const { db } = gateway();
    const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
    const subscriber = await aSubscriber(shop);
    const [now, soon, later] = await Promise.all([1, 2, 3].map(() => subscribe(shop, subscriber)));
    await makeDue(db, { id: now.id });
    await makeDue(db, { id: soon.id }, 2_000);
    const count = (id: string): Promise<number> =>
      db.collection('charges').countDocuments({ 'cycle.subscriptionId': id, status: 'paid' });
    await whileClockIsOff(byMs, () =>
      eventually('both are charged', async () => (await count(now.id)) + (await count(soon.id)) >= 2, 60_000),
    );
    await eventually('both are active', async () => {
      const ids = [now.id, soon.id];
      return (
        (await db.collection('subscriptions').countDocuments({ id: { $in: ids }, status: 'active' })) === 2
      );
    });
    await sleep(1_500);
    expect(await Promise.all([now, soon, later].map(({ id }) => count(id)))).toEqual([1, 1, 0]);
    expect(await faultsThatStay(db)).toEqual([]);
  });
});

describe('a pause while the provider is still being asked', () => {
  const slow = useGateway({ SIMULATOR_LATENCY_MS: '1500', PROVIDER_TIMEOUT_MS: '20000' });

  it.each(['pix', 'checkout'])('leaves nothing that the customer could pay: %s', async (payerMethod) => {
    const shop = withKey(slow, (await slow().createMerchant()).testKey);
    const { customerId } = await aSubscriber(shop);
    const wanted = { customerId, collection: 'payer', payerMethod, trialDays: 1 };
    const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
    const { id } = (await shop.post('/v1/subscriptions', { ...wanted, price }).expect(201)).body;
    await makeDue(slow().db, { id });
    const asked = { 'cycle.subscriptionId': id, status: 'pending', instructions: null };
    let payment = Promise.resolve();
    if (payerMethod === 'checkout') {
      const cycles = async (): Promise<Body> => (await shop.get(`/v1/subscriptions/${id}/cycles`)).body;
      const { data } = await pollUntil(cycles, ({ data: [cycle] }) => Boolean(cycle?.checkoutUrl));
      payment = payersOf(slow)
        .pay(new URL(data[0].checkoutUrl).pathname, 'pix')
        .then(() => undefined);
    }
    await eventually('the provider is being asked', async () =>
      Boolean(await slow().db.collection('charges').findOne(asked)),
    );
    const { body } = await shop.post(`/v1/subscriptions/${id}/pause`, {}).expect(200);
    expect(body.status).toBe('paused');
    await payment;
    await eventually('the charge is cancelled', async () =>
      Boolean(
        await slow().db.collection('charges').findOne({ 'cycle.subscriptionId': id, status: 'failed' }),
      ),
    );
  });
});
