import type { Response } from 'supertest';
import { storedMethodMigrations } from '../../src/modules/stored-methods/write/stored-methods.store.ts';
import { aCard, aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { everythingInElastic, everythingInMongo } from '../support/everything.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'payment_methods=4' });

let master: TestMerchant;
let shop: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  master = await gateway().createMaster();
  shop = withKey(gateway, master.testKey);
}, 180_000);
afterAll(() => receiver.close());

const ANA = { name: 'Ana Souza', email: 'ana@example.test' };
const HOLDER = 'Quitéria Xavantina';
const UNATTENDED = '4000002760003184';
const ALWAYS_REFUSED = '4000000000000341';
const CONSENT = '2026-01-31T12:00:00.000Z';

const aCustomer = async (by = shop): Promise<string> =>
  (await by.post('/v1/customers', ANA).expect(201)).body.id;
const aToken = async (card: object = {}, by = shop): Promise<string> =>
  (await by.post('/v1/card-tokens', { ...aCard(), holderName: HOLDER, ...card }).expect(201)).body.id;
const pathOf = (customerId: string) => `/v1/customers/${customerId}/payment-methods`;
const store = async (customerId: string, card: object = {}, by = shop) => {
  const token = await aToken(card, by);
  return by.post(pathOf(customerId), { token, consentAt: CONSENT });
};
type Stored = { readonly customerId: string; readonly id: string };
const aMethod = async (card: object = {}, by = shop): Promise<Stored & Response['body']> => {
  const customerId = await aCustomer(by);
  const { status, body } = await store(customerId, card, by);
  expect([status, body.status]).toEqual([201, 'active']);
  return body;
};
const read = async ({ customerId, id }: Stored, by = shop): Promise<Response['body']> =>
  (await by.get(`${pathOf(customerId)}/${id}`).expect(200)).body;
const revoke = ({ customerId, id }: Stored, by = shop) => by.call('delete', `${pathOf(customerId)}/${id}`);
const charge = ({ customerId, id }: Stored, changes: object = {}, by = shop) => {
  const { customer: _, ...payment } = aCardRequest();
  const paymentMethod = { type: 'credit_card', installments: 1, id };
  return by.post('/v1/charges', { ...payment, customerId, paymentMethod, ...changes });
};
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];
const methods = () =>
  gateway().db.collection<{ _id: string; reconcileAt?: string | null }>('payment_methods');

