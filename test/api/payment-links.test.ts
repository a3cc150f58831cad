import fc from 'fast-check';
import type { Response } from 'supertest';
import { readLinkForm } from '../../src/modules/checkout-page/link-form.ts';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { type Client, createSubMerchant, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { PAYER, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ ...PATIENT, TRUSTED_PROXIES: 'loopback' });
const browser = useBrowser();
const { get, post, pay } = payersOf(gateway);

const BODY = { amount: 49.9, currency: 'BRL', description: 'Ticket & <b>more</b>' };
const CPF = '529.982.247-25';

let master: TestMerchant;
let shop: Client;
const openShop = async (): Promise<void> => {
  master = await gateway().createMaster({ legalName: 'Grão Torrado' });
  shop = withKey(gateway, master.testKey);
};
beforeAll(openShop);

const create = (body: object, by = shop) => by.post('/v1/payment-links', body);
const open = async (changes: object = {}, by = shop) => {
  const { id, url } = (await create({ ...BODY, ...changes }, by).expect(201)).body;
  return { id, url, path: new URL(url).pathname };
};
const read = async (id: string): Promise<Response['body']> =>
  (await shop.get(`/v1/payment-links/${id}`).expect(200)).body;
/** The path of the session that a payer at an address comes to. */
const start = async (path: string, fields: Readonly<Record<string, string>> = {}, address = '192.0.2.1') => {
  const answer = await post(`${path}/start`, fields).set('X-Forwarded-For', address).expect(303);
  return String(answer.headers.location);
};
const payAt = (session: string, address: string, method = 'credit_card') =>
  pay(session, method, TYPED_CARD).set('X-Forwarded-For', address);
const sessionsOf = async (id: string): Promise<Response['body'][]> =>
  (
    await shop
      .get(`/v1/checkout-sessions?paymentLinkId=${id}&size=100`)
      .set('X-Consistency-Token', 'latest')
      .expect(200)
  ).body.data;

