import type { Response } from 'supertest';
import { dateOfDay, dayOf, isBusinessDay } from '../../src/kernel/business-days.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/durations.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { cutOffOf } from '../../src/modules/providers/pix/mandate-terms.ts';
import { aCard } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, createSubMerchant, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

jest.setTimeout(60_000);

/** A provider of Pix that offers no mandates; nobody calls it. */
const gateway = useGateway({
  ...PATIENT,
  LIVE_PROVIDERS: 'pix=mercado-pago',
  MERCADO_PAGO_API_URL: 'http://127.0.0.1:9',
  MERCADO_PAGO_ACCESS_TOKEN: `TEST-${'0'.repeat(40)}`,
  MERCADO_PAGO_WEBHOOK_SECRET: '0'.repeat(32),
});

let master: TestMerchant;
let shop: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  master = await gateway().createMaster();
  shop = withKey(gateway, master.testKey);
}, 180_000);
afterAll(() => receiver.close());

type Body = Response['body'];

const MONTHLY = { amount: 49.9, currency: 'BRL', interval: 'month' };
const ANA = { name: 'Ana Souza', email: 'ana@example.test', document: { type: 'cpf', id: '52998224725' } };
const today = pixDayOf(new Date());
/** A Tuesday without a holiday, so that the two days after it are business days as well. */
const tuesdayFrom = (from: number): number => {
  let day = from;
  while (new Date(day * DAY_MS).getUTCDay() !== 2 || ![day, day + 1, day + 2].every(isBusinessDay)) day += 1;
  return day;
};
const START = tuesdayFrom(today + 6);
const MANDATE = {
  type: 'pix_automatic',
  journey: 'qr',
  interval: 'month',
  amount: 49.9,
  startDate: dateOfDay(START),
  retries: 'three_in_seven_days',
  contract: 'contract-1001',
  description: 'Gym membership',
};

const aCustomer = async (by = shop, facts: object = ANA): Promise<string> =>
  (await by.post('/v1/customers', facts).expect(201)).body.id;
const pathOf = (customerId: string) => `/v1/customers/${customerId}/payment-methods`;
const enroll = async (customerId: string, changes: object = {}, by = shop): Promise<Body> =>
  (await by.post(pathOf(customerId), { ...MANDATE, ...changes }).expect(201)).body;
const play = (id: string, decision: string, body?: object, by = shop) =>
  by.post(`/v1/test-helpers/payment-methods/${id}/${decision}`, body);
const method = async ({ customerId, id }: Body): Promise<Body> =>
  (await shop.get(`${pathOf(customerId)}/${id}`).expect(200)).body;
const approved = async (changes: object = {}, pays = 'always'): Promise<Body> => {
  const { id } = await enroll(await aCustomer(), changes);
  return (await play(id, 'approve', { pays }).expect(200)).body;
};
const storeCard = async (customerId: string): Promise<string> => {
  const token = await shop.post('/v1/card-tokens', aCard()).expect(201);
  const card = { token: token.body.id, consentAt: '2026-01-31T12:00:00.000Z' };
  return (await shop.post(pathOf(customerId), card).expect(201)).body.id;
};
const subscribe = async (mandate: Body, wanted: object = {}): Promise<Body> => {
  const { customerId, id: paymentMethodId } = mandate;
  const body = { customerId, price: MONTHLY, collection: 'automatic', paymentMethodId, ...wanted };
  return (await shop.post('/v1/subscriptions', body).expect(201)).body;
};
const read = async (id: string): Promise<Body> =>
  (await shop.get(`/v1/subscriptions/${id}`).expect(200)).body;
const cycles = async (id: string): Promise<Body[]> =>
  (await shop.get(`/v1/subscriptions/${id}/cycles`).expect(200)).body.data;
const chargeOf = async (id: string): Promise<Body> => (await shop.get(`/v1/charges/${id}`).expect(200)).body;
const advance = async (id: string, until: Date | string): Promise<Body> =>
  (await shop.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200)).body;
/** Ten o'clock in UTC of a day, an hour after subscriptions are collected. */
const at = (day: number): Date => new Date(day * DAY_MS + 10 * HOUR_MS);
const change = (id: string, name: string, body: object = {}) =>
  shop.post(`/v1/subscriptions/${id}/${name}`, body);
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];
const names = (happened: readonly { event: string }[]) => happened.map(({ event }) => event);
const released = (id: string): Promise<Body> =>
  pollUntil(
    () => chargeOf(id),
    ({ status }) => status === 'failed',
  );