describe('a stored payment method', () => {
  it('is a card of a token that the provider keeps, and is charged with and without the payer', async () => {
    const method = await aMethod();
    expect(method).toMatchObject({
      id: expect.stringMatching(/^pm_\w{32}$/),
      livemode: false,
      merchantId: master.id,
      type: 'credit_card',
      brand: 'visa',
      firstSix: '424242',
      lastFour: '4242',
      holderName: HOLDER,
      provider: 'simulator',
      networkTransactionId: expect.any(String),
      consentAt: CONSENT,
      authenticationUrl: null,
      failureReason: null,
    });
    expect(await read(method)).toEqual(method);

    const { body: byPayer } = await charge(method, {
      paymentMethod: { type: 'credit_card', installments: 3, id: method.id },
    }).expect(201);
    expect(byPayer).toMatchObject({
      status: 'paid',
      customer: { id: method.customerId, name: ANA.name },
      paymentMethod: { id: method.id, initiator: 'customer', lastFour: '4242', installments: 3 },
    });
    expect(byPayer.paymentDetails).not.toHaveProperty('id');
    const { body: byMerchant } = await charge(method, { initiator: 'merchant' }).expect(201);
    expect(byMerchant).toMatchObject({ status: 'paid', paymentMethod: { initiator: 'merchant' } });
    await shop.post('/v1/refunds', { chargeId: byMerchant.id, reason: 'sent back' }).expect(201);
  });

  it('is charged with the security code that the payer has typed again, once', async () => {
    const method = await aMethod();
    const pk = withKey(gateway, master.publicKey);
    const aCode = async (cvv: string, by = pk): Promise<string> => {
      const { body } = await by.post('/v1/cvv-tokens', { paymentMethodId: method.id, cvv }).expect(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^tok_\w{32}$/),
        livemode: false,
        paymentMethodId: method.id,
        expiresAt: expect.any(String),
      });
      return body.id;
    };
    const payWith = (cvvToken: string, changes: object = {}) =>
      charge(method, {
        paymentMethod: { type: 'credit_card', installments: 1, id: method.id, cvvToken },
        ...changes,
      });
    const token = await aCode('737');
    const answers = await Promise.all([payWith(token), payWith(token), payWith(token)]);
    expect(answers.map(code).sort()).toEqual([
      [201, undefined],
      [422, 'CARD_TOKEN_SPENT'],
      [422, 'CARD_TOKEN_SPENT'],
    ]);
    expect(answers.find(({ status }) => status === 201)?.body.status).toBe('paid');
    const wrong = await payWith(await aCode('000', shop)).then(({ body }) => body);
    expect(wrong).toMatchObject({ status: 'refused', failureReason: 'incorrect_cvc' });
    expect(code(await payWith(await aCode('737'), { initiator: 'merchant' }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ]);

    const ofCard = await aToken();
    expect(code(await payWith(ofCard))).toEqual([422, 'CARD_TOKEN_INVALID']);
    const asCard = { type: 'credit_card', installments: 1, token: await aCode('737') };
    const { id: _, ...nobody } = method;
    expect(
      code(await shop.post('/v1/charges', { ...aCardRequest(), paymentMethod: asCard, metadata: nobody })),
    ).toEqual([422, 'CARD_TOKEN_INVALID']);
    const other = await aMethod();
    const paymentMethod = {
      type: 'credit_card',
      installments: 1,
      id: other.id,
      cvvToken: await aCode('737'),
    };
    expect(code(await charge(other, { paymentMethod }))).toEqual([422, 'CARD_TOKEN_INVALID']);
    expect(JSON.stringify(await gateway().db.collection('card_tokens').find({}).toArray())).not.toContain(
      '737"',
    );
  });

  it('takes a security code of the right length, of a card of the shop that is active', async () => {
    const method = await aMethod();
    const ask = (body: object, by = shop) =>
      by.post('/v1/cvv-tokens', { paymentMethodId: method.id, ...body });
    for (const cvv of ['1234', '12', 'abc', '', null, 123]) await ask({ cvv }).expect(400);
    const amex = await aMethod({ number: '378282246310005', cvv: '1234' });
    await ask({ paymentMethodId: amex.id, cvv: '123' }).expect(400);
    await ask({ paymentMethodId: amex.id, cvv: '1234' }).expect(201);
    const stranger = await gateway().createMerchant();
    for (const key of [stranger.testKey, stranger.publicKey, master.liveKey])
      await ask({ cvv: '123' }, withKey(gateway, key)).expect(404);
    await revoke(method).expect(204);
    expect(code(await ask({ cvv: '123' }))).toEqual([422, 'PAYMENT_METHOD_NOT_ACTIVE']);
  });

  it('is refused where the bank wants its holder to be there, or never pays', async () => {
    const unattended = await aMethod({ number: UNATTENDED });
    expect((await charge(unattended).expect(201)).body.status).toBe('paid');
    expect((await charge(unattended, { initiator: 'merchant' }).expect(201)).body).toMatchObject({
      status: 'refused',
      failureReason: 'authentication_required',
    });
    const refused = await aMethod({ number: ALWAYS_REFUSED });
    for (const initiator of ['customer', 'merchant'])
      expect((await charge(refused, { initiator }).expect(201)).body.status).toBe('refused');
  });

  it('is listed with its customer, and seen by a master', async () => {
    const customerId = await aCustomer();
    const [one, other] = [(await store(customerId)).body, (await store(customerId)).body];
    await revoke(other).expect(204);
    const list = async (query: string) =>
      (await shop.getAfter('latest', `${pathOf(customerId)}?${query}`)).body.data.map(({ id }: Stored) => id);
    expect(await list('orderBy=createdAt')).toEqual([one.id, other.id]);
    expect(await list('status=active')).toEqual([one.id]);
    expect(await list('status=revoked')).toEqual([other.id]);

    const sub = withKey(gateway, (await createSubMerchant(gateway, master)).testKey);
    const method = await aMethod({}, sub);
    expect(await read(method)).toEqual(method);
    expect(code(await revoke(method))).toEqual([403, 'PAYMENT_METHOD_OWNER_ONLY']);
    expect(code(await store(method.customerId))).toEqual([403, 'CUSTOMER_OWNER_ONLY']);
    expect((await charge(method)).status).toBe(404);
  });

  it('is nothing to others, in the other environment, or under another customer', async () => {
    const method = await aMethod();
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    const live = withKey(gateway, master.liveKey);
    for (const other of [stranger, live]) {
      await other.get(`${pathOf(method.customerId)}/${method.id}`).expect(404);
      await other.get(pathOf(method.customerId)).expect(404);
      await revoke(method, other).expect(404);
      const { body } = await other.post('/v1/customers', ANA).expect(201);
      expect((await charge({ ...method, customerId: body.id }, {}, other)).status).toBe(404);
    }
    const wrong = { ...method, customerId: await aCustomer() };
    await shop.get(`${pathOf(wrong.customerId)}/${wrong.id}`).expect(404);
    await revoke(wrong).expect(404);
    const { body } = await charge(wrong).expect(400);
    expect(body.errors).toEqual([{ path: 'customerId', message: expect.any(String) }]);
    await charge(method).expect(201);
  });

  it('needs a permission of its own, which merchants with customers get by the upgrade', async () => {
    const method = await aMethod();
    const admin = await operator(gateway);
    const keys = `/v1/admin/merchants/${master.id}/api-keys`;
    const keyWith = async (permissions: readonly string[]) =>
      withKey(gateway, (await admin.post(keys, { livemode: false, permissions }).expect(201)).body.secretKey);
    const without = await keyWith(['customers.manage', 'charges.create']);
    const refused = [
      await without.get(pathOf(method.customerId)),
      await without.get(`${pathOf(method.customerId)}/${method.id}`),
      await revoke(method, without),
      await store(method.customerId, {}, without),
    ];
    for (const { status, body } of refused)
      expect([status, body.permission]).toEqual([403, 'payment_methods.manage']);
    const only = await keyWith(['payment_methods.manage']);
    expect(await read(method, only)).toMatchObject({ id: method.id });
    await revoke(method, only).expect(204);

    const { db } = gateway();
    const upgraded = async (permissions: readonly string[]) => {
      const { id } = await gateway().createMerchant();
      const merchant = { id };
      await db.collection('merchants').updateOne(merchant, { $set: { permissions } });
      for (const { id: step, up } of storedMethodMigrations)
        if (step === '262-payment-methods-permission') await up(db);
      return (await db.collection('merchants').findOne(merchant))?.permissions;
    };
    expect(await upgraded(['customers.manage'])).toEqual(['customers.manage', 'payment_methods.manage']);
    expect(await upgraded(['charges.create'])).toEqual(['charges.create']);
  });

  it('needs consent, a token that is not used, and a customer who is not deleted', async () => {
    const customerId = await aCustomer();
    const token = await aToken();
    const ask = (body: object) => shop.post(pathOf(customerId), body);
    expect(code(await ask({ token }))).toEqual([422, 'PAYMENT_METHOD_CONSENT_MISSING']);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await ask({ token, consentAt: later }).expect(400)).body.errors[0].path).toBe('consentAt');
    for (const consentAt of ['yesterday', '2026-01-31', 7]) await ask({ token, consentAt }).expect(400);
    await ask({ consentAt: CONSENT }).expect(400);
    expect(await methods().countDocuments({ customerId })).toBe(0);

    const consented = await ask({ token, consentAt: '2026-01-31T09:00:00-03:00' }).expect(201);
    expect(consented.body.consentAt).toBe(CONSENT);
    expect(code(await ask({ token, consentAt: CONSENT }))).toEqual([422, 'CARD_TOKEN_SPENT']);
    expect(code(await ask({ token: `tok_${'0'.repeat(32)}`, consentAt: CONSENT }))).toEqual([
      422,
      'CARD_TOKEN_INVALID',
    ]);
    await shop.call('delete', `/v1/customers/${customerId}`).expect(204);
    expect((await store(customerId)).status).toBe(404);
  });

  it('is stored or charged, where both ask for its token at once', async () => {
    const customerId = await aCustomer();
    for (let round = 0; round < 5; round += 1) {
      const token = await aToken();
      const payment = { type: 'credit_card', installments: 1, token };
      const answers = await Promise.all([
        shop.post(pathOf(customerId), { token, consentAt: CONSENT }),
        shop.post('/v1/charges', { ...aCardRequest(), paymentMethod: payment }),
      ]);
      expect(answers.map(code).sort()).toEqual([
        [201, undefined],
        [422, 'CARD_TOKEN_SPENT'],
      ]);
    }
  });

  it('is charged with its id alone, and `initiator` is for it only', async () => {
    const method = await aMethod();
    const wrong = { type: 'credit_card', installments: 1, id: method.id, cvv: '123' };
    await charge(method, { paymentMethod: wrong }).expect(400);
    await charge(method, { initiator: 'bank' }).expect(400);
    const inline = await charge(method, { customer: ANA, customerId: undefined }).expect(400);
    expect(inline.body.errors[0].path).toBe('customerId');
    const typed = await shop.post('/v1/charges', { ...aCardRequest(), initiator: 'merchant' }).expect(400);
    expect(typed.body.errors[0].path).toBe('initiator');
  });
});

