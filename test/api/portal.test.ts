import fc from 'fast-check';
import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { aCard } from '../builders.ts';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { aSubscriber, subscribe } from '../support/subscribers.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);
const browser = useBrowser();

const NEVER_PAID = '4000000000000341';
const NAME = 'Loja & <Café>';

let master: TestMerchant;
let shop: Client;
let admin: Client;
beforeAll(async () => {
  master = await gateway().createMaster({ legalName: NAME, timeZone: 'America/Sao_Paulo' });
  shop = withKey(gateway, master.testKey);
  admin = await operator(gateway);
});

const open = (id: string, body: object = {}, by = shop) => by.post(`/v1/subscriptions/${id}/portal`, body);
/** A subscription and the path of its page. */
const aPage = async (card: object = aCard(), wanted: object = { trialDays: 0 }) => {
  const { id } = await subscribe(shop, await aSubscriber(shop, card), wanted);
  return { id, ...(await opened(id)) };
};
const opened = async (id: string, body: object = {}) => {
  const { url, expiresAt } = (await open(id, body).expect(200)).body;
  return { url, expiresAt, path: new URL(url).pathname };
};
const get = (path: string, language = 'en') =>
  gateway().call('get', path).set('Accept-Language', language).buffer(true);
const textOf = (answer: Response): string => answer.text ?? String(answer.body);
const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
  gateway().call('post', path).type('form').send(new URLSearchParams(fields).toString());
const read = async (id: string): Promise<Response['body']> =>
  (await shop.get(`/v1/subscriptions/${id}`).expect(200)).body;
const FORM = {
  number: '4242 4242 4242 4242',
  holderName: 'Ana Souza',
  expiry: '08/39',
  cvv: '123',
  consent: 'yes',
};

