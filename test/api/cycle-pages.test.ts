import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { modules } from '../../src/main/modules.ts';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { PAYER, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { faultsOfCycles } from '../support/subscribers.ts';

const gateway = useGateway(PATIENT);
const { get, post, pay } = payersOf(gateway);

const REFUSED = '4000 0000 0000 0002';
const WEEKLY = { amount: 49.9, currency: 'BRL', interval: 'week' };

let master: TestMerchant;
let shop: ReturnType<typeof withKey>;
let receiver: Receiver;
// From the eleventh card of a minute on the pages of a shop ask for a proof of work.
beforeEach(async () => {
  master = await gateway().createMaster();
  shop = withKey(gateway, master.testKey);
});
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

type Body = Response['body'];
const create =
  (wanted: object = {}) =>
  async (): Promise<Response> => {
    const customerId = (await shop.post('/v1/customers', PAYER).expect(201)).body.id;
    const body = { customerId, price: WEEKLY, collection: 'payer', payerMethod: 'checkout', ...wanted };
    return shop.post('/v1/subscriptions', body);
  };
/** A subscription whose customer pays each cycle on a page. */
const subscribe = async (wanted: object = {}): Promise<Body> => {
  const answer = await create(wanted)();
  expect(answer.status).toBe(201);
  return answer.body;
};
const read = async (id: string): Promise<Body> =>
  (await shop.get(`/v1/subscriptions/${id}`).expect(200)).body;
const cycles = async (id: string): Promise<Body[]> =>
  (await shop.get(`/v1/subscriptions/${id}/cycles`).expect(200)).body.data;
/** The open page of a subscription: its cycle, its path and its session. */
const openPage = async (id: string) => {
  const cycle = (await cycles(id)).find(({ checkoutUrl }) => checkoutUrl !== null);
  const { checkoutSessionId } = cycle.attempts.at(-1);
  return { cycle, path: new URL(cycle.checkoutUrl).pathname, sessionId: checkoutSessionId };
};
const session = async (id: string): Promise<Body> =>
  (await shop.get(`/v1/checkout-sessions/${id}`).expect(200)).body;
const charge = async (id: string): Promise<Body> => (await shop.get(`/v1/charges/${id}`).expect(200)).body;
const advance = async (id: string, days: number): Promise<Body> => {
  const until = new Date(Date.now() + days * DAY_MS);
  return (await shop.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200)).body;
};
/** Puts the clock forward until there is a page that is not the given one. */
const nextPage = async (id: string, besides = ''): ReturnType<typeof openPage> => {
  for (let days = 1; days < 60; days += 1) {
    const until = new Date(Date.now() + days * DAY_MS);
    // Refused where its clock is ahead of that already.
    await shop.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until });
    const open = (await cycles(id)).some(
      ({ checkoutUrl, attempts }) => checkoutUrl !== null && attempts.at(-1).checkoutSessionId !== besides,
    );
    if (open) return openPage(id);
  }
  throw new Error('no page is opened');
};
const change = (id: string, name: string, body: object = {}) =>
  shop.post(`/v1/subscriptions/${id}/${name}`, body).expect(200);
const outcomes = ({ attempts }: Body): readonly unknown[] =>
  attempts.map(({ outcome, reason }: Body) => [outcome, reason]);
afterEach(async () => {
  expect(await faultsOfCycles(gateway().db)).toEqual([]);
});