describe('a card that is saved with a payment', () => {
  const pay = (customerId: string | undefined, method: object, changes: object = {}) => {
    const { customer, ...payment } = aCardRequest();
    const payer = customerId === undefined ? { customer } : { customerId };
    const paymentMethod = { type: 'credit_card', installments: 1, save: true, ...method };
    return shop.post('/v1/charges', { ...payment, ...payer, paymentMethod, ...changes });
  };
  const savedBy = ({ body }: Response): Stored => ({
    customerId: body.customer.id,
    id: body.paymentMethod.id,
  });
  const settled = (method: Stored) =>
    pollUntil(
      () => read(method),
      ({ status }) => status !== 'pending',
    );

  it('is active once that is paid, by its number or by a token, and is charged again', async () => {
    const customerId = await aCustomer();
    for (const method of [{ ...aCard(), holderName: HOLDER }, { token: await aToken() }]) {
      const paid = await pay(customerId, method).expect(201);
      expect(paid.body).toMatchObject({ status: 'paid', paymentMethod: { lastFour: '4242' } });
      expect(paid.body.paymentMethod).not.toHaveProperty('initiator');
      const saved = savedBy(paid);
      expect(await read(saved)).toMatchObject({
        status: 'active',
        customerId,
        holderName: HOLDER,
        consentAt: expect.any(String),
      });
      expect((await charge(saved, { initiator: 'merchant' }).expect(201)).body.status).toBe('paid');
      expect(await read(saved)).toMatchObject({ status: 'active' });
    }
  });

  it('waits as the payment does, and fails with it', async () => {
    const customerId = await aCustomer();
    const analysed = { ...aCard({ number: '4000000000005126' }) };
    const [first, second, revoked] = [
      await pay(customerId, analysed).expect(201),
      await pay(customerId, analysed).expect(201),
      await pay(customerId, analysed).expect(201),
    ];
    for (const one of [first, second]) expect((await read(savedBy(one))).status).toBe('pending');
    expect(code(await charge(savedBy(first)))).toEqual([422, 'PAYMENT_METHOD_NOT_ACTIVE']);
    await revoke(savedBy(revoked)).expect(204);
    for (const { body } of [first, revoked])
      await shop.post(`/v1/test-helpers/charges/${body.id}/pay`).expect(200);
    await shop.post(`/v1/test-helpers/charges/${second.body.id}/refuse`).expect(200);
    expect((await settled(savedBy(first))).status).toBe('active');
    expect(await read(savedBy(second))).toMatchObject({
      status: 'failed',
      failureReason: 'charge_refused',
    });
    expect((await read(savedBy(revoked))).status).toBe('revoked');
    const forgotten = await pollUntil(
      () =>
        gateway()
          .db.collection('simulator_cards')
          .findOne({ _id: savedBy(revoked).id.replace('pm_', 'simp_') as never }),
      (card) => card?.isRevoked === true,
    );
    expect(forgotten?.isRevoked).toBe(true);
    const refused = await pay(customerId, aCard({ number: '4000000000000002' })).expect(201);
    expect(await read(savedBy(refused))).toMatchObject({ status: 'failed' });
  });

  it('needs a customer, and a card that is not stored yet', async () => {
    const { body } = await pay(undefined, aCard()).expect(400);
    expect(body.errors).toEqual([{ path: 'customerId', message: expect.any(String) }]);
    const method = await aMethod();
    await pay(method.customerId, { id: method.id }).expect(400);
    await pay(method.customerId, { ...aCard(), save: 'yes' }).expect(400);
    const unsaved = await pay(method.customerId, { ...aCard(), save: false }).expect(201);
    expect(unsaved.body.paymentMethod).not.toHaveProperty('id');
  });
});