describe('a mandate', () => {
  it('waits for its payer with a code, and is active once it is approved', async () => {
    const customerId = await aCustomer();
    const mandate = await enroll(customerId);
    expect(mandate).toMatchObject({
      id: expect.stringMatching(/^pm_\w{32}$/),
      type: 'pix_automatic',
      status: 'pending',
      brand: null,
      copyPaste: expect.stringContaining('br.gov.bcb.pix'),
      qrCode: expect.stringMatching(/^data:image\/png/),
      consentAt: null,
      mandate: {
        journey: 'qr',
        interval: 'month',
        intervalCount: 1,
        amount: 49.9,
        minimumAmount: null,
        startDate: MANDATE.startDate,
        endDate: null,
        retries: 'three_in_seven_days',
        contract: 'contract-1001',
        description: 'Gym membership',
        firstChargeId: null,
      },
    });
    expect(await method(mandate)).toEqual(mandate);
    const { body: active } = await play(mandate.id, 'approve').expect(200);
    expect(active).toMatchObject({ status: 'active', copyPaste: null, consentAt: expect.any(String) });
    const list = await shop.getAfter('latest', pathOf(customerId));
    expect(list.body.data).toMatchObject([{ id: mandate.id, status: 'active' }]);
  });

  it('fails where the payer rejects it, and is revoked where the payer cancels it later', async () => {
    const rejected = await enroll(await aCustomer());
    const { body: failed } = await play(rejected.id, 'reject').expect(200);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'rejected', copyPaste: null });
    for (const decision of ['approve', 'reject', 'cancel'])
      expect(code(await play(rejected.id, decision))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    const mandate = await approved();
    expect(code(await play(mandate.id, 'reject'))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    const { body: revoked } = await play(mandate.id, 'cancel').expect(200);
    expect(revoked).toMatchObject({ status: 'revoked', failureReason: 'mandate_cancelled' });
  });

  it('is revoked by its merchant, and can be approved no more', async () => {
    const mandate = await enroll(await aCustomer());
    await shop.call('delete', `${pathOf(mandate.customerId)}/${mandate.id}`).expect(204);
    expect((await method(mandate)).status).toBe('revoked');
    expect(code(await play(mandate.id, 'approve'))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
  });

  it.each([
    ['an interval that no mandate can have', { interval: 'week', intervalCount: 2 }, 422],
    ['five years', { interval: 'year', intervalCount: 5 }, 422],
    ['a start that is too near', { startDate: dateOfDay(today + 4) }, 400],
    ['an end before its start', { endDate: dateOfDay(START - 1) }, 400],
    ['a minimum beside an amount', { minimumAmount: 10 }, 400],
    ['a third digit of an amount', { amount: 49.999 }, 400],
    ['no contract', { contract: undefined }, 400],
    ['a name of the contract that is too long', { contract: 'x'.repeat(36) }, 400],
    ['a journey that there is not', { journey: 'letter' }, 400],
    ['a card token', { token: `tok_${'0'.repeat(32)}` }, 400],
  ])('is refused with %s', async (_, changes, status) => {
    const customerId = await aCustomer();
    const answer = await shop.post(pathOf(customerId), { ...MANDATE, ...changes });
    expect(code(answer)).toEqual([status, status === 422 ? 'INTERVAL_NOT_SUPPORTED' : 'VALIDATION_FAILED']);
  });

  it('is approved along with a payment, by a code that holds both', async () => {
    const customerId = await aCustomer();
    const pix = {
      amount: 49.9,
      currency: 'BRL',
      customerId,
      paymentMethod: { type: 'pix', installments: 1 },
    };
    const charge: Body = (await shop.post('/v1/charges', pix).expect(201)).body;
    const both = { journey: 'qr_with_payment', chargeId: charge.id };
    const mandate = await enroll(customerId, both);
    expect(mandate).toMatchObject({
      status: 'pending',
      copyPaste: expect.stringContaining('br.gov.bcb.pix'),
    });
    expect(mandate.mandate).toMatchObject({ journey: 'qr_with_payment', firstChargeId: charge.id });
    expect(code(await play(mandate.id, 'approve'))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    await shop.post(`/v1/test-helpers/charges/${charge.id}/pay`).expect(200);
    expect((await play(mandate.id, 'approve').expect(200)).body.status).toBe('active');
    const refused = async (changes: object, owner = customerId) =>
      code(await shop.post(pathOf(owner), { ...MANDATE, ...changes }));
    const notPossible = [422, 'MANDATE_CHARGE_NOT_POSSIBLE'];
    expect(await refused(both)).toEqual(notPossible);
    const open: Body = (await shop.post('/v1/charges', pix).expect(201)).body;
    const openBoth = { ...both, chargeId: open.id };
    expect(await refused(openBoth, await aCustomer())).toEqual(notPossible);
    expect(await refused({ ...both, chargeId: `chg_${'0'.repeat(32)}` })).toEqual([404, 'NOT_FOUND']);
    expect(await refused({ ...openBoth, journey: 'qr' })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refused({ journey: 'qr_with_payment' })).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('needs a customer with a CPF or CNPJ, and a provider behind live keys that offers it', async () => {
    const nobody = await aCustomer(shop, { name: 'Ana Souza', email: 'ana@example.test' });
    expect(code(await shop.post(pathOf(nobody), MANDATE))).toEqual([400, 'VALIDATION_FAILED']);
    const live = withKey(gateway, master.liveKey);
    const customerId = await aCustomer(live);
    expect(code(await live.post(pathOf(customerId), MANDATE))).toEqual([422, 'PIX_AUTOMATIC_NOT_AVAILABLE']);
    expect(code(await live.post(`/v1/test-helpers/payment-methods/pm_${'0'.repeat(32)}/approve`))).toEqual([
      403,
      'TEST_ENVIRONMENT_ONLY',
    ]);
  });

  it('is nothing to others, and its payer is played by its own merchant only', async () => {
    const sub = await createSubMerchant(gateway, master);
    const own = withKey(gateway, sub.testKey);
    const mandate = await enroll(await aCustomer(own), {}, own);
    expect((await play(mandate.id, 'approve')).status).toBe(403);
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    expect((await play(mandate.id, 'approve', {}, stranger)).status).toBe(404);
    expect((await play(mandate.id, 'approve', {}, own)).status).toBe(200);
  });

  it('is charged by subscriptions only', async () => {
    const { id, customerId } = await approved();
    const paymentMethod = { type: 'credit_card', installments: 1, id };
    const charge = { amount: 49.9, currency: 'BRL', customerId, paymentMethod };
    expect(code(await shop.post('/v1/charges', charge))).toEqual([422, 'PAYMENT_METHOD_FOR_SUBSCRIPTIONS']);
    const cvv = { paymentMethodId: id, cvv: '123' };
    expect(code(await shop.post('/v1/cvv-tokens', cvv))).toEqual([422, 'PAYMENT_METHOD_FOR_SUBSCRIPTIONS']);
  });

  it('has one outcome where its payer decides twice at once', async () => {
    const { id } = await enroll(await aCustomer());
    const answers = await Promise.all(
      ['approve', 'reject', 'approve', 'reject'].map((decision) => play(id, decision)),
    );
    const statuses = answers.filter(({ status }) => status === 200).map(({ body }) => body.status);
    expect(new Set(statuses).size).toBe(1);
  });
});

describe('a subscription under a mandate', () => {
  it('has its charges handed in five days ahead, which the bank pays on the day', async () => {
    const pending = await enroll(await aCustomer());
    const made = await subscribe(pending);
    expect(made).toMatchObject({ status: 'incomplete', retryDays: [2, 2, 2], cycle: 0 });
    await play(pending.id, 'approve').expect(200);
    const waiting = await read(made.id);
    expect(waiting).toMatchObject({ status: 'trialing', cycle: 0 });
    expect(waiting.nextChargeAt.slice(0, 10)).toBe(dateOfDay(START - 5));

    const { subscription: planned } = await advance(made.id, at(START - 5));
    expect(planned).toMatchObject({ status: 'trialing', cycle: 1 });
    const [first] = await cycles(made.id);
    expect(first).toMatchObject({
      status: 'open',
      dueAt: `${MANDATE.startDate}T09:00:00.000Z`,
      attempts: [{ outcome: 'pending', plannedOn: MANDATE.startDate, chargeStatus: 'pending' }],
    });
    expect(await chargeOf(first.attempts[0].chargeId)).toMatchObject({
      status: 'pending',
      amount: 49.9,
      subscriptionId: made.id,
      paymentDetails: null,
      paymentMethod: { type: 'pix', id: pending.id, plannedOn: MANDATE.startDate },
    });

    const { subscription: paid } = await advance(made.id, at(START));
    expect(paid).toMatchObject({ status: 'active', pastDueReason: null });
    expect((await cycles(made.id))[0]).toMatchObject({ status: 'paid' });
    const { subscription: later } = await advance(made.id, at(START + 365));
    const all = await cycles(made.id);
    expect(later.status).toBe('active');
    expect(all.filter(({ status }) => status === 'paid').length).toBeGreaterThanOrEqual(12);
    for (const { dueAt, attempts } of all.filter(({ status }) => status === 'paid')) {
      expect(attempts).toHaveLength(1);
      expect(isBusinessDay(dayOf(attempts[0].plannedOn))).toBe(true);
      expect(attempts[0].plannedOn >= dueAt.slice(0, 10)).toBe(true);
    }
    expect(await checkLedger(gateway())).toEqual([]);
  });

  it('lives three cycles, one of them retried, and ends with the mandate in the middle of a retry', async () => {
    const mandate = await approved();
    const { id } = await subscribe(mandate, { postbackUrl: receiver.url });
    await advance(id, at(START));
    await play(mandate.id, 'approve', { pays: 'on_retry' }).expect(200);
    const { happened } = await advance(id, at(START + 45));
    expect(names(happened)).toContain('subscription.payment_failed');
    const [one, two] = await cycles(id);
    expect(one).toMatchObject({ status: 'paid' });
    expect(two).toMatchObject({
      status: 'paid',
      attempts: [
        { outcome: 'failed', reason: 'insufficient_funds' },
        { outcome: 'paid', reason: null },
      ],
    });
    expect(dayOf(two.attempts[1].plannedOn) - dayOf(two.attempts[0].plannedOn)).toBeGreaterThanOrEqual(2);
    expect(await read(id)).toMatchObject({ status: 'active' });

    // The third one: its first attempt fails, and a retry is planned.
    const third = dayOf((await read(id)).nextChargeAt.slice(0, 10)) + 5;
    let day = third;
    while (!isBusinessDay(day)) day += 1;
    const { subscription: late } = await advance(id, at(day));
    expect(late).toMatchObject({ status: 'past_due', pastDueReason: 'insufficient_funds' });
    const { subscription: retried } = await advance(id, at(day + 1));
    expect(retried.status).toBe('past_due');
    const pending = (await cycles(id)).find(({ number }) => number === 3)?.attempts.at(-1);
    await play(mandate.id, 'cancel').expect(200);
    expect(await read(id)).toMatchObject({ status: 'past_due', pastDueReason: 'mandate_cancelled' });
    const { subscription: ended } = await advance(id, at(day + 30));
    expect(ended).toMatchObject({ status: 'cancelled', endReason: 'payment_failed' });
    const last = (await cycles(id)).find(({ number }) => number === 3);
    expect(last).toMatchObject({ status: 'uncollectible' });
    expect(last?.attempts.map(({ outcome }: Body) => outcome)).not.toContain('paid');
    if (pending?.chargeId) expect((await released(pending.chargeId)).failureReason).toBe('cancelled');
    expect((await cycles(id)).filter(({ status }) => status === 'paid')).toHaveLength(2);
    expect(await checkLedger(gateway())).toEqual([]);
  });

  it('is given up after three retries on different business days within seven', async () => {
    const mandate = await approved({}, 'never');
    const { id } = await subscribe(mandate);
    const { subscription } = await advance(id, at(START + 20));
    expect(subscription).toMatchObject({ status: 'cancelled', endReason: 'payment_failed' });
    const [{ attempts }] = await cycles(id);
    const days: number[] = attempts.map(({ plannedOn }: Body) => dayOf(plannedOn));
    expect(days.length).toBeGreaterThanOrEqual(2);
    expect(days.length).toBeLessThanOrEqual(4);
    expect(new Set(days).size).toBe(days.length);
    expect(Math.max(...days) - Math.min(...days)).toBeLessThanOrEqual(7);
    expect(days.every(isBusinessDay)).toBe(true);
  });

  it('is retried by no policy that allows none', async () => {
    const mandate = await approved({ retries: 'none' }, 'never');
    const refused = { customerId: mandate.customerId, price: MONTHLY, collection: 'automatic' };
    const body = { ...refused, paymentMethodId: mandate.id };
    expect(code(await shop.post('/v1/subscriptions', { ...body, retryDays: [1] }))).toEqual([
      422,
      'RETRY_DAYS_NOT_ALLOWED',
    ]);
    const { id, retryDays } = await subscribe(mandate, { onExhausted: 'pause' });
    expect(retryDays).toEqual([]);
    const { subscription } = await advance(id, at(START));
    expect(subscription.status).toBe('paused');
    expect(code(await change(id, 'cycles/1/retry'))).toEqual([422, 'CHARGE_WINDOW_MISSED']);
    expect((await cycles(id))[0]?.attempts).toHaveLength(1);
  });

  it('expires where its mandate is never approved', async () => {
    const mandate = await enroll(await aCustomer());
    const { id } = await subscribe(mandate);
    await play(mandate.id, 'reject').expect(200);
    expect(await read(id)).toMatchObject({ status: 'expired', endReason: 'never_activated' });
  });

  it('is past due from the day on which the payer cancels between two cycles, and goes on with another method', async () => {
    const mandate = await approved();
    const { id } = await subscribe(mandate);
    await advance(id, at(START + 1));
    await play(mandate.id, 'cancel').expect(200);
    expect(await read(id)).toMatchObject({ status: 'past_due', pastDueReason: 'mandate_cancelled' });
    const cardId = await storeCard(mandate.customerId);
    const { body } = await shop
      .call('patch', `/v1/subscriptions/${id}`, { paymentMethodId: cardId })
      .expect(200);
    expect(body).toMatchObject({ status: 'active', pastDueReason: null });
    const { subscription } = await advance(id, at(START + 40));
    expect(subscription).toMatchObject({ status: 'active', cycle: 2 });
  });

  it('is the only one of its mandate, however many want it at once', async () => {
    const { customerId, id: paymentMethodId } = await approved();
    const body = { customerId, price: MONTHLY, collection: 'automatic' };
    const create = () => shop.post('/v1/subscriptions', { ...body, paymentMethodId });
    const byCard = { ...body, paymentMethodId: await storeCard(customerId), startDate: MANDATE.startDate };
    const { id } = (await shop.post('/v1/subscriptions', byCard).expect(201)).body;
    const take = () => shop.call('patch', `/v1/subscriptions/${id}`, { paymentMethodId });
    const answers = await Promise.all([create(), take(), create(), create()]);
    const refused = answers.filter(({ status }) => status >= 400).map(code);
    expect(refused).toEqual(Array.from({ length: 3 }, () => [422, 'PAYMENT_METHOD_IN_USE']));
  });

  it('agrees with its mandate on interval, amount, days and currency', async () => {
    const mandate = await approved();
    const { customerId, id: paymentMethodId } = mandate;
    const body = { customerId, price: MONTHLY, collection: 'automatic', paymentMethodId };
    const refused = async (changes: object) =>
      code(await shop.post('/v1/subscriptions', { ...body, ...changes }));
    expect(await refused({ price: { ...MONTHLY, interval: 'week' } })).toEqual([
      422,
      'INTERVAL_NOT_SUPPORTED',
    ]);
    expect(await refused({ price: { ...MONTHLY, amount: 50 } })).toEqual([422, 'MANDATE_AMOUNT_FIXED']);
    expect(await refused({ price: { ...MONTHLY, currency: 'ARS' } })).toEqual([422, 'MANDATE_AMOUNT_FIXED']);
    expect(await refused({ retryDays: [3, 3, 3] })).toEqual([422, 'RETRY_DAYS_NOT_ALLOWED']);
    expect(await refused({ startDate: dateOfDay(START - 1) })).toEqual([400, 'VALIDATION_FAILED']);
    const { id } = await subscribe(mandate);
    expect(await refused({})).toEqual([422, 'PAYMENT_METHOD_IN_USE']);
    expect(code(await shop.call('delete', `${pathOf(customerId)}/${paymentMethodId}`))).toEqual([
      422,
      'PAYMENT_METHOD_IN_USE',
    ]);
    const dearer = { price: { ...MONTHLY, amount: 59.9 } };
    expect(code(await shop.call('patch', `/v1/subscriptions/${id}`, dearer))).toEqual([
      422,
      'MANDATE_AMOUNT_FIXED',
    ]);
    const floor = await approved({ amount: null, minimumAmount: 60 });
    const low = { ...body, customerId: floor.customerId, paymentMethodId: floor.id };
    expect(code(await shop.post('/v1/subscriptions', low))).toEqual([422, 'MANDATE_AMOUNT_TOO_LOW']);
  });
});

it('mandates and the charges that banks are to pay by them are in the report of subscriptions', async () => {
  const own = withKey(gateway, (await gateway().createMerchant()).testKey);
  const figures = async (): Promise<Body> => {
    const { body } = await own.getAfter('latest', '/v1/reports/subscriptions?months=1');
    return [body.mandates, body.plannedCharges];
  };
  const none = { pending: 0, active: 0, failed: 0, expired: 0, revoked: 0 };
  expect(await figures()).toEqual([none, { waiting: 0, overdue: 0 }]);
  const customerId = await aCustomer(own);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await enroll(customerId, {}, own)).id);
  const [active = '', revoked = '', rejected = '', charged = ''] = ids;
  for (const id of [active, revoked, charged]) await play(id, 'approve', {}, own).expect(200);
  await play(revoked, 'cancel', {}, own).expect(200);
  await play(rejected, 'reject', {}, own).expect(200);
  const body = { customerId, price: MONTHLY, collection: 'automatic', paymentMethodId: charged };
  const { id } = (await own.post('/v1/subscriptions', body).expect(201)).body;
  const until = at(START - 4);
  await own.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200);
  const counted = { ...none, pending: 1, active: 2, failed: 1, revoked: 1 };
  expect(await figures()).toEqual([counted, { waiting: 1, overdue: 0 }]);
  await own.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until: at(START + 1) }).expect(200);
  expect(await figures()).toEqual([counted, { waiting: 0, overdue: 0 }]);
});