describe('a cycle that its customer pays on a page', () => {
  it('is open in the request that makes the subscription, and paid by the method that the customer chooses', async () => {
    const plan = await shop.post('/v1/plans', { name: 'Box of tea', ...WEEKLY }).expect(201);
    const wanted = { planId: plan.body.id, price: undefined, reference: 'tea-1', payerDays: 5 };
    const subscription = await subscribe(wanted);
    expect(subscription).toMatchObject({
      status: 'incomplete',
      payerMethod: 'checkout',
      latestChargeId: null,
    });
    const { cycle, path, sessionId } = await openPage(subscription.id);
    expect(cycle).toMatchObject({ number: 1, status: 'open', nextAttemptAt: null });
    expect(cycle.attempts).toEqual([
      expect.objectContaining({ chargeId: null, outcome: 'pending', chargeStatus: null }),
    ]);
    const opened = await session(sessionId);
    expect(opened).toMatchObject({
      status: 'open',
      mode: 'payment',
      amount: 49.9,
      description: 'Box of tea',
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      cycleNumber: 1,
      reference: 'tea-1',
      url: cycle.checkoutUrl,
    });
    expect(Date.parse(opened.expiresAt) - Date.parse(opened.createdAt)).toBe(5 * DAY_MS);
    expect(textOf(await get(path).expect(200))).toContain('Box of tea');
    expect((await shop.post(`/v1/subscriptions/${subscription.id}/cycles/1/retry`)).body.code).toBe(
      'ATTEMPT_IN_PROGRESS',
    );

    await pay(path, 'pix').expect(303);
    const { chargeId } = await session(sessionId);
    expect(await charge(chargeId)).toMatchObject({ subscriptionId: subscription.id, cycleNumber: 1 });
    await shop.post(`/v1/test-helpers/charges/${chargeId}/pay`).expect(200);
    expect(await read(subscription.id)).toMatchObject({ status: 'active', latestChargeId: chargeId });
    const [paid] = await cycles(subscription.id);
    expect(paid).toMatchObject({ status: 'paid', checkoutUrl: null });
    expect(paid.attempts).toEqual([
      expect.objectContaining({
        chargeId,
        checkoutSessionId: sessionId,
        outcome: 'paid',
        chargeStatus: 'paid',
      }),
    ]);
    expect((await session(sessionId)).status).toBe('completed');
  });

  it('goes on while cards are refused, and is paid by the next one', async () => {
    const { id } = await subscribe();
    const { path } = await openPage(id);
    await pay(path, 'credit_card', { ...TYPED_CARD, number: REFUSED }).expect(303);
    expect(await read(id)).toMatchObject({ status: 'incomplete' });
    expect((await openPage(id)).path).toBe(path);
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    expect(await read(id)).toMatchObject({ status: 'active' });
    expect(outcomes((await cycles(id))[0])).toEqual([['paid', null]]);
  });

  it('gets a page of its own each week, with the price of the day, and tells it to endpoints', async () => {
    await shop
      .post('/v1/webhook-endpoints', {
        url: `${receiver.url}/pages`,
        events: ['checkout.opened', 'subscription.renewed', 'subscription.payment_failed'],
      })
      .expect(201);
    const { id } = await subscribe({ retryDays: [2] });
    await pay((await openPage(id)).path, 'credit_card', TYPED_CARD).expect(303);
    await shop.call('patch', `/v1/subscriptions/${id}`, { price: { ...WEEKLY, amount: 59.9 } }).expect(200);
    const second = await nextPage(id);
    expect(second.cycle).toMatchObject({ number: 2, amount: 59.9 });
    expect(await session(second.sessionId)).toMatchObject({ amount: 59.9, cycleNumber: 2 });
    await pay(second.path, 'credit_card', TYPED_CARD).expect(303);
    expect(await read(id)).toMatchObject({ status: 'active', cycle: 2 });
    const told = () =>
      receiver.received.filter(({ path }) => path === '/pages').map(({ body }) => JSON.parse(body));
    await pollUntil(
      async () => told().length,
      (count) => count >= 3,
    );
    const openings = told().filter(({ event }) => event === 'checkout.opened');
    expect(openings.map(({ data }) => [data.subscriptionId, data.cycleNumber]).sort()).toEqual([
      [id, 1],
      [id, 2],
    ]);
    const { chargeId } = await session(second.sessionId);
    const [renewed] = told().filter(({ event }) => event === 'subscription.renewed');
    expect(renewed.data).toMatchObject({ cycleNumber: 2, chargeId, attempt: 1, checkoutUrl: null });
  });

  it('is paid each time where references are unique among charges, as all cycles have the same one', async () => {
    const admin = await operator(gateway, 'test');
    const setting = { name: 'unique_references', content: true };
    await admin.post(`/v1/merchants/${master.id}/settings`, setting).expect(201);
    const { id } = await subscribe({ reference: 'tea-1' });
    await pay((await openPage(id)).path, 'credit_card', TYPED_CARD).expect(303);
    await pay((await nextPage(id)).path, 'credit_card', TYPED_CARD).expect(303);
    expect((await cycles(id)).slice(0, 2).map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  it('is past due where nobody pays, is opened again, and is cancelled in the end', async () => {
    const { id } = await subscribe({ trialDays: 1, payerDays: 3, retryDays: [2] });
    const { happened, subscription } = await advance(id, 5);
    expect(happened.map(({ event }: Body) => event)).toContain('subscription.payment_failed');
    expect(subscription.status).toBe('past_due');
    const { cycle, path, sessionId } = await nextPage(id);
    expect(outcomes(cycle)).toEqual([
      ['failed', 'expired'],
      ['pending', null],
    ]);
    const [first] = cycle.attempts;
    expect(await session(first.checkoutSessionId)).toMatchObject({ status: 'expired' });
    expect((await session(sessionId)).url).toBe(cycle.checkoutUrl);
    const { subscription: ended } = await advance(id, 30);
    expect(ended).toMatchObject({ status: 'cancelled', endReason: 'payment_failed' });
    expect((await cycles(id))[0]).toMatchObject({ status: 'uncollectible', checkoutUrl: null });
    await pay(path, 'pix').expect(303);
    expect(await session(sessionId)).toMatchObject({ status: 'expired', chargeIds: [] });
  });

  it('expires by the clock of the machine, too, with the first one never paid', async () => {
    const { id } = await subscribe();
    const { sessionId } = await openPage(id);
    const past = new Date(Date.now() - 1_000).toISOString();
    const changes = { expiresAt: past, reconcileAt: past };
    await gateway().db.collection('checkout_sessions').updateOne({ id: sessionId }, { $set: changes });
    const ended = await pollUntil(
      () => read(id),
      ({ status }) => status === 'expired',
    );
    expect(ended.endReason).toBe('never_activated');
    expect((await session(sessionId)).status).toBe('expired');
  });

  it('waits for a voucher that was begun in time, and ends with it', async () => {
    const { id } = await subscribe({ trialDays: 1, payerDays: 3, retryDays: [10] });
    await advance(id, 2);
    const { path, sessionId } = await openPage(id);
    await pay(path, 'voucher', { document: '529.982.247-25', bankName: 'Banco Ipê' }).expect(303);
    const { chargeId } = await session(sessionId);
    const { expiresAt } = await charge(chargeId);
    // The voucher is older than the clock of the subscription, and its time passes by that clock.
    const days = (Date.parse(expiresAt) - Date.now()) / DAY_MS;
    const { subscription } = await advance(id, Math.max(days, 5) + 1);
    expect(subscription.status).toBe('past_due');
    expect(await charge(chargeId)).toMatchObject({ status: 'failed', failureReason: 'expired' });
    expect(outcomes((await cycles(id))[0])).toEqual([['failed', 'expired']]);
  });

  it.each([
    ['a pause', 'pause', {}, 'paused'],
    ['a cancellation', 'cancel', { when: 'now' }, 'cancelled'],
  ])('is closed by %s, along with a payment that was begun', async (_name, name, body, status) => {
    const [idle, begun] = [await subscribe(), await subscribe()];
    for (const { id } of [idle, begun]) {
      await pay((await openPage(id)).path, 'credit_card', TYPED_CARD).expect(303);
    }
    const pages = [await nextPage(idle.id), await nextPage(begun.id)] as const;
    await pay(pages[1].path, 'pix').expect(303);
    const { chargeId } = await session(pages[1].sessionId);
    for (const [place, { id }] of [idle, begun].entries()) {
      await change(id, name, body);
      expect(await read(id)).toMatchObject({ status });
      const [, second] = await cycles(id);
      expect(second).toMatchObject({ status: 'uncollectible', checkoutUrl: null });
      expect(outcomes(second)).toEqual([['failed', 'not_awaited']]);
      const { path, sessionId } = pages[place as 0 | 1];
      const closed = await session(sessionId);
      expect(closed).toMatchObject({ status: 'cancelled', cancelReason: 'not_awaited' });
      await pay(path, 'pix').expect(303);
      expect((await session(sessionId)).chargeIds).toEqual(closed.chargeIds);
      expect(textOf(await get(path).expect(200))).toContain('The shop has cancelled this payment');
    }
    expect(await charge(chargeId)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('fails where the merchant closes its page, and where five cards were refused', async () => {
    const { id } = await subscribe({ trialDays: 1, retryDays: [1, 1] });
    await advance(id, 2);
    const first = await openPage(id);
    await shop.post(`/v1/checkout-sessions/${first.sessionId}/cancel`, {}).expect(200);
    expect(await read(id)).toMatchObject({ status: 'past_due' });
    const second = await nextPage(id);
    for (let refusal = 0; refusal < 5; refusal += 1)
      await pay(second.path, 'credit_card', { ...TYPED_CARD, number: REFUSED }).expect(303);
    expect(outcomes((await cycles(id))[0])).toEqual([
      ['failed', 'cancelled_by_merchant'],
      ['failed', 'too_many_refusals'],
    ]);
    await pay((await nextPage(id)).path, 'credit_card', TYPED_CARD).expect(303);
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('ends where an operator erases its customer', async () => {
    const { id, customerId } = await subscribe();
    const { sessionId } = await openPage(id);
    const path = `/v1/customers/${customerId}`;
    expect((await shop.call('delete', path).expect(422)).body.code).toBe('CUSTOMER_HAS_SUBSCRIPTIONS');
    const email = 'erased@example.test';
    await shop.call('patch', path, { email }).expect(200);
    await (await operator(gateway, 'test')).post('/v1/admin/customers/erase', { email }).expect(200);
    expect(await read(id)).toMatchObject({ status: 'cancelled', endReason: 'customer_erased' });
    expect((await session(sessionId)).status).toBe('cancelled');
  });

  it('is shown on the payer’s own page', async () => {
    const { id } = await subscribe();
    const { cycle } = await openPage(id);
    const { url } = (await shop.post(`/v1/subscriptions/${id}/portal`, {}).expect(200)).body;
    const html = textOf(await get(new URL(url).pathname).expect(200));
    expect(html).toContain('Pay now: R$49.90');
    expect(html).toContain(`href="${cycle.checkoutUrl}"`);
    await post(`${new URL(cycle.checkoutUrl).pathname}/pay`, { method: 'credit_card', ...TYPED_CARD }).expect(
      303,
    );
    expect(textOf(await get(new URL(url).pathname).expect(200))).not.toContain('Pay now');
  });

  it('leaves out a participant of the split who cannot receive when it is paid', async () => {
    const [kept, left] = [await createSubMerchant(gateway, master), await createSubMerchant(gateway, master)];
    const split = [kept, left].map(({ id: merchantId }) => ({ merchantId, percentage: 20 }));
    const { id } = await subscribe({ split });
    const { path } = await openPage(id);
    await gateway()
      .db.collection('merchants')
      .updateOne({ id: left.id }, { $set: { status: 'blocked' } });
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    const [{ attempts }] = await cycles(id);
    expect(attempts[0].leftOut).toEqual([left.id]);
    expect((await charge(attempts[0].chargeId)).split.map(({ merchantId }: Body) => merchantId)).toEqual([
      kept.id,
    ]);
  });

  it('waits while the merchant may not be paid', async () => {
    const { id } = await subscribe({ trialDays: 1 });
    const setStatus = async (status: string): Promise<void> => {
      await gateway().db.collection('merchants').updateOne({ id: master.id }, { $set: { status } });
      await leasesEnd();
    };
    await setStatus('suspended');
    await advance(id, 2).finally(() => setStatus('active'));
    expect((await cycles(id))[0]).toMatchObject({ status: 'open', waitsFor: 'MERCHANT_NOT_ACTIVE' });
    await advance(id, 4);
    expect((await openPage(id)).cycle.number).toBe(1);
  });
});

describe('money that comes late', () => {
  /** A page whose customer has begun to pay by Pix; `payIt` has the provider tell later that he was in time. */
  const begunOn = async (id: string) => {
    const { path, sessionId } = await openPage(id);
    await pay(path, 'pix').expect(303);
    const { chargeId } = await session(sessionId);
    const payIt = async (): Promise<void> => {
      const { simulator } = gateway().container.get(modules).providers;
      const { takeInNotification } = gateway().container.get(modules).providerNotifications;
      await simulator.payLate(chargeId, new Date());
      const notification = await simulator.notificationOf(chargeId, false);
      if (!notification) throw new Error('there is nothing to tell');
      await takeInNotification({ provider: 'simulator', notification }, systemContext('test'));
    };
    return { sessionId, chargeId, payIt };
  };

  it('for a page whose time has passed pays the cycle, and closes the page that was opened since', async () => {
    const { id } = await subscribe({ trialDays: 1, payerDays: 3, retryDays: [1] });
    await advance(id, 2);
    const first = await begunOn(id);
    const second = await nextPage(id, first.sessionId);
    await first.payIt();
    expect(await charge(first.chargeId)).toMatchObject({ status: 'paid' });
    expect(await read(id)).toMatchObject({
      status: 'active',
      latePayments: [],
      latestChargeId: first.chargeId,
    });
    expect(outcomes((await cycles(id))[0])[0]).toEqual(['paid', null]);
    const closed = await pollUntil(
      () => session(second.sessionId),
      (one) => one.status === 'cancelled',
    );
    expect(closed.cancelReason).toBe('not_awaited');
  });

  it('after the end of the subscription is kept and shown', async () => {
    const { id } = await subscribe({ trialDays: 1, payerDays: 3, retryDays: [] });
    await advance(id, 2);
    const { chargeId, payIt } = await begunOn(id);
    await advance(id, 20);
    expect(await read(id)).toMatchObject({ status: 'cancelled', endReason: 'payment_failed' });
    await payIt();
    expect((await read(id)).latePayments).toEqual([{ cycleNumber: 1, chargeId }]);
    expect((await cycles(id))[0].status).toBe('paid');
  });
});

it('after all this the check of the ledger finds nothing', async () => {
  expect(await checkLedger(gateway())).toEqual([]);
});

it('is refused with a way to pay that does not exist', async () => {
  expect((await create({ payerMethod: 'cheque' })()).status).toBe(400);
});