describe('a payment link', () => {
  it('is made, read, listed, changed and cancelled', async () => {
    const { body } = await create({
      ...BODY,
      reference: 'link-1',
      fields: ['name'],
      ownFields: ['Size'],
    }).expect(201);
    expect(body).toMatchObject({
      status: 'active',
      amount: 49.9,
      amountRange: null,
      maxPayments: 1,
      payments: 0,
      fields: ['name'],
      ownFields: ['Size'],
      expiresAt: null,
    });
    expect(new URL(body.url).pathname).toMatch(/^\/link\/[\w-]{22}$/);
    expect(await read(body.id)).toEqual(body);
    const { items: _, ...listed } = body;
    const list = await shop
      .get('/v1/payment-links?reference=link-1')
      .set('X-Consistency-Token', 'latest')
      .expect(200);
    expect(list.body.data).toEqual([listed]);
    const change = (changes: object) => shop.call('patch', `/v1/payment-links/${body.id}`, changes);
    const { path } = { path: new URL(body.url).pathname };
    expect((await change({ status: 'paused' }).expect(200)).body.status).toBe('paused');
    expect(textOf(await get(path).expect(200))).toContain('This link takes no payments');
    await change({ status: 'active', description: 'Another name' }).expect(200);
    expect(textOf(await get(path).expect(200))).toContain('Another name');
    expect((await shop.post(`/v1/payment-links/${body.id}/cancel`, {}).expect(200)).body.status).toBe(
      'cancelled',
    );
    expect((await change({ status: 'active' }).expect(422)).body.code).toBe('LINK_NOT_ACTIVE');
    expect((await shop.post(`/v1/payment-links/${body.id}/cancel`, {}).expect(422)).body.code).toBe(
      'LINK_NOT_ACTIVE',
    );
  });

  it.each([
    ['both amounts', { amountRange: { min: 1, max: 2 } }],
    ['neither amount', { amount: undefined }],
    ['a range upside down', { amount: undefined, amountRange: { min: 2, max: 1 } }],
    ['too many digits', { amount: 1.234 }],
    ['no description', { description: undefined }],
    ['no payments', { maxPayments: 0 }],
    ['four questions', { ownFields: ['a', 'b', 'c', 'd'] }],
    ['an unknown field', { fields: ['iban'] }],
    ['a time in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('is refused with %s', async (_, wrong) => {
    await create({ ...BODY, ...wrong }).expect(400);
  });

  it('leaves room for the longest answers, so that no payer is refused for them', async () => {
    const ownFields = ['Size', 'Colour', 'Message'];
    const metadataOf = (bytes: number) => ({ note: 'x'.repeat(bytes) });
    await create({ ...BODY, metadata: metadataOf(16_000) }).expect(201);
    await create({ ...BODY, metadata: metadataOf(16_000), ownFields }).expect(400);
    await create({ ...BODY, metadata: { answers: 1 }, ownFields }).expect(400);
    await create({ ...BODY, metadata: { answers: 1 } }).expect(201);
    const { path } = await open({ metadata: metadataOf(13_700), ownFields });
    const longest = '\u{1F34D}'.repeat(200);
    const session = await start(path, { own0: longest, own1: longest, own2: longest });
    await payAt(session, '192.0.2.1', 'pix').expect(303);
    expect(textOf(await get(session).expect(200))).toContain('Pay with Pix');
  });

  it('with a limit offers no method whose payer has days', async () => {
    const refused = await create({ ...BODY, methods: ['voucher'] }).expect(422);
    expect(refused.body.code).toBe('PAYMENT_METHOD_NOT_AVAILABLE');
    await create({ ...BODY, methods: ['voucher'], maxPayments: null }).expect(201);
  });

  it('belongs to one merchant', async () => {
    const sub = withKey(gateway, (await createSubMerchant(gateway, master)).testKey);
    const own = await open({}, sub);
    await shop.get(`/v1/payment-links/${own.id}`).expect(200);
    expect((await shop.post(`/v1/payment-links/${own.id}/cancel`, {}).expect(403)).body.code).toBe(
      'CHECKOUT_OWNER_ONLY',
    );
    const { id } = await open();
    await sub.get(`/v1/payment-links/${id}`).expect(404);
    await sub.call('patch', `/v1/payment-links/${id}`, { status: 'paused' }).expect(404);
  });

  it('ends when its time is over', async () => {
    const { id, path } = await open({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    const session = await start(path);
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('payment_links')
      .updateOne({ id }, { $set: { expiresAt: past, reconcileAt: past } });
    expect(textOf(await get(path).expect(200))).toContain('This link takes no payments');
    expect(textOf(await get(session).expect(200))).toContain('This link takes no payments');
    await payAt(session, '192.0.2.1').expect(422);
    await pollUntil(
      () => read(id),
      ({ status }) => status === 'expired',
    );
    expect((await sessionsOf(id)).flatMap(({ chargeIds }) => chargeIds)).toEqual([]);
  });
});

describe('the page of a link', () => {
  it('stores nothing when it is looked at', async () => {
    const { id, path } = await open();
    const answer = await get(path).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(textOf(answer)).toContain('Ticket &amp; &lt;b&gt;more');
    expect(await sessionsOf(id)).toEqual([]);
    const other = `${path.slice(0, -1)}${path.endsWith('A') ? 'Q' : 'A'}`;
    await get(other).expect(404);
    await post(`${other}/start`).expect(404);
  });

  it('asks for an amount within its range, and for the facts that the merchant wants', async () => {
    const { path } = await open({
      amount: undefined,
      amountRange: { min: 10, max: 5_000 },
      fields: ['name', 'email', 'document', 'phone', 'address'],
      ownFields: ['Message'],
      metadata: { drive: 'beach' },
    });
    const fields = { ...PAYER, document: CPF, phone: '+55 11 5555', country: 'Brasil', own0: 'Força!' };
    for (const amount of ['', '9,99', '5.000,01', '-20', 'x']) {
      const answer = await post(`${path}/start`, { ...fields, amount }).expect(422);
      expect(textOf(answer)).toContain('Choose an amount from R$10.00 to R$5,000.00.');
      expect(textOf(answer)).toContain(`value="${PAYER.email}"`);
    }
    const asProgram = (form: Readonly<Record<string, string>>) =>
      post(`${path}/start`, form).set('Accept', 'application/json');
    const refused = await asProgram({ ...fields, amount: '9,99' }).expect(422);
    expect(refused.body).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE', errors: [{ path: 'amount' }] });
    const unread = await asProgram({ ...fields, amount: 'x' }).expect(400);
    expect(unread.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'amount' }] });
    const wrong = await post(`${path}/start`, { amount: '60', own0: '4111 1111 1111 1111' }).expect(422);
    expect(textOf(wrong).match(/ aria-invalid="true"/g)).toHaveLength(6);
    expect(textOf(wrong)).not.toContain('4111');
    const session = await start(path, { ...fields, amount: '1.234,50' });
    expect(textOf(await get(session).expect(200))).toContain('R$1,234.50');
    await post(`${session}/pay`, { method: 'voucher' }).expect(303);
    await post(`${session}/pay`, { method: 'pix' }).expect(303);
    const { body } = await shop
      .get('/v1/charges?orderBy=-createdAt&size=1')
      .set('X-Consistency-Token', 'latest')
      .expect(200);
    expect(body.data[0]).toMatchObject({
      amount: 1234.5,
      customer: { ...PAYER, document: '52998224725', phone: '+55 11 5555' },
      metadata: { drive: 'beach', answers: [{ label: 'Message', value: 'Força!' }] },
    });
  });

  it('reads amounts as people write them, and never one that is out of range', () => {
    const link = (currency: string, max: number) =>
      ({ amountRange: { min: 1, max }, currency, fields: [], ownFields: [] }) as const;
    const amountOf = (typed: string, currency = 'BRL'): number | null => {
      const form = readLinkForm(
        Buffer.from(new URLSearchParams({ amount: typed }).toString()),
        link(currency, 10 ** 9),
      );
      return 'filled' in form ? form.filled.amount : null;
    };
    for (const typed of ['1.234,50', '1,234.50', 'R$ 1234,50', '1234.5'])
      expect(amountOf(typed)).toBe(123_450);
    expect(amountOf('60')).toBe(6_000);
    expect(amountOf('1.000')).toBe(100_000);
    expect(amountOf('1,250', 'KWD')).toBe(1_250);
    expect(amountOf('1,000', 'JPY')).toBe(1_000);
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (typed) => {
        const amount = amountOf(typed);
        expect(amount === null || (Number.isSafeInteger(amount) && amount >= 1 && amount <= 10 ** 9)).toBe(
          true,
        );
      }),
    );
  });

  it('opens thirty sessions a minute for one address at most', async () => {
    const { id, path } = await open({ maxPayments: null });
    const answers = await Promise.all(
      Array.from({ length: 35 }, () => post(`${path}/start`).set('X-Forwarded-For', '203.0.113.7')),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    await post(`${path}/start`).set('X-Forwarded-For', '203.0.113.8').expect(303);
    expect(await sessionsOf(id)).toHaveLength(31);
  });
});

