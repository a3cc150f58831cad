import fc from 'fast-check';
import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { aCard } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { openCheckout, PAYER, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { aSubscriber } from '../support/subscribers.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);
const { get, post, pay } = payersOf(gateway);

const REFUSED = '4000 0000 0000 0002';
const AUTHENTICATES = '4000 0025 0000 3155';
const CPF = '529.982.247-25';
const NAME = 'Loja & <Café>';

let master: TestMerchant;
let shop: Client;
let admin: Client;
let receiver: Receiver;
/** From the eleventh card of a minute on the pages of a shop ask for a proof of work. */
const openShop = async (): Promise<void> => {
  master = await gateway().createMaster({ legalName: NAME, timeZone: 'America/Sao_Paulo' });
  shop = withKey(gateway, master.testKey);
};
beforeAll(async () => {
  await openShop();
  admin = await operator(gateway, 'test');
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const create = (body: object, by = shop) => by.post('/v1/checkout-sessions', body);
const BODY = { amount: 129.9, currency: 'BRL' };
const read = async (id: string): Promise<Response['body']> =>
  (await shop.get(`/v1/checkout-sessions/${id}`).expect(200)).body;
const charge = async (id: string): Promise<Response['body']> =>
  (await shop.get(`/v1/charges/${id}`).expect(200)).body;
const chargesOf = async (checkoutSessionId: string): Promise<Response['body'][]> =>
  (
    await shop
      .get(`/v1/charges?checkoutSessionId=${checkoutSessionId}`)
      .set('X-Consistency-Token', 'latest')
      .expect(200)
  ).body.data;

describe('a checkout session', () => {
  it('is opened with an address that does not tell its id, and is read and listed', async () => {
    const wanted = {
      ...BODY,
      description: 'Order 1001',
      items: [{ title: 'Helmet', unit_price: 129.9, quantity: 1 }],
      customer: PAYER,
      reference: 'order-1001',
      metadata: { cart: 7 },
      returnUrl: 'https://shop.example.com/thanks',
    };
    const { body } = await create(wanted).expect(201);
    expect(body).toMatchObject({
      status: 'open',
      amount: 129.9,
      livemode: false,
      merchantId: master.id,
      customer: { ...PAYER, phone: null, document: null, address: null },
      items: [{ title: 'Helmet', type: null, description: null, unit_price: 129.9, quantity: 1 }],
      metadata: { cart: 7 },
      methods: null,
      maxInstallments: 12,
      saveMethod: 'never',
      chargeId: null,
      chargeIds: [],
      refusals: 0,
      cancelReason: null,
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(DAY_MS);
    expect(new URL(body.url).pathname).toMatch(/^\/checkout\/[\w-]{22}$/);
    expect(await read(body.id)).toEqual(body);
    const { items: _, ...listed } = body;
    for (const query of ['status=open&reference=order-1001', 'email=ANA@example.com&orderBy=createdAt'])
      expect(
        (await shop.get(`/v1/checkout-sessions?${query}`).set('X-Consistency-Token', 'latest').expect(200))
          .body.data,
      ).toEqual([listed]);
  });

  it.each([
    ['amount', { amount: 0 }],
    ['amount', { amount: 1.234 }],
    ['currency', { currency: 'XXX' }],
    ['methods', { methods: [] }],
    ['methods.0', { methods: ['cheque'] }],
    ['maxInstallments', { maxInstallments: 13 }],
    ['expiresIn', { expiresIn: 30 * 86_400 + 1 }],
    ['returnUrl', { returnUrl: 'javascript:alert(1)' }],
    ['cancelUrl', { cancelUrl: 'https://user:secret@shop.example.com' }],
    ['customer.document.id', { customer: { document: { type: 'cpf', id: '52998224724' } } }],
    ['customerId', { saveMethod: 'ask' }],
    ['locale', { locale: 'fr' }],
  ])('is refused for its %s: %j', async (path, wrong) => {
    const { body } = await create({ ...BODY, ...wrong }).expect(400);
    expect(JSON.stringify(body.errors)).toContain(`"${path}"`);
  });

  it('takes either a customer or an id of one, and a method only where there is one', async () => {
    const { customerId } = await aSubscriber(shop);
    await create({ ...BODY, customer: PAYER, customerId }).expect(400);
    await create({ ...BODY, customerId: `cus_${'0'.repeat(32)}` }).expect(404);
    const refused = await create({ ...BODY, currency: 'USD', methods: ['pix'] }).expect(422);
    expect(refused.body.code).toBe('PAYMENT_METHOD_NOT_AVAILABLE');
  });

  it('belongs to one merchant', async () => {
    const sub = withKey(gateway, (await createSubMerchant(gateway, master)).testKey);
    const own = await openCheckout(sub);
    const { id } = await openCheckout(shop);
    await shop.get(`/v1/checkout-sessions/${own.id}`).expect(200);
    expect((await shop.post(`/v1/checkout-sessions/${own.id}/cancel`, {})).body.code).toBe(
      'CHECKOUT_OWNER_ONLY',
    );
    await sub.get(`/v1/checkout-sessions/${id}`).expect(404);
    await sub.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(404);
    await admin.get(`/v1/checkout-sessions/${id}`).expect(200);
  });

  it('is cancelled by its merchant, once', async () => {
    const { id, path } = await openCheckout(shop);
    const { body } = await shop.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(200);
    expect(body).toMatchObject({ status: 'cancelled', cancelReason: 'cancelled_by_merchant' });
    expect((await shop.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(422)).body.code).toBe(
      'CHECKOUT_NOT_OPEN',
    );
    expect(textOf(await get(path).expect(200))).toContain('The shop has cancelled this payment');
    await pay(path, 'pix').expect(303);
    expect(await read(id)).toMatchObject({ status: 'cancelled', chargeIds: [] });
  });

  it('expires, and nobody can pay it from that moment on', async () => {
    const { id, path } = await openCheckout(shop);
    const past = new Date(Date.now() - 1_000).toISOString();
    const sessions = gateway().db.collection('checkout_sessions');
    await sessions.updateOne({ id }, { $set: { expiresAt: past } });
    expect(textOf(await get(path).expect(200))).toContain('The time to pay is over');
    await pay(path, 'pix').expect(303);
    const gone = await shop.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(410);
    expect(gone.body.code).toBe('CHECKOUT_EXPIRED');
    await sessions.updateOne({ id }, { $set: { reconcileAt: past } });
    await pollUntil(
      () => read(id),
      ({ status }) => status === 'expired',
    );
    expect((await read(id)).chargeIds).toEqual([]);
  });
});

describe('a payer', () => {
  it('pays by card, and the charge tells of the session', async () => {
    const { id, path } = await openCheckout(shop, {
      reference: 'order-2',
      metadata: { cart: 2 },
      returnUrl: 'https://shop.example.com/thanks?a=1&checkout=forged',
    });
    await pay(path, 'credit_card', { ...TYPED_CARD, installments: '3' })
      .expect(303)
      .expect('Location', path);
    const session = await read(id);
    expect(session).toMatchObject({ status: 'completed', cancelReason: null });
    expect(session.chargeIds).toEqual([session.chargeId]);
    expect(await charge(session.chargeId)).toMatchObject({
      status: 'paid',
      amount: 129.9,
      checkoutSessionId: id,
      reference: 'order-2',
      metadata: { cart: 2 },
      customer: PAYER,
      paymentMethod: { lastFour: '4242', installments: 3 },
    });
    const html = textOf(await get(path).expect(200));
    expect(html).toContain('Payment approved');
    expect(html).toContain(`https://shop.example.com/thanks?a=1&amp;checkout=${id}`);
    // It is over for good.
    await pay(path, 'pix').expect(303);
    expect((await read(id)).chargeIds).toHaveLength(1);
    await shop.post('/v1/refunds', { chargeId: session.chargeId, reason: 'a wrong size' }).expect(201);
    expect((await read(id)).status).toBe('completed');
    expect(textOf(await get(path).expect(200))).toContain('This payment was given back.');
  });

  it('pays by Pix, and changes to a card before that: the Pix is cancelled first', async () => {
    const { id, path } = await openCheckout(shop);
    await pay(path, 'pix').expect(303);
    const waiting = await read(id);
    expect(waiting.status).toBe('processing');
    const html = textOf(await get(path, 'pt-BR').expect(200));
    expect(html).toContain('Pague com Pix');
    expect(html).toContain('br.gov.bcb.pix');
    expect(html).toContain('src="data:image/png');
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    expect((await read(id)).chargeIds).toEqual([waiting.chargeId]);
    await post(`${path}/change`).expect(303);
    expect(await read(id)).toMatchObject({ status: 'open', chargeId: null });
    expect(await charge(waiting.chargeId)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    expect((await read(id)).status).toBe('completed');
  });

  it.each([
    ['voucher', 'Your voucher is ready'],
    ['qrcode', 'Pay with the QR code'],
    ['banktransfer', 'Go on at your bank'],
  ])('pays by %s, with a document where it is not known', async (method, said) => {
    const { id, path } = await openCheckout(shop);
    const faulty = await pay(path, method, { document: '529.982.247-24', bankName: 'Banco Ipê' });
    expect(faulty.status).toBe(422);
    expect(textOf(faulty)).toContain('Check the document');
    expect((await read(id)).chargeIds).toEqual([]);
    await pay(path, method, { document: CPF, bankName: 'Banco Ipê' }).expect(303);
    expect(textOf(await get(path).expect(200))).toContain(said);
    await post(`${path}/simulate`, { outcome: 'paid' }).expect(303);
    const session = await read(id);
    expect(session.status).toBe('completed');
    expect(await charge(session.chargeId)).toMatchObject({
      paymentMethod: { type: method, identifyType: 'cpf', identifyNumber: '52998224725' },
    });
  });

  it('is asked for nothing that the merchant has told', async () => {
    const customer = { ...PAYER, document: { type: 'cpf', id: CPF } };
    const known = await openCheckout(shop, { customer, methods: ['voucher'] });
    const html = textOf(await get(known.path).expect(200));
    expect(html).not.toMatch(/name="(name|email|document)"/);
    await post(`${known.path}/pay`, {
      method: 'voucher',
      name: 'Somebody',
      email: 'else@example.com',
    }).expect(303);
    const { chargeId } = await read(known.id);
    expect((await charge(chargeId)).customer).toMatchObject(PAYER);
    const { customerId } = await aSubscriber(shop);
    const own = await openCheckout(shop, { customerId, methods: ['pix'] });
    expect(textOf(await get(own.path).expect(200))).not.toMatch(/name="(name|email)"/);
    await post(`${own.path}/pay`, { method: 'pix' }).expect(303);
    expect((await charge((await read(own.id)).chargeId)).customer.id).toBe(customerId);
  });

  it('is offered what the session allows alone', async () => {
    const { id, path } = await openCheckout(shop, { methods: ['credit_card'], maxInstallments: 2 });
    const html = textOf(await get(path).expect(200));
    expect(html).not.toContain('value="pix"');
    expect(html).toContain('2 × R$64.95, no interest');
    expect(html).not.toContain('value="3"');
    await pay(path, 'pix').expect(303);
    const wrong = await pay(path, 'credit_card', { ...TYPED_CARD, installments: '3' });
    expect(wrong.status).toBe(422);
    expect((await read(id)).chargeIds).toEqual([]);
  });

  it('may leave a card with the shop, by a tick of his own', async () => {
    const { customerId } = await aSubscriber(shop);
    const { path } = await openCheckout(shop, { customerId, saveMethod: 'ask' });
    await pay(path, 'credit_card', { ...TYPED_CARD, save: 'yes' }).expect(303);
    const { body } = await shop
      .get(`/v1/customers/${customerId}/payment-methods`)
      .set('X-Consistency-Token', 'latest')
      .expect(200);
    expect(body.data).toContainEqual(expect.objectContaining({ status: 'active', lastFour: '4242' }));
    const always = await openCheckout(shop, { customerId, saveMethod: 'always' });
    expect(textOf(await pay(always.path, 'credit_card', TYPED_CARD))).toContain('Tick that you agree.');
  });

  it('pays with a card that is stored, and types its security code again', async () => {
    await openShop();
    const { customerId, paymentMethodId: methodId } = await aSubscriber(shop);
    const hidden = await openCheckout(shop, { customerId });
    expect(textOf(await get(hidden.path).expect(200))).not.toContain(methodId);
    const { id, path } = await openCheckout(shop, { customerId, showSaved: true });
    const html = textOf(await get(path).expect(200));
    expect(html).toContain(`<input type="hidden" name="saved" value="${methodId}">`);
    expect(html).toContain('Visa');
    const saved = (cvv: string, more: object = {}) =>
      post(`${path}/pay`, { method: 'credit_card', saved: methodId, cvv, ...more });
    for (const cvv of ['', '12', '1234', 'abc'])
      expect(textOf(await saved(cvv).expect(422))).toContain('aria-invalid="true"');
    await saved('000').expect(303);
    expect((await read(id)).refusals).toBe(1);
    expect(textOf(await get(path).expect(200))).toContain('The bank said no');
    await saved('123', { installments: '2' }).expect(303);
    const paid = await read(id);
    expect(paid).toMatchObject({ status: 'completed', showSaved: true });
    expect((await charge(paid.chargeId)).paymentMethod).toMatchObject({
      id: methodId,
      initiator: 'customer',
      installments: 2,
    });
  });

  it('pays with no stored card of somebody else, or where the session shows none', async () => {
    const [ana, eve] = [await aSubscriber(shop), await aSubscriber(shop)];
    const open = await openCheckout(shop, { customerId: eve.customerId, showSaved: true });
    const hidden = await openCheckout(shop, { customerId: ana.customerId });
    const nobody = await openCheckout(shop);
    for (const { id, path } of [open, hidden, nobody]) {
      const fields = { method: 'credit_card', saved: ana.paymentMethodId, cvv: '123', ...PAYER };
      await post(`${path}/pay`, fields).expect(303);
      expect(await read(id)).toMatchObject({ status: 'open', chargeIds: [] });
    }
    await shop
      .call('delete', `/v1/customers/${eve.customerId}/payment-methods/${eve.paymentMethodId}`)
      .expect(204);
    expect(textOf(await get(open.path).expect(200))).not.toContain(eve.paymentMethodId);
    await create({ ...BODY, showSaved: true }).expect(400);
  });

  describe('on a page that keeps a card and takes no payment', () => {
    const SETUP = { mode: 'setup', currency: 'BRL', returnUrl: 'https://shop.example.com/cards' };
    const openSetup = async (more: object = {}) => {
      const { body } = await create({ ...SETUP, ...more }).expect(201);
      return { ...body, path: new URL(body.url).pathname };
    };
    const save = (path: string, fields: Readonly<Record<string, string>> = {}) =>
      pay(path, 'credit_card', { ...TYPED_CARD, save: 'yes', ...fields });

    it('agrees in words that are kept, becomes a customer, and is charged later', async () => {
      await openShop();
      const { id, path, ...opened } = await openSetup({ reference: 'ana-1' });
      expect(opened).toMatchObject({ mode: 'setup', amount: null, paymentMethodId: null, consent: null });
      const html = textOf(await get(path).expect(200));
      const agreed =
        'I agree that Loja &amp; &lt;Café&gt; keeps this card and charges it for the payments that I agree on with the shop.';
      for (const said of ['Nothing is charged now.', agreed, 'Save card']) expect(html).toContain(said);
      expect(html).not.toContain('R$');
      expect(textOf(await save(path, { save: '' }).expect(422))).toContain('Tick that you agree.');
      await save(path).expect(303);
      expect(textOf(await get(path).expect(200))).toContain('Card saved');
      const done = await read(id);
      expect(done).toMatchObject({
        status: 'completed',
        customer: null,
        paymentMethodId: expect.stringMatching(/^pm_/),
        consent: { text: agreed.replace('&amp; &lt;Café&gt;', '& <Café>'), at: expect.any(String) },
        chargeIds: [],
      });
      const { customerId, paymentMethodId } = done;
      const customer = await shop.get(`/v1/customers/${customerId}`).expect(200);
      expect(customer.body).toMatchObject({ ...PAYER, reference: 'ana-1' });
      const paymentMethod = { type: 'credit_card', installments: 1, id: paymentMethodId };
      const later = { ...BODY, customerId, paymentMethod, initiator: 'merchant' };
      expect((await shop.post('/v1/charges', later).expect(201)).body.status).toBe('paid');
    });

    it('keeps one card, whatever the number of windows', async () => {
      await openShop();
      const { id, path } = await openSetup({ customer: PAYER });
      const answers = await Promise.all(Array.from({ length: 5 }, () => save(path)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
      const { status, customerId } = await read(id);
      expect(status).toBe('completed');
      const kept = await gateway().db.collection('payment_methods').countDocuments({ customerId });
      expect(kept).toBe(1);
      expect(await gateway().db.collection('customers').countDocuments({ merchantId: master.id })).toBe(1);
      await save(path).expect(303);
      expect(await gateway().db.collection('payment_methods').countDocuments({ customerId })).toBe(1);
    });

    it('uses the customer that the session names, and can be cancelled before', async () => {
      await openShop();
      const { customerId } = await aSubscriber(shop);
      const { id, path } = await openSetup({ customerId });
      await save(path).expect(303);
      expect(await read(id)).toMatchObject({ status: 'completed', customerId });
      const other = await openSetup();
      await shop.post(`/v1/checkout-sessions/${other.id}/cancel`).expect(200);
      await save(other.path).expect(303);
      expect(await read(other.id)).toMatchObject({ status: 'cancelled', customerId: null });
    });

    it('is asked for no amount, and a page that takes a payment needs one', async () => {
      await create({ ...SETUP, amount: 10 }).expect(400);
      await create({ currency: 'BRL' }).expect(400);
      await create({ ...BODY, mode: 'other' }).expect(400);
    });
  });

  describe('on a page that subscribes him to a plan', () => {
    const aPlan = async (more: object = {}): Promise<string> => {
      const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month', ...more };
      return (await shop.post('/v1/plans', plan).expect(201)).body.id;
    };
    const openFor = async (planId: string, more: object = {}) => {
      const { body } = await create({ mode: 'subscription', planId, customer: PAYER, ...more }).expect(201);
      return { ...body, path: new URL(body.url).pathname };
    };
    const subscribe = (path: string, number = TYPED_CARD.number) =>
      pay(path, 'credit_card', { ...TYPED_CARD, number, save: 'yes' });
    const subscription = async (id: string): Promise<Response['body']> =>
      (await shop.get(`/v1/subscriptions/${id}`).expect(200)).body;

    it('agrees, pays the first cycle himself, and is charged again without him', async () => {
      await openShop();
      const planId = await aPlan();
      const { id, path, ...opened } = await openFor(planId, { reference: 'club-1', metadata: { cup: 2 } });
      expect(opened).toMatchObject({ mode: 'subscription', amount: 79, currency: 'BRL', planId });
      const html = textOf(await get(path).expect(200));
      for (const said of ['Coffee club', 'R$79.00', 'a month', 'charges the payments of this subscription'])
        expect(html).toContain(said);
      await subscribe(path).expect(303);
      const done = await read(id);
      expect(done).toMatchObject({
        status: 'completed',
        subscriptionId: expect.stringMatching(/^sub_/),
        consent: { text: expect.stringContaining('I agree that Loja & <Café> keeps this card') },
      });
      const begun = await subscription(done.subscriptionId);
      expect(begun).toMatchObject({
        status: 'active',
        planId,
        customerId: done.customerId,
        paymentMethodId: done.paymentMethodId,
        reference: 'club-1',
        metadata: { cup: 2 },
        latestChargeId: done.chargeId,
      });
      expect(await charge(done.chargeId)).toMatchObject({
        status: 'paid',
        amount: 79,
        subscriptionId: begun.id,
        paymentMethod: { initiator: 'customer' },
      });
      expect(textOf(await get(path).expect(200))).toContain('Payment approved');
      const until = new Date(Date.now() + 40 * DAY_MS).toISOString();
      const { body } = await shop.post(`/v1/test-helpers/subscriptions/${begun.id}/advance`, { until });
      expect(body.subscription).toMatchObject({ status: 'active', cycle: 2 });
    });

    it('tries another card after a refusal, and only the one that pays is kept', async () => {
      await openShop();
      const { id, path } = await openFor(await aPlan());
      expect(textOf(await subscribe(path, '4000 0000 0000 0341').expect(422))).toContain('The bank said no');
      expect(await read(id)).toMatchObject({
        status: 'open',
        refusals: 1,
        subscriptionId: null,
        paymentMethodId: null,
      });
      expect(textOf(await get(path).expect(200))).toContain('The bank said no');
      await subscribe(path).expect(303);
      const { status, customerId, subscriptionId } = await read(id);
      expect(status).toBe('completed');
      const all = await gateway().db.collection('subscriptions').find({ customerId }).toArray();
      expect(all.map((one) => [one.id === subscriptionId, one.status]).sort()).toEqual([
        [false, 'cancelled'],
        [true, 'active'],
      ]);
      const methods = await gateway().db.collection('payment_methods').find({ customerId }).toArray();
      expect(methods.map((one) => one.status).sort()).toEqual(['active', 'revoked']);
    });

    it('proves to be the holder for the first charge, or leaves it for another card', async () => {
      await openShop();
      const { id, path } = await openFor(await aPlan());
      await subscribe(path, AUTHENTICATES).expect(303);
      const waiting = await read(id);
      expect(waiting.status).toBe('processing');
      expect(textOf(await get(path).expect(200))).toContain('Your bank wants to confirm that it is you');
      await post(`${path}/change`).expect(303);
      expect(await read(id)).toMatchObject({ status: 'open', subscriptionId: null });
      expect((await subscription(waiting.subscriptionId)).status).toBe('cancelled');
      await subscribe(path, AUTHENTICATES).expect(303);
      await post(`${path}/simulate`, { outcome: 'paid' }).expect(303);
      const done = await read(id);
      expect(done.status).toBe('completed');
      expect((await subscription(done.subscriptionId)).status).toBe('active');
    });

    it('waits for an analyst, whom nobody can leave', async () => {
      await openShop();
      const { id, path } = await openFor(await aPlan());
      await subscribe(path, '4000 0000 0000 5126').expect(303);
      await post(`${path}/change`).expect(303);
      const waiting = await read(id);
      expect(waiting.status).toBe('processing');
      const cancel = await shop.post(`/v1/checkout-sessions/${id}/cancel`).expect(409);
      expect(cancel.body.code).toBe('PAYMENT_IN_PROGRESS');
      const { latestChargeId } = await subscription(waiting.subscriptionId);
      await shop.post(`/v1/test-helpers/charges/${latestChargeId}/pay`).expect(200);
      const done = await pollUntil(
        () => read(id),
        ({ status }) => status !== 'processing',
      );
      expect(done).toMatchObject({ status: 'completed', chargeId: latestChargeId });
    });

    it('is told of free days, after which the first charge comes', async () => {
      await openShop();
      const { id, path } = await openFor(await aPlan({ trialDays: 14 }));
      expect(textOf(await get(path).expect(200))).toContain('a month. The first 14 days are free.');
      await subscribe(path).expect(303);
      const done = await read(id);
      expect(done).toMatchObject({ status: 'completed', chargeId: null, chargeIds: [] });
      expect((await subscription(done.subscriptionId)).status).toBe('trialing');
      expect(textOf(await get(path).expect(200))).toContain('Subscription started');
    });

    it('subscribes once, whatever the number of windows', async () => {
      await openShop();
      const { id, path } = await openFor(await aPlan());
      await Promise.all(Array.from({ length: 5 }, () => subscribe(path)));
      const { customerId } = await pollUntil(
        () => read(id),
        ({ status }) => status === 'completed',
      );
      expect(await gateway().db.collection('subscriptions').countDocuments({ customerId })).toBe(1);
      expect(await gateway().db.collection('charges').countDocuments({ 'customer.id': customerId })).toBe(1);
    });

    it('needs a plan of the shop that is active, and no amount or other currency', async () => {
      const planId = await aPlan();
      const body = { mode: 'subscription', planId };
      await create({ mode: 'subscription' }).expect(400);
      await create({ ...body, amount: 10 }).expect(400);
      await create({ ...body, currency: 'USD' }).expect(400);
      await create({ ...BODY, planId }).expect(400);
      await create({ ...body, planId: `plan_${'0'.repeat(32)}` }).expect(404);
      await shop.call('patch', `/v1/plans/${planId}`).send({ active: false }).expect(200);
      expect((await create(body).expect(422)).body.code).toBe('PLAN_NOT_ACTIVE');
    });
  });

  it('proves to be the holder of the card, or gives up', async () => {
    const { id, path } = await openCheckout(shop);
    const card = { ...TYPED_CARD, number: AUTHENTICATES };
    await pay(path, 'credit_card', card).expect(303);
    expect(textOf(await get(path).expect(200))).toContain('Your bank wants to confirm that it is you');
    await post(`${path}/change`).expect(303);
    expect((await read(id)).status).toBe('open');
    await pay(path, 'credit_card', card).expect(303);
    await post(`${path}/simulate`, { outcome: 'paid' }).expect(303);
    expect((await read(id)).status).toBe('completed');
  });

  it('has half an hour for that', async () => {
    const { id, path } = await openCheckout(shop);
    await pay(path, 'credit_card', { ...TYPED_CARD, number: AUTHENTICATES }).expect(303);
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('checkout_sessions')
      .updateOne({ id }, { $set: { reconcileAt: past } });
    await pollUntil(
      () => read(id),
      ({ status }) => status === 'open',
    );
    expect((await chargesOf(id))[0]).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('is told what to do after a refusal, and the fifth one ends the session', async () => {
    await openShop();
    const { id, path } = await openCheckout(shop);
    for (let refusals = 1; refusals <= 5; refusals += 1) {
      await pay(path, 'credit_card', { ...TYPED_CARD, number: REFUSED }).expect(303);
      const html = textOf(await get(path).expect(200));
      expect(html).toContain('Nothing was charged.');
      expect(html).toContain(refusals < 5 ? 'The bank said no' : 'For safety this order was closed');
      expect(html).not.toContain('0000 0002');
      expect((await read(id)).refusals).toBe(refusals);
    }
    expect(await read(id)).toMatchObject({ status: 'cancelled', cancelReason: 'too_many_refusals' });
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    expect((await read(id)).chargeIds).toHaveLength(5);
  });

  it('changes his mind twenty times at most', async () => {
    const { id, path } = await openCheckout(shop);
    for (let charges = 1; charges <= 20; charges += 1) {
      await pay(path, 'pix').expect(303);
      await post(`${path}/change`).expect(303);
    }
    expect(await read(id)).toMatchObject({ status: 'cancelled', cancelReason: 'too_many_charges' });
  });

  it('waits while the payment is looked at, which its merchant cannot cancel', async () => {
    await openShop();
    const { id, path } = await openCheckout(shop);
    await pay(path, 'credit_card', { ...TYPED_CARD, number: '4000 0000 0000 5126' });
    expect(textOf(await get(path).expect(200))).toContain('The payment is being reviewed');
    await post(`${path}/change`).expect(303);
    const answer = await shop.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(409);
    expect(answer.body.code).toBe('PAYMENT_IN_PROGRESS');
    expect((await read(id)).status).toBe('processing');
  });
});

describe('the page', () => {
  it('is nothing at another address', async () => {
    const { path } = await openCheckout(shop);
    const other = `${path.slice(0, -1)}${path.endsWith('A') ? 'Q' : 'A'}`;
    expect(textOf(await get(other, 'pt-BR').expect(404))).toContain(
      'Este endereço não abre nenhum pagamento',
    );
    await pay(other, 'pix').expect(404);
  });

  it('keeps out of caches, frames and search engines, and shows no id and no script of others', async () => {
    const { path } = await openCheckout(shop, { description: '<script>alert(1)</script>' });
    const answer = await get(path).expect(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-language': 'en',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(answer.headers['content-security-policy']).not.toContain('unsafe-inline');
    const html = textOf(answer);
    expect(html).toContain('Loja &amp; &lt;Café&gt;');
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toMatch(/chk_|mer_/);
    expect(html).toContain('name="robots" content="noindex"');
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York'])(
    'has the day and hour of the shop, in %s, wherever it is looked at',
    async (timeZone) => {
      const elsewhere = withKey(gateway, (await gateway().createMaster({ timeZone })).testKey);
      const { id, path } = await openCheckout(elsewhere);
      await pay(path, 'pix').expect(303);
      await post(`${path}/simulate`, { outcome: 'paid' }).expect(303);
      const paidAt = '2026-07-01T00:30:00.000Z';
      await gateway().db.collection('charges').updateOne({ checkoutSessionId: id }, { $set: { paidAt } });
      const shown = {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      } as const;
      const said = new Intl.DateTimeFormat('en', { ...shown, timeZone }).format(new Date(paidAt));
      expect(textOf(await get(path).expect(200))).toContain(said);
    },
  );

  it('speaks the language that is chosen, then that of the session, then that of the browser', async () => {
    const { path } = await openCheckout(shop, { locale: 'es' });
    expect(textOf(await get(path, 'en').expect(200))).toContain('¿Cómo quiere pagar?');
    const chosen = textOf(await get(`${path}?lang=pt`, 'en').expect(200));
    expect(chosen).toContain('Como você quer pagar?');
    expect(chosen).toContain(`action="${path}/pay?lang=pt"`);
    await get(`${path}?lang=fr`).expect(400);
  });

  it('is sent again only where it has changed', async () => {
    const { path } = await openCheckout(shop);
    const { headers } = await get(path).expect(200);
    await get(path)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    await pay(path, 'pix').expect(303);
    await get(path)
      .set('If-None-Match', headers.etag ?? '')
      .expect(200);
  });

  it('runs the code alone whose hashes anybody can read', async () => {
    const { path } = await openCheckout(shop);
    const { parts } = (await gateway().call('get', '/checkout/integrity').expect(200)).body;
    const policy = (await get(path).expect(200)).headers['content-security-policy'] ?? '';
    for (const { part, integrity } of parts) expect(policy).toContain(`${part}-src '${integrity}'`);
    expect(policy).toContain("default-src 'none'");
  });

  it('answers any form with a page, and shows no card that was typed', async () => {
    const { id, path } = await openCheckout(shop, { methods: ['credit_card', 'voucher'] });
    const field = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('<script>alert(1)</script>', '4111111111111111', '4111 1111 1111 1111'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('credit_card', 'voucher'),
        fc.record({
          ...{ number: field, holderName: field, expiry: field, cvv: field, name: field },
          ...{ email: field, document: field, installments: field },
        }),
        async (method, fields) => {
          const answer = await post(`${path}/pay`, { method, ...fields });
          expect(answer.status).toBe(422);
          expect(textOf(answer)).not.toMatch(/<script>alert|4111/);
        },
      ),
      { numRuns: volume({ usual: 60, proof: 1_000 }) },
    );
    expect((await read(id)).chargeIds).toEqual([]);
  });

  it('asks for a proof of work where cards are tried out, with the challenge', async () => {
    const victim = withKey(gateway, (await gateway().createMaster()).testKey);
    const paths: string[] = [];
    for (let session = 0; session < 3; session += 1) paths.push((await openCheckout(victim)).path);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const answer = await pay(paths[attempt % 3] ?? '', 'credit_card', { ...TYPED_CARD, number: REFUSED });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(answer.headers['x-proof-of-work-challenge']).toMatch(/^\d+\./);
      expect(textOf(answer)).toContain('Many attempts from this address');
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 303));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});

describe('one payment', () => {
  it('comes of many windows at once', async () => {
    await openShop();
    for (const method of ['pix', 'credit_card']) {
      const { id, path } = await openCheckout(shop);
      const answers = await Promise.all(Array.from({ length: 12 }, () => pay(path, method, TYPED_CARD)));
      for (const { status } of answers) expect([303, 429]).toContain(status);
      expect((await read(id)).chargeIds).toHaveLength(1);
      expect(await chargesOf(id)).toHaveLength(1);
    }
  });

  it('comes of a Pix that is paid while the payer changes to a card', async () => {
    for (let round = 0; round < volume({ usual: 8, proof: 100 }); round += 1) {
      const { id, path } = await openCheckout(shop, { methods: ['pix', 'voucher'] });
      await pay(path, 'pix').expect(303);
      await Promise.all([
        post(`${path}/simulate`, { outcome: 'paid' }),
        post(`${path}/change`).then(() => pay(path, 'voucher', { document: CPF })),
        shop.post(`/v1/checkout-sessions/${id}/cancel`, {}),
      ]);
      const living = (await chargesOf(id)).filter(({ status }) => status === 'paid' || status === 'pending');
      expect(living.length).toBeLessThanOrEqual(1);
      const session = await read(id);
      if (living[0]?.status === 'paid') expect(session.status).toBe('completed');
      expect(session.chargeId).toBe(living[0]?.id ?? null);
    }
  });

  it('pays a cancelled charge late only while no other one lives or has paid', async () => {
    await openShop();
    const late = async (path: string) => {
      const { chargeIds } = await read((await sessionOf(path)).id);
      const { instructions } = (await gateway()
        .db.collection<{ id: string; instructions: { paymentUrl: string } }>('charges')
        .findOne({ id: chargeIds[0] })) ?? { instructions: null };
      await post(`${new URL(instructions?.paymentUrl ?? '').pathname}/pay`).expect(303);
      return chargeIds[0];
    };
    const sessionOf = async (path: string): Promise<{ id: string }> => {
      const found = await gateway()
        .db.collection<{ id: string }>('checkout_sessions')
        .findOne({ token: path.slice('/checkout/'.length) });
      if (!found) throw new Error('there is no such session');
      return found;
    };
    const begun = async () => {
      const session = await openCheckout(shop);
      await pay(session.path, 'voucher', { document: CPF }).expect(303);
      await post(`${session.path}/change`).expect(303);
      return session;
    };
    const free = await begun();
    const first = await late(free.path);
    expect(await charge(first)).toMatchObject({ status: 'paid', failureReason: null });
    expect(await read(free.id)).toMatchObject({ status: 'completed', chargeId: first });

    const taken = await begun();
    await pay(taken.path, 'credit_card', TYPED_CARD);
    const paidBy = (await read(taken.id)).chargeId;
    const second = await late(taken.path);
    expect(await charge(second)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect((await read(taken.id)).chargeId).toBe(paidBy);
    const items = await gateway().db.collection('suspense_items').find({ chargeId: second }).toArray();
    expect(items).toEqual([expect.objectContaining({ reason: 'late_payment' })]);
  });
});

it('keeps no number and no code of a card', async () => {
  await openShop();
  const number = '4242424242424242';
  const { id, path } = await openCheckout(shop);
  await pay(path, 'credit_card', { ...TYPED_CARD, cvv: '0987', number });
  await pay(path, 'credit_card', { ...TYPED_CARD, cvv: '987', number });
  expect((await read(id)).status).toBe('completed');
  for (const { name } of await gateway().db.listCollections().toArray()) {
    const text = JSON.stringify(await gateway().db.collection(name).find().toArray());
    expect(text).not.toContain(number);
  }
});

it('is forgotten with its customer', async () => {
  const email = 'forgotten@example.com';
  const named = await openCheckout(shop, { customer: { ...PAYER, email } });
  await admin.post('/v1/admin/customers/erase', { email }).expect(200);
  expect(await read(named.id)).toMatchObject({
    status: 'cancelled',
    cancelReason: 'customer_erased',
    customer: null,
  });
  const events = await gateway().db.collection('domain_events').find({ resourceId: named.id }).toArray();
  expect(JSON.stringify(events)).not.toContain(email);
  const { customerId } = await aSubscriber(shop, aCard());
  const own = await openCheckout(shop, { customerId });
  await shop.call('delete', `/v1/customers/${customerId}`).expect(204);
  expect(await read(own.id)).toMatchObject({ status: 'cancelled', cancelReason: 'customer_erased' });
});

it('tells endpoints that name its events how it ends, without its payer, and `*` does not mean them', async () => {
  await openShop();
  const events = ['checkout.completed', 'checkout.expired', 'checkout.opened'];
  await shop.post('/v1/webhook-endpoints', { url: `${receiver.url}/named`, events }).expect(201);
  await shop.post('/v1/webhook-endpoints', { url: `${receiver.url}/all`, events: ['*'] }).expect(201);
  const paid = await openCheckout(shop, { customer: PAYER, metadata: { cart: 7 } });
  await pay(paid.path, 'credit_card', TYPED_CARD).expect(303);
  const forgotten = await openCheckout(shop);
  const past = new Date(Date.now() - 1_000).toISOString();
  await gateway()
    .db.collection('checkout_sessions')
    .updateOne({ id: forgotten.id }, { $set: { expiresAt: past, reconcileAt: past } });
  const bodies = await pollUntil(
    async () => receiver.received.filter((one) => one.path === '/named').map(({ body }) => JSON.parse(body)),
    (all) => all.length === 4,
  );
  expect(bodies.map(({ event }) => event).sort()).toEqual([...events, 'checkout.opened'].sort());
  expect(bodies.find(({ event }) => event === 'checkout.completed').data).toMatchObject({
    id: paid.id,
    status: 'completed',
    metadata: { cart: 7 },
  });
  expect(JSON.stringify(bodies)).not.toContain(PAYER.email);
  const listed = await shop.getAfter('latest', '/v1/events?size=100');
  const kinds = listed.body.data.map(({ event }: { readonly event: string }) => event);
  expect(kinds).toEqual(expect.arrayContaining(events));
  const toAll = receiver.received.filter((one) => one.path === '/all');
  expect(toAll.filter(({ body }) => body.includes('"event":"checkout.'))).toEqual([]);
});