describe('the end of a stored payment method', () => {
  it('is its revocation: no charge afterwards, also while they race, and the provider forgets it', async () => {
    const method = await aMethod();
    const answers = await Promise.all([charge(method), revoke(method), revoke(method), charge(method)]);
    for (const { status } of [answers[1], answers[2]]) expect(status).toBe(204);
    expect(code(await charge(method))).toEqual([422, 'PAYMENT_METHOD_NOT_ACTIVE']);
    expect(code(await charge(method, { initiator: 'merchant' }))).toEqual([422, 'PAYMENT_METHOD_NOT_ACTIVE']);
    await revoke(method).expect(204);
    expect(await read(method)).toMatchObject({ status: 'revoked' });
    const forgotten = () => gateway().db.collection('simulator_cards').countDocuments({ isRevoked: true });
    expect(
      await pollUntil(
        () => forgotten(),
        (count) => count > 0,
      ),
    ).toBeGreaterThan(0);
    expect(
      await pollUntil(
        () => methods().findOne({ _id: method.id }),
        (stored) => stored?.reconcileAt === null,
      ),
    ).toMatchObject({ status: 'revoked' });
  });

  it('is the month on its card, from the first day of the next one on', async () => {
    const method = await aMethod();
    const past = { 'card.expirationYear': '2026', 'card.expirationMonth': '01' };
    await methods().updateOne({ _id: method.id }, { $set: past });
    expect(code(await charge(method))).toEqual([422, 'PAYMENT_METHOD_NOT_ACTIVE']);
    await methods().updateOne(
      { _id: method.id },
      { $set: { reconcileAt: new Date(Date.now() - 1_000).toISOString() } },
    );
    const { status } = await pollUntil(
      () => read(method),
      (shown) => shown.status !== 'active',
    );
    expect(status).toBe('expired');
  });

  it('is the deletion of its customer, which takes its holder out of everything', async () => {
    const holderName = 'Zuleica Ximenes';
    const method = await aMethod({ holderName });
    const other = (await store(method.customerId, { holderName })).body;
    await revoke(other).expect(204);
    await shop.call('delete', `/v1/customers/${method.customerId}`).expect(204);
    for (const one of [method, other])
      expect(await read(one)).toMatchObject({ status: 'revoked', holderName: null });
    expect((await charge(method)).status).toBe(404);
    await shop.getAfter('latest', pathOf(method.customerId));
    await gateway().db.collection('card_tokens').deleteMany({});
    const stores = [await everythingInMongo(gateway().db), await everythingInElastic(gateway().readStore)];
    for (const [name, text] of stores.flatMap((all) => [...all]))
      expect([name, text.includes(holderName)]).toEqual([name, false]);
  });

  it('is the erasure of its customer by an operator', async () => {
    const email = 'zoe@example.test';
    const { body: customer } = await shop.post('/v1/customers', { ...ANA, email }).expect(201);
    const { body: method } = await store(customer.id, { holderName: 'Zoe Yamada' });
    const admin = await operator(gateway, 'test');
    await admin.post('/v1/admin/customers/erase', { email }).expect(200);
    expect(await read(method)).toMatchObject({ status: 'revoked', holderName: null });
  });

  it('comes in time for a customer with the most methods that there may be', async () => {
    const method = await aMethod();
    const stored = await methods().findOne({ _id: method.id });
    const copies = Array.from({ length: 99 }, (_, number) => {
      const id = `pm_${String(number).padStart(32, '0')}`;
      return { ...stored, _id: id, id, status: 'failed' };
    });
    await methods().insertMany(copies);
    expect(code(await store(method.customerId))).toEqual([422, 'PAYMENT_METHOD_LIMIT_REACHED']);
    await shop.call('delete', `/v1/customers/${method.customerId}`).expect(204);
    expect(
      await methods().countDocuments({ customerId: method.customerId, 'card.holderName': { $ne: null } }),
    ).toBe(0);
  });
});