describe('a charge that is handed in', () => {
  const planned = async (changes: object = {}) => {
    const mandate = await approved(changes);
    const { id } = await subscribe(mandate);
    await advance(id, at(START - 4));
    const chargeId: string = (await cycles(id))[0]?.attempts[0].chargeId;
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'pending' });
    return { id, chargeId, mandate };
  };

  it('is withdrawn with a cancellation at the end of the period, and comes back where that is undone', async () => {
    const { id, chargeId } = await planned();
    const { body } = await change(id, 'cancel', { when: 'period_end' }).expect(200);
    expect(body).toMatchObject({
      status: 'trialing',
      cycle: 0,
      cancelAt: `${MANDATE.startDate}T09:00:00.000Z`,
    });
    expect((await released(chargeId)).failureReason).toBe('cancelled');
    await change(id, 'undo-cancel').expect(200);
    const { subscription } = await advance(id, at(START));
    expect(subscription).toMatchObject({ status: 'active', cycle: 1 });
    const [first] = await cycles(id);
    expect(first?.attempts.map(({ outcome }: Body) => outcome)).toEqual(['not_counted', 'paid']);
  });

  it('is withdrawn with a pause, and its cycle begins anew', async () => {
    const { id, chargeId } = await planned();
    await change(id, 'pause').expect(200);
    expect((await released(chargeId)).failureReason).toBe('cancelled');
    await change(id, 'resume').expect(200);
    const { subscription } = await advance(id, at(START));
    expect(subscription).toMatchObject({ status: 'active', cycle: 1 });
  });

  it.each([
    ['a pause', 'pause', {}, 'resume'],
    ['a planned cancellation', 'cancel', { when: 'period_end' }, 'undo-cancel'],
  ])('is withdrawn with %s, and its cycle begins anew with a card', async (_, name, body, undo) => {
    const { id, mandate } = await planned();
    await change(id, name, body).expect(200);
    const paymentMethodId = await storeCard(mandate.customerId);
    await shop.call('patch', `/v1/subscriptions/${id}`, { paymentMethodId }).expect(200);
    await change(id, undo).expect(200);
    const { subscription } = await advance(id, at(START));
    expect(subscription).toMatchObject({ status: 'active', cycle: 1 });
    const [first] = await cycles(id);
    expect(first).toMatchObject({ status: 'paid' });
    expect(first?.attempts.map(({ outcome }: Body) => outcome)).toEqual(['not_counted', 'paid']);
  });

  it('leaves its cycle out where its merchant cancels it, and the subscription goes on', async () => {
    const { id, chargeId } = await planned();
    await shop.post(`/v1/charges/${chargeId}/cancel`).expect(200);
    expect(await read(id)).toMatchObject({ status: 'past_due', pastDueReason: 'cancelled', cycle: 1 });
    expect((await cycles(id))[0]).toMatchObject({
      status: 'uncollectible',
      attempts: [{ outcome: 'failed', reason: 'cancelled' }],
    });
    const { subscription } = await advance(id, at(START + 40));
    expect(subscription).toMatchObject({ status: 'active', cycle: 2 });
  });

  it('is replaced where the price changes in time', async () => {
    const { id, chargeId } = await planned({ amount: null });
    const price = { ...MONTHLY, amount: 59.9 };
    await shop.call('patch', `/v1/subscriptions/${id}`, { price }).expect(200);
    expect((await released(chargeId)).failureReason).toBe('cancelled');
    await advance(id, at(START));
    const [first] = await cycles(id);
    expect(first).toMatchObject({ status: 'paid', amount: 59.9 });
    expect(await chargeOf(first?.attempts.at(-1).chargeId)).toMatchObject({ amount: 59.9, status: 'paid' });
  });

  it('is replaced by one under another mandate where price and mandate change together', async () => {
    const { id, chargeId, mandate } = await planned({ amount: null });
    const other = await enroll(mandate.customerId, { amount: null });
    await play(other.id, 'approve').expect(200);
    const wanted = { price: { ...MONTHLY, amount: 59.9 }, paymentMethodId: other.id };
    await shop.call('patch', `/v1/subscriptions/${id}`, wanted).expect(200);
    expect((await released(chargeId)).failureReason).toBe('cancelled');
    const { subscription } = await advance(id, at(START));
    expect(subscription).toMatchObject({ status: 'active', cycle: 1 });
    const [first] = await cycles(id);
    expect(first).toMatchObject({ status: 'paid', amount: 59.9 });
    expect(first?.attempts.map(({ outcome }: Body) => outcome)).toEqual(['not_counted', 'paid']);
    expect((await chargeOf(first?.attempts.at(-1).chargeId)).paymentMethod.id).toBe(other.id);
  });

  it('stays after 22:00 of the day before, and what it brings is kept', async () => {
    const { id, chargeId } = await planned();
    await advance(id, new Date(Date.parse(cutOffOf(START)) + 1_000));
    const { body } = await change(id, 'cancel', { when: 'now' }).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', endReason: 'requested' });
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'pending' });
    await shop.post(`/v1/test-helpers/charges/${chargeId}/pay`).expect(200);
    expect((await read(id)).latePayments).toEqual([{ cycleNumber: 1, chargeId }]);
  });

  it('is withdrawn a moment before, and nobody pays', async () => {
    const { id, chargeId } = await planned();
    await advance(id, new Date(Date.parse(cutOffOf(START)) - 1_000));
    await change(id, 'cancel', { when: 'now' }).expect(200);
    expect((await released(chargeId)).failureReason).toBe('cancelled');
  });
});

