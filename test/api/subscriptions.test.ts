import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { aCard } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'subscriptions=4' });

let master: TestMerchant;
let shop: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  master = await gateway().createMaster();
  shop = withKey(gateway, master.testKey);
}, 180_000);
afterAll(() => receiver.close());

const CONSENT = '2026-01-31T12:00:00.000Z';
const PAYS = '4242424242424242';
const REFUSED = '4000000000009995';
const NEVER_PAID = '4000000000000341';

const MONTHLY = { amount: 49.9, currency: 'BRL', interval: 'month' };
const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.test',
  document: { type: 'cpf', id: '52998224725' },
};
const aCustomer = async (by = shop, facts: object = ANA): Promise<string> =>
  (await by.post('/v1/customers', facts).expect(201)).body.id;
const aMethod = async (customerId: string, number = PAYS, by = shop): Promise<string> => {
  const token = await by.post('/v1/card-tokens', { ...aCard(), number }).expect(201);
  const path = `/v1/customers/${customerId}/payment-methods`;
  const body = { token: token.body.id, consentAt: CONSENT };
  return (await by.post(path, body).expect(201)).body.id;
};
const aPlan = async (changes: object = {}, by = shop): Promise<string> =>
  (await by.post('/v1/plans', { name: 'Monthly', ...MONTHLY, ...changes }).expect(201)).body.id;

type Wanted = { readonly number?: string; readonly by?: Client } & object;
/** Creates a subscription by a stored card. */
const subscribe = async (wanted: object = {}, { number = PAYS, by = shop }: Wanted = {}) => {
  const customerId = await aCustomer(by);
  const paymentMethodId = await aMethod(customerId, number, by);
  const body = { customerId, price: MONTHLY, collection: 'automatic', paymentMethodId, ...wanted };
  return (await by.post('/v1/subscriptions', body).expect(201)).body;
};
const pathOf = (id: string) => `/v1/subscriptions/${id}`;
const read = async (id: string, by = shop): Promise<Response['body']> =>
  (await by.get(pathOf(id)).expect(200)).body;
const cycles = async (id: string, by = shop): Promise<Response['body'][]> =>
  (await by.get(`${pathOf(id)}/cycles`).expect(200)).body.data;
/** The cycles once the first has its outcome: on a busy machine a provider may answer late. */
const decided = (id: string): Promise<Response['body'][]> =>
  pollUntil(
    () => cycles(id),
    ([first]) => first.status !== 'open',
  );
const advance = async (id: string, until: Date | string): Promise<Response['body']> =>
  (await shop.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200)).body;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];
const chargeOf = async (id: string, by = shop): Promise<Response['body']> =>
  (await by.get(`/v1/charges/${id}`).expect(200)).body;