it('endpoints that name the events of payment methods get them, without the holder, and `*` does not mean them', async () => {
  const { testKey } = await gateway().createMerchant();
  const by = withKey(gateway, testKey);
  const events = ['payment_method.active', 'payment_method.revoked'];
  const named = `${receiver.url}/named`;
  await by.post('/v1/webhook-endpoints', { url: named, events }).expect(201);
  await by.post('/v1/webhook-endpoints', { url: `${receiver.url}/all`, events: ['*'] }).expect(201);
  const receivedAt = (path: string) => receiver.received.filter((one) => one.path === path);
  const method = await aMethod({}, by);
  await revoke(method, by).expect(204);
  const got = await pollUntil(
    async () => receivedAt('/named'),
    (all) => all.length === 2,
  );
  expect(got.map(({ body }) => JSON.parse(body).event).sort()).toEqual(events);
  for (const { body } of got) {
    expect(JSON.parse(body).data).toMatchObject({ id: method.id, lastFour: '4242' });
    expect(body).not.toContain('holderName');
  }
  const listed = await by.getAfter('latest', '/v1/events?size=100');
  const kinds = listed.body.data.map(({ event }: { event: string }) => event);
  expect(kinds).toEqual(expect.arrayContaining(events));
  expect(receivedAt('/all')).toEqual([]);
});