describe('a place', () => {
  it('is held by a charge, and free again once that comes to nothing', async () => {
    const { id, path } = await open();
    const [ana, bia] = [await start(path), await start(path)];
    await payAt(ana, '192.0.2.1', 'pix').expect(303);
    const [charge] = await gateway()
      .db.collection('charges')
      .find({ merchantId: master.id })
      .sort({ _id: -1 })
      .toArray();
    const lives = Date.parse(charge?.expiresAt) - Date.parse(charge?.createdAt);
    expect(Math.round(lives / 60_000)).toBe(15);
    for (const page of [path, bia])
      expect(textOf(await get(page).expect(200))).toContain('Somebody else is paying this link');
    await post(`${path}/start`).expect(303).expect('Location', path);
    const asProgram = () => post(`${path}/start`).set('Accept', 'application/json').expect(422);
    expect((await asProgram()).body.code).toBe('LINK_EXHAUSTED');
    await payAt(bia, '192.0.2.2').expect(422);
    await post(`${ana}/change`).expect(303);
    await payAt(bia, '192.0.2.2').expect(303);
    expect(await read(id)).toMatchObject({ status: 'completed', payments: 1 });
    for (const page of [path, ana])
      expect(textOf(await get(page).expect(200))).toContain('This link has been paid');
    const again = await shop.call('patch', `/v1/payment-links/${id}`, { status: 'active' }).expect(422);
    expect(again.body.code).toBe('LINK_EXHAUSTED');
    await payAt(ana, '192.0.2.1').expect(422);
    const { chargeId } = (await sessionsOf(id)).find(({ status }) => status === 'completed');
    await shop.post('/v1/refunds', { chargeId, reason: 'a wrong size' }).expect(201);
    expect(await read(id)).toMatchObject({ status: 'completed', payments: 1 });
  });

  it('is one at most of an address', async () => {
    const { path } = await open({ maxPayments: 3 });
    const [first, second] = [await start(path), await start(path)];
    await payAt(first, '192.0.2.9', 'pix').expect(303);
    const answer = await payAt(second, '192.0.2.9', 'pix').expect(422);
    expect(textOf(answer)).toContain('This link cannot be paid now');
    await payAt(second, '192.0.2.10', 'pix').expect(303);
  });

  it('goes to one of fifty payers at once, and the others are told before they can pay', async () => {
    for (const method of ['pix', 'credit_card']) {
      await openShop();
      const { id, path } = await open();
      const addressOf = (payer: number): string => `198.51.${payer}.1`;
      const sessions = await Promise.all(
        Array.from({ length: 50 }, (_, payer) => start(path, {}, addressOf(payer))),
      );
      const answers = await Promise.all(
        sessions.map((session, payer) => payAt(session, addressOf(payer), method)),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
      const charges = (await sessionsOf(id)).flatMap(({ chargeIds }) => chargeIds);
      expect(charges).toHaveLength(1);
      expect((await read(id)).payments).toBe(method === 'pix' ? 0 : 1);
    }
  });

  it('is counted for as many as may pay, whatever the others do', async () => {
    await openShop();
    const { id, path } = await open({ maxPayments: 5, methods: ['pix'] });
    const payer = async (number: number): Promise<void> => {
      const address = `198.51.${number}.2`;
      const session = await start(path, {}, address);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await payAt(session, address, 'pix');
        if (number % 3 === 0) await post(`${session}/change`);
        else await post(`${session}/simulate`, { outcome: number % 3 === 1 ? 'paid' : 'failed' });
      }
    };
    await Promise.all(
      Array.from({ length: volume({ usual: 20, proof: 100 }) }, (_, number) => payer(number)),
    );
    const link = await read(id);
    expect(link.payments).toBeLessThanOrEqual(5);
    const paid = (await sessionsOf(id)).filter(({ status }) => status === 'completed');
    expect(paid).toHaveLength(link.payments);
    expect(link.status).toBe(link.payments === 5 ? 'completed' : 'active');
    const places = await gateway()
      .db.collection<{ _id: string; held: unknown[] }>('payment_link_places')
      .findOne({ _id: id });
    expect(places?.held).toEqual([]);
  });
});