describe('a subscription by card', () => {
  it('is charged at once, and on the same day of each month for a year', async () => {
    const subscription = await subscribe({ planId: await aPlan(), price: undefined });
    expect(subscription).toMatchObject({
      id: expect.stringMatching(/^sub_\w{32}$/),
      status: 'active',
      cycle: 1,
      price: { ...MONTHLY, intervalCount: 1 },
      timeZone: 'UTC',
      trialEnd: null,
      latestChargeId: expect.stringMatching(/^chg_\w{32}$/),
    });
    const charge = await chargeOf(subscription.latestChargeId);
    expect(charge).toMatchObject({
      status: 'paid',
      amount: 49.9,
      subscriptionId: subscription.id,
      cycleNumber: 1,
      reference: null,
      paymentMethod: { id: subscription.paymentMethodId, initiator: 'customer' },
    });
    const advanced = await advance(subscription.id, inDays(365));
    expect(advanced.subscription).toMatchObject({ status: 'active', cycle: expect.any(Number) });
    const all = await cycles(subscription.id);
    expect(all.length).toBeGreaterThanOrEqual(13);
    const paid = all.filter(({ status }) => status === 'paid');
    expect(all.slice(0, -1)).toEqual(paid);
    expect(all.at(-1)).toMatchObject({ status: 'scheduled', dueAt: advanced.subscription.nextChargeAt });
    expect(new Set(paid.map(({ attempts }) => attempts[0].chargeId)).size).toBe(paid.length);
    for (const { dueAt, attempts } of paid.slice(1))
      expect(attempts[0].at.slice(0, 16)).toBe(dueAt.slice(0, 16));
    const latest = await chargeOf(paid.at(-1)?.attempts[0].chargeId);
    expect(latest.paymentMethod.initiator).toBe('merchant');
  });

  it('goes on where a charge of a cycle is refunded, and its cycles say so', async () => {
    const { id, latestChargeId: chargeId } = await subscribe();
    await shop.post('/v1/refunds', { chargeId, reason: 'a wrong size' }).expect(201);
    const [first] = await cycles(id);
    expect(first).toMatchObject({ status: 'paid', attempts: [{ chargeId, chargeStatus: 'refunded' }] });
    expect((await read(id)).status).toBe('active');
  });

  it('waits for the end of its trial, and tells every step to endpoints and its own address', async () => {
    const postbackUrl = `${receiver.url}/own`;
    const events = ['created', 'activated', 'renewed', 'payment_failed', 'cancelled', 'paused', 'expired'];
    await shop
      .post('/v1/webhook-endpoints', {
        url: `${receiver.url}/all`,
        events: events.map((name) => `subscription.${name}`),
      })
      .expect(201);
    const metadata = { tier: 'of this test alone' };
    const subscription = await subscribe({ trialDays: 14, postbackUrl, metadata });
    expect(subscription).toMatchObject({ status: 'trialing', cycle: 0, latestChargeId: null });
    expect(subscription.trialEnd).toBe(subscription.nextChargeAt);
    const { happened } = await advance(subscription.id, inDays(20));
    expect(happened.map(({ event }: { event: string }) => event)).toEqual([
      'subscription.attempted',
      'subscription.renewed',
    ]);
    await shop.post(`${pathOf(subscription.id)}/pause`, {}).expect(200);
    await shop.post(`${pathOf(subscription.id)}/resume`).expect(200);
    await shop.post(`${pathOf(subscription.id)}/cancel`, { when: 'now', reason: 'moved' }).expect(200);
    const told = ['created', 'activated', 'renewed', 'paused', 'activated', 'cancelled'];
    for (const path of ['/all', '/own']) {
      const names = () =>
        receiver.received
          .filter((one) => one.path === path)
          .map(({ body }) => JSON.parse(body))
          .filter(({ data }) => data.id === subscription.id)
          .map(({ event }) => event.slice('subscription.'.length));
      await pollUntil(
        async () => names().length,
        (count) => count >= told.length,
      );
      expect([...names()].sort()).toEqual([...told].sort());
    }
    const [renewed] = receiver.received
      .filter(({ path }) => path === '/own')
      .map(({ body }) => JSON.parse(body))
      .filter(({ event }) => event === 'subscription.renewed');
    expect(renewed).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      livemode: false,
      data: { status: 'active', cycleNumber: 1, attempt: 1, nextAttemptAt: null, price: MONTHLY, metadata },
    });
    // Metadata may be large: the document alone has them, and no event of the many.
    const { db } = gateway();
    const stored = await db.collection('domain_events').find({ resourceId: subscription.id }).toArray();
    expect(stored.length).toBeGreaterThan(6);
    expect(JSON.stringify(stored)).not.toContain(metadata.tier);
    const { data } = (await shop.getAfter('latest', '/v1/subscriptions?status=cancelled')).body;
    expect(data.find(({ id }: { id: string }) => id === subscription.id).metadata).toEqual(metadata);
  });

  it('is attempted again on the days of its plan, and ends when every attempt has failed', async () => {
    const subscription = await subscribe({ retryDays: [1, 3], trialDays: 1 }, { number: NEVER_PAID });
    const { subscription: ended, happened } = await advance(subscription.id, inDays(30));
    expect(ended).toMatchObject({ status: 'cancelled', endReason: 'payment_failed', nextChargeAt: null });
    const failures = happened.filter(
      ({ event }: { event: string }) => event === 'subscription.payment_failed',
    );
    expect(failures).toHaveLength(3);
    const [{ status, attempts }] = await cycles(subscription.id);
    expect(status).toBe('uncollectible');
    const days = attempts.map(({ at }: { at: string }) => Date.parse(at) / DAY_MS);
    expect(Math.round(days[1] - days[0])).toBe(1);
    expect(Math.round(days[2] - days[1])).toBe(3);
    expect(new Set(attempts.map(({ chargeId }: { chargeId: string }) => chargeId)).size).toBe(3);
  });

  it('comes back with another card, which is attempted at once', async () => {
    const subscription = await subscribe({ trialDays: 1 }, { number: REFUSED });
    const { subscription: late } = await advance(subscription.id, inDays(3));
    expect(late.status).toBe('past_due');
    const paymentMethodId = await aMethod(subscription.customerId);
    const { body } = await shop.call('patch', pathOf(subscription.id), { paymentMethodId }).expect(200);
    expect(body).toMatchObject({ status: 'active', paymentMethodId });
    expect((await cycles(subscription.id))[0]).toMatchObject({ status: 'paid' });
  });

  it('is never activated where its first charge is refused, and expires a day later', async () => {
    const subscription = await subscribe({}, { number: REFUSED });
    expect(subscription).toMatchObject({ status: 'incomplete', latestChargeId: expect.any(String) });
    const { subscription: expired } = await advance(subscription.id, inDays(2));
    expect(expired).toMatchObject({ status: 'expired', endReason: 'never_activated' });
  });

  it('ends after its last cycle, or on its day', async () => {
    const byNumber = await subscribe({ maxCycles: 2 });
    expect((await advance(byNumber.id, inDays(100))).subscription).toMatchObject({
      status: 'expired',
      endReason: 'completed',
      cycle: 2,
    });
    const byDay = await subscribe({ endDate: inDays(40).toISOString().slice(0, 10) });
    expect((await advance(byDay.id, inDays(100))).subscription).toMatchObject({
      status: 'expired',
      cycle: 2,
    });
  });

  it('changes its price with the next cycle, and never its currency', async () => {
    const subscription = await subscribe();
    const price = { ...MONTHLY, amount: 59.9 };
    const { body } = await shop.call('patch', pathOf(subscription.id), { price }).expect(200);
    expect(body).toMatchObject({ price: MONTHLY, nextPrice: { planId: null, price } });
    expect((await cycles(subscription.id)).map(({ amount }) => amount)).toEqual([49.9, 59.9]);
    await advance(subscription.id, inDays(35));
    expect((await cycles(subscription.id)).map(({ amount }) => amount)).toEqual([49.9, 59.9, 59.9]);
    const other = await shop.call('patch', pathOf(subscription.id), { price: { ...price, currency: 'USD' } });
    expect(code(other)).toEqual([422, 'CURRENCY_CHANGE_NOT_ALLOWED']);
    const stale = await shop.call('patch', pathOf(subscription.id), { version: 1, description: 'x' });
    expect(code(stale)).toEqual([409, 'VERSION_CHANGED']);
  });

  it('leaves out the cycles of a pause, and goes on with its calendar', async () => {
    const subscription = await subscribe();
    await shop.post(`${pathOf(subscription.id)}/pause`, {}).expect(200);
    await advance(subscription.id, inDays(70));
    const { body } = await shop.post(`${pathOf(subscription.id)}/resume`).expect(200);
    expect(body.status).toBe('active');
    const all = await cycles(subscription.id);
    expect(all.map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'scheduled']);
    expect(all.at(-1)?.dueAt).toBe(body.nextChargeAt);
  });

  it('is cancelled at the end of its period, unless that is undone', async () => {
    const subscription = await subscribe();
    const cancel = () =>
      shop.post(`${pathOf(subscription.id)}/cancel`, { when: 'period_end', reason: 'too expensive' });
    const { body } = await cancel().expect(200);
    expect(body).toMatchObject({
      status: 'active',
      cancelAt: body.currentPeriodEnd,
      cancelReason: 'too expensive',
      nextChargeAt: null,
    });
    const undone = await shop.post(`${pathOf(subscription.id)}/undo-cancel`).expect(200);
    expect(undone.body).toMatchObject({ cancelAt: null, nextChargeAt: body.currentPeriodEnd });
    await cancel().expect(200);
    const { subscription: ended } = await advance(subscription.id, inDays(60));
    expect(ended).toMatchObject({ status: 'cancelled', endReason: 'requested', cycle: 1 });
    expect(code(await cancel())).toEqual([422, 'SUBSCRIPTION_ENDED']);
  });

  it('keeps its payment method and its customer from being deleted, and ends where an operator erases them', async () => {
    const subscription = await subscribe();
    const path = `/v1/customers/${subscription.customerId}`;
    const revoke = () => shop.call('delete', `${path}/payment-methods/${subscription.paymentMethodId}`);
    expect(code(await revoke())).toEqual([422, 'PAYMENT_METHOD_IN_USE']);
    expect(code(await shop.call('delete', path))).toEqual([422, 'CUSTOMER_HAS_SUBSCRIPTIONS']);
    const over = await subscribe();
    await shop.post(`${pathOf(over.id)}/cancel`, { when: 'now' }).expect(200);
    await shop.call('delete', `/v1/customers/${over.customerId}`).expect(204);
    const email = 'erased@example.test';
    await shop.call('patch', path, { email }).expect(200);
    await (await operator(gateway, 'test')).post('/v1/admin/customers/erase', { email }).expect(200);
    expect(await read(subscription.id)).toMatchObject({ status: 'cancelled', endReason: 'customer_erased' });
    await shop.call('delete', path).expect(204);
  });
});