describe('the page of a payer', () => {
  it('says what runs and what was paid, to whoever has its address, for a day', async () => {
    const { path, expiresAt } = await aPage(aCard(), { trialDays: 0, description: '<b>Box</b>' });
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    expect(path).toMatch(/^\/portal\/prt_[0-9a-f]{32}\/[\w-]{32}$/);
    const answer = await get(path).expect(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-language': 'en',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    const html = textOf(answer);
    expect(html).toContain('Loja &amp; &lt;Café&gt;');
    expect(html).toContain('&lt;b&gt;Box&lt;/b&gt;');
    expect(html).toContain('Visa ending in 4242');
    expect(html).not.toMatch(/<script|cus_|sub_|ana@example/);
  });

  it.each([
    ['another secret', (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`],
    ['another id', (path: string) => path.replace(/prt_\w{4}/, 'prt_0000')],
  ])('is nothing at an address with %s', async (_, changed) => {
    const { path } = await aPage();
    const answer = await get(changed(path), 'pt-BR').expect(404);
    expect(textOf(answer)).toContain('Este endereço não vale mais');
    await post(`${changed(path)}/cancel`).expect(404);
    await post(`${changed(path)}/card`, FORM).expect(404);
  });

  it('is over when its time is, and opened again with another address', async () => {
    const { id, path } = await aPage();
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('subscription_portals')
      .updateMany({ subscriptionId: id }, { $set: { expiresAt: past } });
    await get(path).expect(404);
    await get((await opened(id)).path).expect(200);
  });

  it('is opened by the merchant of the subscription alone', async () => {
    const { id } = await aPage();
    const sub = withKey(gateway, (await createSubMerchant(gateway, master)).testKey);
    const own = await subscribe(sub, await aSubscriber(sub));
    expect((await open(own.id)).status).toBe(403);
    expect((await open(id, {}, sub)).status).toBe(404);
    expect((await open(id, {}, admin)).status).toBe(403);
    for (const body of [
      { expiresIn: 30 * 86_400 + 1 },
      { expiresIn: 0 },
      { returnUrl: 'javascript:alert(1)' },
    ])
      expect((await open(id, body)).status).toBe(400);
  });

  it('keeps its secret out of the store', async () => {
    const { id, path } = await aPage();
    const stored = await gateway()
      .db.collection('subscription_portals')
      .find({ subscriptionId: id })
      .toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(path.split('/').at(-1));
  });
});

describe('another card', () => {
  it('pays what is open at once, without scripts, and the subscription is active again', async () => {
    const { id } = await subscribe(shop, await aSubscriber(shop, aCard({ number: NEVER_PAID })));
    const until = new Date(Date.now() + 2 * DAY_MS).toISOString();
    await shop.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200);
    expect((await read(id)).status).toBe('past_due');

    const page = await browser().open({ scripts: false, width: 320, language: 'pt-BR' });
    await page.goto((await opened(id, { returnUrl: 'https://shop.example.test/conta' })).url);
    expect(await page.$eval('main', ({ innerText }) => innerText)).toContain(
      'O último pagamento não foi feito',
    );
    await page.click('summary');
    for (const [name, value] of Object.entries(FORM))
      if (name !== 'consent') await page.type(`input[name=${name}]`, value);
    await page.click('input[name=consent]');
    await Promise.all([page.waitForNavigation(), page.click('button.pay')]);
    const text = await page.$eval('main', ({ innerText }) => innerText);
    expect(text).toContain('os próximos pagamentos são feitos com este cartão');
    expect(text).toContain('Ativa');
    expect(await read(id)).toMatchObject({ status: 'active', cycle: 1 });
    expect(await page.$eval('a[href^="https://shop"]', (link) => link.getAttribute('href'))).toBe(
      'https://shop.example.test/conta',
    );
    await page.close();
  });

  it.each([
    ['number', '4242 4242 4242 4241'],
    ['number', ''],
    ['holderName', ''],
    ['expiry', '13/39'],
    ['expiry', '01/20'],
    ['cvv', '12'],
    ['consent', 'no'],
  ])('is not kept with a wrong %s, %s, and the field says so', async (name, value) => {
    const { id, path } = await aPage();
    const before = await read(id);
    const answer = await post(`${path}/card`, { ...FORM, [name]: value }).expect(422);
    const html = textOf(answer);
    expect(html).toContain(`id="${name}-fault"`);
    expect(html).not.toMatch(/4242 ?4242/);
    expect(await read(id)).toEqual(before);
  });

  it('is kept nowhere once the subscription has ended', async () => {
    const { id, path } = await aPage();
    await shop.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200);
    const stored = () => gateway().db.collection('payment_methods').countDocuments();
    const before = await stored();
    expect(textOf(await post(`${path}/card`, FORM).expect(422))).toContain('or has ended');
    expect(await stored()).toBe(before);
  });

  it('is taken with an expiry as people type it', async () => {
    for (const expiry of ['8/39', '08/2039', '0839', '08 / 39', '08-39']) {
      const { path } = await aPage();
      await post(`${path}/card`, { ...FORM, expiry }).expect(303);
    }
  });

  it('is tried five times with refused ones, and then never more at this address', async () => {
    const { id, path } = await aPage(aCard({ number: NEVER_PAID }));
    for (let count = 0; count < 5; count += 1) {
      const answer = await post(`${path}/card`, { ...FORM, number: NEVER_PAID }).expect(422);
      expect(textOf(answer)).toContain('The card was saved, but the payment was refused');
    }
    const before = await read(id);
    expect(textOf(await post(`${path}/card`, FORM).expect(422))).toContain('Too many cards were refused');
    expect(textOf(await get(path).expect(200))).not.toContain('name="number"');
    expect(await read(id)).toEqual(before);
    // Another address takes as many again, and then none of the customer's does.
    const other = (await opened(id)).path;
    for (let count = 0; count < 5; count += 1)
      await post(`${other}/card`, { ...FORM, number: NEVER_PAID }).expect(422);
    const last = await post(`${(await opened(id)).path}/card`, FORM).expect(422);
    expect(textOf(last)).toContain('Too many cards were refused');
  });

  it('of two at once pays, and the last one stays', async () => {
    const { id, path } = await aPage();
    const numbers = ['4242424242424242', '5555555555554444'];
    await Promise.all(numbers.map((number) => post(`${path}/card`, { ...FORM, number }).expect(303)));
    const { paymentMethodId, status } = await read(id);
    expect(status).toBe('active');
    const stored = await gateway().db.collection('payment_methods').findOne({ id: paymentMethodId });
    expect(stored?.status).toBe('active');
  });

  it('that waits for its holder pays once the bank has confirmed it', async () => {
    const { id, path } = await aPage();
    await post(`${path}/card`, FORM).expect(303);
    const { paymentMethodId } = await read(id);
    const { db } = gateway();
    // As if the card before had to be confirmed, and this address had just sent its holder to the bank.
    const { customerId } = await read(id);
    const token = (await shop.post('/v1/card-tokens', aCard({ number: '5555555555554444' })).expect(201)).body
      .id;
    const method = (
      await shop
        .post(`/v1/customers/${customerId}/payment-methods`, { token, consentAt: '2026-01-31T12:00:00.000Z' })
        .expect(201)
    ).body.id;
    const url = 'https://bank.example.test/confirm';
    const pending = { status: 'pending', authenticationUrl: url };
    await db.collection('payment_methods').updateOne({ id: method }, { $set: pending });
    await db
      .collection('subscription_portals')
      .updateOne({ subscriptionId: id }, { $set: { pendingMethodId: method } });
    const waiting = textOf(await get(path).expect(200));
    expect(waiting).toContain(`href="${url}"`);
    expect(waiting).not.toContain('name="number"');
    expect((await read(id)).paymentMethodId).toBe(paymentMethodId);
    await db.collection('payment_methods').updateOne({ id: method }, { $set: { status: 'active' } });
    expect(textOf(await get(path).expect(200))).toContain('Mastercard ending in 4444');
    expect((await read(id)).paymentMethodId).toBe(method);
  });

  it('answers any form with a page and shows nothing that was typed', async () => {
    const { path } = await aPage();
    const field = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('<script>alert(1)</script>', '4111111111111111'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ number: field, holderName: field, expiry: field, cvv: field }),
        async (fields) => {
          const answer = await post(`${path}/card`, fields);
          expect(answer.status).toBe(422);
          expect(textOf(answer)).not.toMatch(/<script|4111/);
        },
      ),
      { numRuns: volume({ usual: 40, proof: 1_000 }) },
    );
  });
});

describe('the end of a subscription', () => {
  it('is for the payer to choose only where the merchant lets him, and can be taken back', async () => {
    const { id, path } = await aPage();
    expect(textOf(await get(path).expect(200))).not.toContain('Cancel subscription');
    await post(`${path}/cancel`).expect(303);
    expect((await read(id)).cancelAt).toBeNull();
    const setting = { name: 'portal_cancel', content: true };
    await admin.post(`/v1/merchants/${master.id}/settings`, setting).expect(201);
    await post(`${path}/cancel`).expect(303).expect('Location', `${path}?done=cancelled`);
    const { cancelAt, currentPeriodEnd, status } = await read(id);
    expect([status, cancelAt]).toEqual(['active', currentPeriodEnd]);
    expect(textOf(await get(`${path}?done=cancelled`).expect(200))).toContain(
      'The subscription was cancelled.',
    );
    await post(`${path}/keep`).expect(303);
    expect((await read(id)).cancelAt).toBeNull();
    await post(`${path}/keep`).expect(303).expect('Location', path);
  });
});

describe('receipts', () => {
  it('are there for each paid cycle, and say what was given back', async () => {
    const { id, path } = await aPage(aCard(), { trialDays: 0, description: 'Box of fruit' });
    const { latestChargeId: chargeId } = await read(id);
    const receipt = textOf(await get(`${path}/receipts/1`).expect(200));
    for (const said of ['Receipt of Loja &amp; &lt;Café&gt;', 'Ana Souza', chargeId, 'Box of fruit', '49.90'])
      expect(receipt).toContain(said);
    for (const number of ['0', '2', '01', 'x']) await get(`${path}/receipts/${number}`).expect(404);
    await shop.post('/v1/refunds', { chargeId, reason: 'a wrong size' }).expect(201);
    expect(textOf(await get(`${path}/receipts/1`).expect(200))).toContain('given back');
    expect(textOf(await get(path).expect(200))).toContain('given back');
  });
});

it('shows every payment there ever was, as many at once as a page can bear, and the receipt of each', async () => {
  const PAID = 125;
  const { id, path } = await aPage();
  // As if it ran for ten years: each cycle is like the first, which was paid.
  const cycles = gateway().db.collection<{ _id: string; number: number }>('subscription_cycles');
  const first = await cycles.findOne({ subscriptionId: id });
  const copies = Array.from({ length: PAID - 1 }, (_, place) => {
    const number = place + 2;
    return { ...first, _id: `${id}_${number}`, id: `${id}_${number}`, number };
  });
  await cycles.insertMany(copies);
  const numbersOn = (html: string) =>
    [...html.matchAll(/receipts\/(\d+)"/g)].map(([, number]) => Number(number));
  const shown: number[][] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const html: string = textOf(await get(next).expect(200));
    shown.push(numbersOn(html));
    expect(html.includes(`href="${path}#payments">Latest payments`)).toBe(shown.length > 1);
    next = /href="([^"]+)#payments">Earlier payments/.exec(html)?.[1];
  }
  expect(shown.map(({ length }) => length)).toEqual([60, 60, 5]);
  expect(shown.flat()).toEqual(Array.from({ length: PAID }, (_, place) => PAID - place));
  for (const number of [1, 64, 65, PAID])
    expect(textOf(await get(`${path}/receipts/${number}`).expect(200))).toContain('R$49.90');
  for (const number of [0, PAID + 1, '01', 'x']) await get(`${path}/receipts/${number}`).expect(404);
  for (const before of ['0', 'x', '1000000']) await get(`${path}?before=${before}`).expect(400);
  expect(numbersOn(textOf(await get(`${path}?before=1`).expect(200)))).toEqual([]);
});

it('shows a payer the Pix code of what is to be paid now', async () => {
  const { customerId } = await aSubscriber(shop);
  const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
  const body = { customerId, price, collection: 'payer', payerMethod: 'pix' };
  const { id } = (await shop.post('/v1/subscriptions', body).expect(201)).body;
  const html = textOf(await get((await opened(id)).path, 'es').expect(200));
  expect(html).toContain('Pague ahora');
  expect(html).toContain('br.gov.bcb.pix');
  expect(html).toContain('src="data:image/png');
});

describe('the page in a browser', () => {
  it.each([
    ['pt-BR', 'light', 'Próximo pagamento'],
    ['es-AR', 'dark', 'Próximo pago'],
    ['en-GB', 'light', 'Next payment'],
  ] as const)(
    'speaks %s in %s colours, axe finds no fault, and it fits a small phone',
    async (language, colors, said) => {
      const { url, path } = await aPage();
      const page = await browser().open({ language, colors, width: 400 });
      await page.goto(url);
      await page.click('summary');
      expect(await page.$eval('main', ({ innerText }) => innerText)).toContain(said);
      await picture(page, `portal-${language}-${colors}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewport({ width: 320, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.goto(`${new URL(url).origin}${path}/receipts/1`);
      await picture(page, `portal-receipt-${language}-${colors}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.close();
    },
  );
});