describe('a charge that comes too late', () => {
  it('leaves its cycle out, and the subscription goes on; another attempt gets a day of its own', async () => {
    const mandate = await approved();
    const cardId = await storeCard(mandate.customerId);
    const { id } = await subscribe({ ...mandate, id: cardId }, { startDate: MANDATE.startDate });
    await advance(id, at(START - 2));
    const { body } = await shop
      .call('patch', `/v1/subscriptions/${id}`, { paymentMethodId: mandate.id })
      .expect(200);
    expect(body).toMatchObject({ status: 'past_due', pastDueReason: 'charge_window_missed', cycle: 1 });
    expect((await cycles(id))[0]).toMatchObject({
      status: 'uncollectible',
      attempts: [{ chargeId: null, outcome: 'failed', reason: 'charge_window_missed', plannedOn: null }],
    });
    await change(id, 'cycles/1/retry').expect(200);
    const [first] = await cycles(id);
    expect(dayOf(first?.attempts[1].plannedOn)).toBeGreaterThanOrEqual(START + 3);
    const { subscription } = await advance(id, at(START + 40));
    expect(subscription).toMatchObject({ status: 'active', cycle: 2 });
    expect((await cycles(id)).slice(0, 2).map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  it('is no charge at all where the mandate allows no further attempt', async () => {
    const mandate = await approved({ retries: 'three_in_seven_days' }, 'never');
    const { id } = await subscribe(mandate, { retryDays: [2, 2, 3], onExhausted: 'pause' });
    await advance(id, at(START + 20));
    expect((await read(id)).status).toBe('paused');
    expect(code(await change(id, 'cycles/1/retry'))).toEqual([422, 'CHARGE_WINDOW_MISSED']);
  });
});