describe('the calendar of a merchant', () => {
  const clockIn = (at: string, timeZone: string): readonly string[] =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
      .format(new Date(at))
      .split(' ');

  it.each([
    ['Pacific/Auckland', 9],
    ['America/Los_Angeles', 9],
    ['Asia/Kathmandu', 23],
    ['Europe/Lisbon', 0],
  ])('is that of %s, where cycles fall due at %d o’clock in summer and winter', async (timeZone, hour) => {
    const merchant = await gateway().createMerchant({ timeZone });
    const by = withKey(gateway, merchant.testKey);
    if (hour !== 9)
      await (await operator(gateway))
        .post(`/v1/merchants/${merchant.id}/settings`, { name: 'subscription_hour', content: hour })
        .expect(201);
    const { id } = await subscribe({ startDate: '2031-01-31' }, { by });
    const until = '2032-03-02T00:00:00.000Z';
    for (const day of ['2030-06-01T00:00:00.000Z', until])
      await by.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until: day }).expect(200);
    const due = (await cycles(id, by)).map(({ dueAt }) => clockIn(dueAt, timeZone));
    const lastDays = ['01-31', '02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30'];
    const days = [...lastDays, '10-31', '11-30', '12-31'].map((day) => `2031-${day}`);
    const time = `${String(hour).padStart(2, '0')}:00`;
    expect(due.slice(0, 14)).toEqual([...days, '2032-01-31', '2032-02-29'].map((day) => [day, time]));
  });
});