it('takes any number of payments where it says so', async () => {
  await openShop();
  const { id, path } = await open({ maxPayments: null });
  await Promise.all(
    Array.from({ length: 12 }, async (_, payer) => {
      const address = `198.51.${payer}.3`;
      await payAt(await start(path, {}, address), address).expect(303);
    }),
  );
  expect(await read(id)).toMatchObject({ status: 'active', payments: 12 });
});

describe('the page in a browser', () => {
  it.each([
    ['pt-BR', 'light', 'Escolher como pagar', 'Escolha um valor de R$', '60,00', 'Como você quer pagar?'],
    ['es', 'dark', 'Elegir cómo pagar', 'Elija un importe de', '60,00', '¿Cómo quiere pagar?'],
    ['en', 'light', 'Choose how to pay', 'Choose an amount from', '60.00', 'How would you like to pay?'],
  ] as const)('leads to a payment in %s', async (language, colors, said, outOfRange, written, after) => {
    const { url } = await open({
      amount: undefined,
      amountRange: { min: 10, max: 5_000 },
      fields: ['name', 'document'],
      maxPayments: null,
    });
    const page = await browser().open({ language, colors, width: 360 });
    await page.goto(url);
    expect(await page.$eval('main', ({ innerText }) => innerText)).toContain(said);
    await picture(page, `link-${language}-${colors}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewport({ width: 320, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.type('#amount', '6');
    await page.keyboard.press('Tab');
    expect(await page.$eval('#amount-fault', ({ textContent }) => textContent)).toContain(outOfRange);
    await page.type('#amount', '0');
    expect(await page.$('#amount-fault')).toBeNull();
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.querySelector('#amount').value")).toBe(written);
    await page.type('#name', 'Ana Souza');
    await page.type('#document', CPF);
    await page.click('form.stack button');
    await pollUntil(
      () => page.$eval('main', ({ innerText }) => innerText).catch(() => ''),
      (text) => text.includes(after),
    );
    expect(new URL(page.url()).pathname).toMatch(/^\/checkout\//);
    await page.close();
  });
});

describe('a payment link that sells a plan', () => {
  const aPlan = async (): Promise<string> => {
    const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month' };
    return (await shop.post('/v1/plans', plan).expect(201)).body.id;
  };
  const subscribe = (session: string, address: string) =>
    pay(session, 'credit_card', { ...TYPED_CARD, save: 'yes' }).set('X-Forwarded-For', address);

  it('takes any number of subscribers, and none while it is paused', async () => {
    await openShop();
    const planId = await aPlan();
    const { body: link } = await create({ planId, description: 'Coffee club' }).expect(201);
    expect(link).toMatchObject({ planId, amount: 79, currency: 'BRL', maxPayments: null });
    const { pathname: path } = new URL(link.url);
    expect(textOf(await get(path).expect(200))).toContain('a month');
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const session = await start(path, {}, address);
      expect(textOf(await get(session).expect(200))).toContain('charges the payments of this subscription');
      await subscribe(session, address).expect(303);
    }
    expect((await read(link.id)).payments).toBe(2);
    const sessions = await sessionsOf(link.id);
    expect(sessions.map(({ mode, status }) => [mode, status])).toEqual([
      ['subscription', 'completed'],
      ['subscription', 'completed'],
    ]);
    const begun = await start(path, {}, '192.0.2.3');
    await shop.call('patch', `/v1/payment-links/${link.id}`).send({ status: 'paused' }).expect(200);
    await subscribe(begun, '192.0.2.3');
    expect((await read(link.id)).payments).toBe(2);
    expect(await gateway().db.collection('subscriptions').countDocuments({ planId })).toBe(2);
  });

  it('has no amount, no limit and no other currency', async () => {
    const planId = await aPlan();
    const plan = { planId, description: 'Coffee club' };
    await create({ ...plan, amount: 10 }).expect(400);
    await create({ ...plan, maxPayments: 5 }).expect(400);
    await create({ ...plan, currency: 'USD' }).expect(400);
    await create({ amount: 10, description: 'No currency' }).expect(400);
    await create({ ...plan, planId: `plan_${'0'.repeat(32)}` }).expect(404);
  });
});