describe('a plan', () => {
  it('has a price that never changes, and may be closed for new subscriptions', async () => {
    const id = await aPlan({ trialDays: 3, description: 'For one person.', metadata: { tier: 1 } });
    const path = `/v1/plans/${id}`;
    const { body: plan } = await shop.get(path).expect(200);
    expect(plan).toMatchObject({
      ...MONTHLY,
      intervalCount: 1,
      trialDays: 3,
      active: true,
      metadata: { tier: 1 },
    });
    await shop.call('patch', path, { amount: 1 }).expect(400);
    expect((await shop.call('patch', path, { name: 'Basic', active: false }).expect(200)).body).toEqual({
      ...plan,
      name: 'Basic',
      active: false,
      updatedAt: expect.any(String),
    });
    const customerId = await aCustomer();
    const paymentMethodId = await aMethod(customerId);
    const body = { customerId, planId: id, collection: 'automatic' };
    const closed = await shop.post('/v1/subscriptions', { ...body, paymentMethodId });
    expect(code(closed)).toEqual([422, 'PLAN_NOT_ACTIVE']);
    await shop.call('patch', path, { active: true }).expect(200);
    expect(code(await shop.post('/v1/subscriptions', body))).toEqual([422, 'PAYMENT_METHOD_REQUIRED']);
    const { body: trial } = await shop.post('/v1/subscriptions', { ...body, paymentMethodId }).expect(201);
    expect(trial.status).toBe('trialing');
    const listed = await shop.getAfter('latest', '/v1/plans?q=basic&active=true');
    expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    await stranger.get(path).expect(404);
    await stranger.call('patch', path, { name: 'mine' }).expect(404);
  });
});

describe('a cycle', () => {
  const retry = (id: string, number: number | string) => shop.post(`${pathOf(id)}/cycles/${number}/retry`);

  it('is attempted once more at once, without consequences where it was given up', async () => {
    const subscription = await subscribe({ trialDays: 1, retryDays: [1] }, { number: NEVER_PAID });
    expect(code(await retry(subscription.id, 1))[0]).toBe(404);
    await advance(subscription.id, inDays(2));
    const wanted = { retryDays: [], onExhausted: 'pause', trialDays: 1 };
    const paused = await subscribe(wanted, { number: NEVER_PAID });
    expect((await advance(paused.id, inDays(3))).subscription.status).toBe('paused');
    expect((await retry(paused.id, 1).expect(200)).body.status).toBe('paused');
    expect((await decided(paused.id))[0]).toMatchObject({ status: 'uncollectible' });
    const paymentMethodId = await aMethod(paused.customerId);
    await shop.call('patch', pathOf(paused.id), { paymentMethodId }).expect(200);
    expect((await retry(paused.id, 1).expect(200)).body.status).toBe('paused');
    expect((await decided(paused.id))[0].status).toBe('paid');
    expect(code(await retry(paused.id, 1))).toEqual([422, 'CYCLE_NOT_OPEN']);
    for (const number of ['0', '2', 'one', '1000000'])
      expect((await retry(paused.id, number)).status).toBe(404);
  });

  it('waits for its attempt', async () => {
    const customerId = await aCustomer();
    const body = { customerId, price: MONTHLY, collection: 'payer' };
    const { body: subscription } = await shop.post('/v1/subscriptions', body).expect(201);
    expect(code(await retry(subscription.id, 1))).toEqual([422, 'ATTEMPT_IN_PROGRESS']);
    expect(code(await shop.post(`${pathOf(subscription.id)}/pause`, {}))).toEqual([
      422,
      'TRANSITION_NOT_ALLOWED',
    ]);
  });

  it('waits without losing anything while the gateway cannot charge it', async () => {
    const subscription = await subscribe({ trialDays: 1 });
    const setStatus = async (status: string): Promise<void> => {
      await gateway().db.collection('merchants').updateOne({ id: master.id }, { $set: { status } });
      await leasesEnd();
    };
    await setStatus('suspended');
    try {
      const { subscription: waiting } = await advance(subscription.id, inDays(2));
      expect(waiting.status).toBe('trialing');
      const [cycle] = await cycles(subscription.id);
      expect(cycle).toMatchObject({ status: 'open', attempts: [], waitsFor: 'MERCHANT_NOT_ACTIVE' });
    } finally {
      await setStatus('active');
    }
    expect((await advance(subscription.id, inDays(4))).subscription.status).toBe('active');
  });
});

describe('a subscription that its customer pays', () => {
  it('makes a Pix charge for each cycle, and is past due where nobody pays', async () => {
    const customerId = await aCustomer();
    const body = { customerId, price: MONTHLY, collection: 'payer', payerDays: 5 };
    const { body: subscription } = await shop.post('/v1/subscriptions', body).expect(201);
    expect(subscription).toMatchObject({ status: 'incomplete', payerMethod: 'pix', paymentMethodId: null });
    const charge = await chargeOf(subscription.latestChargeId);
    expect(charge).toMatchObject({ status: 'pending', paymentMethod: { type: 'pix' } });
    await shop.post(`/v1/test-helpers/charges/${charge.id}/pay`).expect(200);
    expect(await read(subscription.id)).toMatchObject({ status: 'active' });

    const { subscription: late } = await advance(subscription.id, inDays(40));
    expect(late.status).toBe('past_due');
    const [, second] = await cycles(subscription.id);
    expect(second.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['failed', 'pending']);
    await shop.post(`/v1/test-helpers/charges/${late.latestChargeId}/pay`).expect(200);
    expect(await read(subscription.id)).toMatchObject({ status: 'active' });
  });

  it('has its waiting charge cancelled with it', async () => {
    const customerId = await aCustomer();
    const body = { customerId, price: MONTHLY, collection: 'payer', payerMethod: 'voucher' };
    const { body: subscription } = await shop.post('/v1/subscriptions', body).expect(201);
    await shop.post(`${pathOf(subscription.id)}/cancel`, { when: 'now' }).expect(200);
    expect(await chargeOf(subscription.latestChargeId)).toMatchObject({
      status: 'failed',
      failureReason: 'cancelled',
    });
  });

  it('is refused where the customer cannot pay in that way', async () => {
    const customerId = await aCustomer(shop, { name: 'Ana', email: 'ana@example.test' });
    const create = (body: object) =>
      shop.post('/v1/subscriptions', { customerId, collection: 'payer', ...body });
    for (const body of [
      { price: { ...MONTHLY, currency: 'USD' } },
      { price: MONTHLY, payerMethod: 'voucher' },
    ])
      expect(code(await create(body))).toEqual([422, 'PAYER_METHOD_NOT_POSSIBLE']);
  });
});

describe('subscriptions', () => {
  it.each(['created', 'activated', 'renewed', 'payment_failed', 'cancelled', 'paused', 'expired'])(
    'tell that they are %s',
    async (name) => {
      const { body } = await shop.getAfter('latest', `/v1/events?event=subscription.${name}&size=1`);
      expect(body.data[0]).toMatchObject({ event: `subscription.${name}`, data: { merchantId: master.id } });
    },
  );

  it('are listed and filtered, and seen by a master', async () => {
    const sub = withKey(gateway, (await createSubMerchant(gateway, master)).testKey);
    const subscription = await subscribe({ reference: 'contract-1' }, { by: sub });
    const list = async (query: string) =>
      (await shop.getAfter('latest', `/v1/subscriptions?${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list('reference=contract-1&status=active')).toEqual([subscription.id]);
    expect(await list('reference=contract-1&status=paused')).toEqual([]);
    expect(await list(`customerId=${subscription.customerId}&orderBy=nextChargeAt`)).toEqual([
      subscription.id,
    ]);
    expect(code(await shop.post(`${pathOf(subscription.id)}/pause`, {}))).toEqual([
      403,
      'SUBSCRIPTION_OWNER_ONLY',
    ]);
    const charges = await shop.getAfter('latest', `/v1/charges?subscriptionId=${subscription.id}`);
    expect(charges.body.data).toHaveLength(1);
  });

  it('are nothing to others and in the other environment', async () => {
    const subscription = await subscribe();
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    const live = withKey(gateway, master.liveKey);
    for (const other of [stranger, live]) {
      await other.get(pathOf(subscription.id)).expect(404);
      await other.get(`${pathOf(subscription.id)}/cycles`).expect(404);
      await other.post(`${pathOf(subscription.id)}/cancel`, { when: 'now' }).expect(404);
      await other.call('patch', pathOf(subscription.id), { description: 'mine' }).expect(404);
    }
    expect((await read(subscription.id)).status).toBe('active');
  });

  it('have a reference of their own where the merchant wants that', async () => {
    const merchant = await gateway().createMerchant();
    const by = withKey(gateway, merchant.testKey);
    const admin = await operator(gateway);
    const setting = { name: 'unique_references', content: true };
    await admin.post(`/v1/merchants/${merchant.id}/settings`, setting).expect(201);
    const { id, customerId, paymentMethodId } = await subscribe({ reference: 'contract-7' }, { by });
    const body = {
      customerId,
      paymentMethodId,
      price: MONTHLY,
      collection: 'automatic',
      reference: 'contract-7',
    };
    const again = () => by.post('/v1/subscriptions', body);
    expect(code(await again())).toEqual([422, 'REFERENCE_ALREADY_USED']);
    await by.post(`${pathOf(id)}/cancel`, { when: 'now' }).expect(200);
    const answers = await Promise.all([again(), again(), again()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  it('are counted by month and plan', async () => {
    const merchant = await gateway().createMerchant();
    const by = withKey(gateway, merchant.testKey);
    const planId = await aPlan({ amount: 120, interval: 'year' }, by);
    for (let count = 0; count < 2; count += 1) await subscribe({ planId, price: undefined }, { by });
    const ended = await subscribe({}, { by });
    await by.post(`${pathOf(ended.id)}/cancel`, { when: 'now' }).expect(200);
    const { body } = await by.getAfter('latest', '/v1/reports/subscriptions?months=2');
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    const row = { month, currency: 'BRL', pastDue: 0 };
    expect(body.data).toEqual(
      expect.arrayContaining([
        { ...row, planId, active: 2, new: 2, lost: 0, monthlyRevenue: 20 },
        { ...row, planId: null, active: 0, new: 1, lost: 1, monthlyRevenue: 0 },
      ]),
    );
    expect(body.data).toHaveLength(2);
    await shop.get(`/v1/reports/subscriptions?merchantId=${merchant.id}`).expect(403);
  });

  it('name an earlier one that looks the same', async () => {
    const subscription = await subscribe();
    const { customerId, paymentMethodId } = subscription;
    const body = { customerId, paymentMethodId, price: MONTHLY, collection: 'automatic' };
    const { headers } = await shop.post('/v1/subscriptions', body).expect(201);
    expect(headers['x-possible-duplicate-of']).toBe(subscription.id);
  });

  it.each([
    [{ price: MONTHLY, planId: `plan_${'0'.repeat(32)}` }, 400],
    [{}, 400],
    [{ price: { ...MONTHLY, amount: 1.234 } }, 400],
    [{ price: { ...MONTHLY, intervalCount: 13 } }, 400],
    [{ price: MONTHLY, startDate: '2020-01-01' }, 400],
    [{ price: MONTHLY, startDate: '2035-02-30' }, 400],
    [{ price: { ...MONTHLY, interval: 'week' }, anchorDay: 5 }, 400],
    [{ price: MONTHLY, endDate: '2026-01-01' }, 400],
    [{ price: MONTHLY, retryDays: Array.from({ length: 9 }, () => 1) }, 400],
    [{ price: MONTHLY, postbackUrl: 'http://10.0.0.1/' }, 400],
    [{ price: MONTHLY, split: [{ merchantId: 'mer_unknown', percentage: 1 }] }, 422],
    [{ planId: `plan_${'0'.repeat(32)}` }, 404],
  ])('are refused with %j', async (wanted, status) => {
    const customerId = await aCustomer();
    const paymentMethodId = await aMethod(customerId);
    const body = { customerId, paymentMethodId, collection: 'automatic', ...wanted };
    const before = await gateway().db.collection('subscriptions').countDocuments();
    const answer = await shop.post('/v1/subscriptions', body);
    expect(answer.status).toBe(status);
    expect(await gateway().db.collection('subscriptions').countDocuments()).toBe(before);
  });
});
