import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Page, SerializedAXNode } from 'puppeteer-core';
import { accessibilityFaults, picture, useBrowser, useColors } from '../support/browser.ts';
import { type Client, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { openCheckout, PAYER, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';
import { aSubscriber } from '../support/subscribers.ts';

const gateway = useGateway(PATIENT);
const browser = useBrowser();
const { get, pay, post } = payersOf(gateway);

const CPF = '529.982.247-25';
const NO_FUNDS = '4000 0000 0000 9995';
const AUTHENTICATES = '4000 0025 0000 3155';
const ORDER = {
  description: 'Order 1001',
  items: [
    { title: 'Urban helmet, size M', unit_price: 329.9, quantity: 1 },
    { title: 'Waterproof pannier', description: '20 l', unit_price: 449.9, quantity: 2 },
  ],
  cancelUrl: 'https://shop.example.com/cart',
  returnUrl: 'https://shop.example.com/thanks',
};
/** A phone of the narrowest kind. */
const NARROWEST = 320;

let master: TestMerchant;
let shop: Client;
beforeAll(async () => {
  master = await gateway().createMaster({ legalName: 'Aurora Bikes', timeZone: 'America/Sao_Paulo' });
  shop = withKey(gateway, master.testKey);
  // Text on a yellow button has to be dark, and links in it moved until they can be read.
  await shop.call('patch', '/v1/checkout-settings').send({ name: 'Aurora', accent: '#ffd23f' }).expect(200);
});

const read = async (id: string) => (await shop.get(`/v1/checkout-sessions/${id}`).expect(200)).body;
const saidOn = (page: Page): Promise<string> => page.$eval('main', ({ innerText }) => innerText);
const waitFor = (page: Page, text: string): Promise<string> =>
  pollUntil(
    () => saidOn(page).catch(() => ''),
    (said) => said.includes(text),
  );
/** Violations of the page's policy, as the browser reports them. */
const violationsOf = (page: Page): readonly string[] => {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(String(error)));
  return found;
};
const openPage = async (url: string, options: Parameters<ReturnType<typeof browser>['open']>[0] = {}) => {
  const page = await browser().open({ width: 360, ...options });
  const violations = violationsOf(page);
  await page.goto(url);
  return { page, violations };
};
const typeCard = async (page: Page, number = TYPED_CARD.number): Promise<void> => {
  await page.click('label[for=m-credit_card]');
  const fields = { ...PAYER, ...TYPED_CARD, number: number.replaceAll(' ', ''), expiry: '0839' };
  for (const [name, value] of Object.entries(fields)) await page.type(`#credit_card-${name}`, value);
};
const fieldOf = (page: Page, field: string): Promise<unknown> =>
  page.evaluate(`document.querySelector('#credit_card-${field}').value`);
const PAY_BY_CARD = '#m-credit_card ~ .method-body button';

/** Axe finds nothing in light and dark, and nothing is wider than the narrowest phone. */
const expectGood = async (page: Page, name: string): Promise<void> => {
  for (const colors of ['light', 'dark'] as const) {
    await useColors(page, colors);
    await picture(page, `checkout-${name}-${colors}`);
    expect([name, colors, await accessibilityFaults(page, colors === 'light' ? 'all' : 'colors')]).toEqual([
      name,
      colors,
      [],
    ]);
  }
  await page.setViewport({ width: NARROWEST, height: 700 });
  expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, NARROWEST]);
};

describe('the page in a browser', () => {
  it('takes a card: what is typed is put into groups, and a refusal says what to do', async () => {
    const { id, url } = await openCheckout(shop, ORDER);
    const { page, violations } = await openPage(url);
    await typeCard(page, NO_FUNDS);
    expect(await fieldOf(page, 'number')).toBe(NO_FUNDS);
    expect(await fieldOf(page, 'expiry')).toBe('08/39');
    const label = await page.$eval('label[for=credit_card-number]', ({ textContent }) => textContent);
    expect(label).toBe('Card number Visa');
    await picture(page, 'checkout-card-typed');
    await page.click(PAY_BY_CARD);
    await waitFor(page, 'not enough funds');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    await expectGood(page, 'refused');
    await page.setViewport({ width: 360, height: 900 });
    await typeCard(page);
    await page.click(PAY_BY_CARD);
    const said = await waitFor(page, 'Payment approved');
    expect(said).toContain('Visa card ending in 4242');
    expect((await read(id)).status).toBe('completed');
    await expectGood(page, 'receipt');
    expect(violations).toEqual([]);
    // Reload, and back after leaving, show where it stands, and pay nothing again.
    await page.reload();
    expect(await saidOn(page)).toContain('Payment approved');
    await page.goto('about:blank');
    await page.goBack();
    expect(await saidOn(page)).toContain('Payment approved');
    expect((await read(id)).chargeIds).toHaveLength(2);
    await page.close();
  });

  it('offers stored cards, each of which pays with its security code', async () => {
    const { customerId, paymentMethodId } = await aSubscriber(shop);
    const { id, url } = await openCheckout(shop, { ...ORDER, customerId, showSaved: true });
    const { page, violations } = await openPage(url);
    await expectGood(page, 'saved');
    await page.setViewport({ width: 360, height: 900 });
    await page.type(`#${paymentMethodId}-cvv`, '12');
    const button = `#m-${paymentMethodId} ~ .method-body button`;
    await page.click(button);
    await waitFor(page, 'Check the marked fields');
    await page.type(`#${paymentMethodId}-cvv`, '123');
    await page.click(button);
    await waitFor(page, 'Payment approved');
    expect((await read(id)).status).toBe('completed');
    expect(violations).toEqual([]);
    await page.close();
  });

  it('keeps a card and takes no payment, with a tick that nobody has set', async () => {
    const setup = { mode: 'setup', currency: 'BRL', returnUrl: ORDER.returnUrl };
    const { id, url } = (await shop.post('/v1/checkout-sessions', setup).expect(201)).body;
    const { page, violations } = await openPage(url);
    await expectGood(page, 'setup');
    await page.setViewport({ width: 360, height: 900 });
    expect(await page.evaluate("document.querySelector('input[name=save]').checked")).toBe(false);
    for (const [name, value] of Object.entries({ ...PAYER, ...TYPED_CARD }))
      await page.type(`#credit_card-${name}`, value);
    await page.click('input[name=save]');
    await page.click('button.button');
    await waitFor(page, 'Card saved');
    await expectGood(page, 'card-saved');
    expect((await read(id)).status).toBe('completed');
    expect(violations).toEqual([]);
    await page.close();
  });

  it('sells a plan: the price, how often it is paid, and the free days', async () => {
    const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month', trialDays: 7 };
    const { id: planId } = (await shop.post('/v1/plans', plan).expect(201)).body;
    const { url } = (
      await shop.post('/v1/checkout-sessions', { mode: 'subscription', planId, customer: PAYER }).expect(201)
    ).body;
    const { page, violations } = await openPage(url);
    expect(await saidOn(page)).toContain('a month. The first 7 days are free.');
    await expectGood(page, 'subscription');
    await page.setViewport({ width: 360, height: 900 });
    for (const [name, value] of Object.entries(TYPED_CARD)) await page.type(`#credit_card-${name}`, value);
    await page.click('input[name=save]');
    await page.click('button.button');
    await waitFor(page, 'Subscription started');
    await expectGood(page, 'subscribed');
    expect(violations).toEqual([]);
    await page.close();
  });

  it('is paid once by a double click and from two windows', async () => {
    const { id, url } = await openCheckout(shop);
    const windows = await Promise.all([openPage(url), openPage(url)]);
    for (const { page } of windows) await typeCard(page);
    await Promise.all(windows.map(({ page }) => page.click(PAY_BY_CARD, { count: 2 })));
    for (const { page } of windows) await waitFor(page, 'Payment approved');
    expect((await read(id)).chargeIds).toHaveLength(1);
    for (const { page } of windows) await page.close();
  });

  it('shows a Pix code to copy, and that it is paid, by itself', async () => {
    const { url, path } = await openCheckout(shop, { ...ORDER, customer: PAYER });
    const { page, violations } = await openPage(url, { language: 'pt-BR' });
    await expectGood(page, 'methods');
    await page.click('label[for=m-pix]');
    await page.click('#m-pix ~ .method-body button');
    await waitFor(page, 'Pague com Pix');
    expect(await page.$('[data-copy][hidden]')).toBeNull();
    expect(await page.$eval('[role=timer]', ({ textContent }) => textContent)).toMatch(/^00:5\d:\d\d$/);
    await expectGood(page, 'pix');
    await post(`${path}/simulate`, { outcome: 'paid' }).expect(303);
    await waitFor(page, 'Pagamento aprovado');
    expect(await page.$eval('body > [role=status]', ({ textContent }) => textContent)).toBe(
      'Pagamento aprovado',
    );
    expect(violations).toEqual([]);
    await page.close();
  });

  it('leads to the bank and plays it in the test environment', async () => {
    const { url } = await openCheckout(shop, ORDER);
    const { page, violations } = await openPage(url, { language: 'es-AR' });
    await typeCard(page, AUTHENTICATES);
    await page.click(PAY_BY_CARD);
    await waitFor(page, 'Su banco quiere confirmar que es usted');
    await expectGood(page, 'authentication');
    await page.click('form[action$="/simulate"] button');
    await waitFor(page, 'Pago aprobado');
    expect(violations).toEqual([]);
    await page.close();
  });

  it('marks the fields that are wrong, and keeps the others', async () => {
    const { url } = await openCheckout(shop, ORDER);
    const { page } = await openPage(url);
    await typeCard(page, '4242424242424241');
    await page.click(PAY_BY_CARD);
    await waitFor(page, 'Check the marked fields');
    expect(await page.evaluate('document.activeElement.id')).toBe('credit_card-number');
    expect(await fieldOf(page, 'email')).toBe(PAYER.email);
    expect(await fieldOf(page, 'number')).toBe('');
    await expectGood(page, 'faults');
    await page.close();
  });

  it('says beside a field that it is wrong as soon as it is left, and no longer once it is right', async () => {
    const { url } = await openCheckout(shop, { ...ORDER, methods: ['credit_card', 'voucher'] });
    const { page, violations } = await openPage(url, { language: 'pt-BR' });
    const faultOf = (id: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const field = document.getElementById('${id}');
        const told = (field.getAttribute('aria-describedby') ?? '').split(' ').map((one) => document.getElementById(one));
        return [field.getAttribute('aria-invalid'), told.map((one) => one?.textContent).join(' ')];
      })()`);
    const typedIn = (id: string): Promise<unknown> => page.evaluate(`document.getElementById('${id}').value`);
    const why = await page.$eval('#voucher-document-hint', ({ textContent }) => textContent);
    await page.click('label[for=m-voucher]');
    await page.type('#voucher-document', '5299822472');
    expect(await typedIn('voucher-document')).toBe('529.982.247-2');
    expect(await faultOf('voucher-document')).toEqual([null, why]);
    await page.keyboard.type('4');
    await page.keyboard.press('Tab');
    expect(await faultOf('voucher-document')).toEqual([
      'true',
      `Confira o documento: um dígito não bate. ${why}`,
    ]);
    await expectGood(page, 'document-left');
    await page.setViewport({ width: 360, height: 900 });
    await page.focus('#voucher-document');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    expect((await faultOf('voucher-document')) as string[]).toContain('true');
    await page.keyboard.type('5');
    expect(await faultOf('voucher-document')).toEqual([null, why]);
    await page.click('label[for=m-credit_card]');
    await page.type('#credit_card-number', '4242424242424241');
    await page.type('#credit_card-expiry', '0120');
    await page.type('#credit_card-email', 'ana@example');
    await page.keyboard.press('Tab');
    const faults = [
      ['number', 'Confira o número do cartão.'],
      ['expiry', 'Confira a validade: mês e ano, como 08/29.'],
      ['email', 'Confira o e-mail.'],
    ];
    for (const [name, fault] of faults) expect(await faultOf(`credit_card-${name}`)).toEqual(['true', fault]);
    // An empty field that is passed by is no fault yet.
    expect(await faultOf('credit_card-name')).toEqual([null, '']);
    expect(violations).toEqual([]);
    await page.close();
  });

  it('proves that its reader is a person where cards are tried out, and pays what was typed', async () => {
    const attacked = withKey(gateway, (await gateway().createMaster()).testKey);
    const attempts = await Promise.all(Array.from({ length: 3 }, () => openCheckout(attacked)));
    for (let attempt = 0; attempt < 10; attempt += 1)
      await pay(attempts[attempt % 3]?.path ?? '', 'credit_card', { ...TYPED_CARD, number: NO_FUNDS });
    const { url } = await openCheckout(attacked);
    const { page } = await openPage(url);
    await typeCard(page);
    await page.click(PAY_BY_CARD);
    await waitFor(page, 'Payment approved');
    await page.close();
  });

  it.each([
    ['voucher', 'Your voucher is ready'],
    ['qrcode', 'Pay with the QR code'],
    ['banktransfer', 'Go on at your bank'],
  ])('shows how to pay by %s', async (method, said) => {
    const { url, path } = await openCheckout(shop, ORDER);
    await pay(path, method, { document: CPF, bankName: 'Banco Ipê' }).expect(303);
    const { page, violations } = await openPage(url);
    expect(await saidOn(page)).toContain(said);
    await expectGood(page, method);
    expect(violations).toEqual([]);
    await page.close();
  });

  it('can be paid without scripts', async () => {
    const { id, url } = await openCheckout(shop, { ...ORDER, customer: PAYER, methods: ['credit_card'] });
    const { page } = await openPage(url, { scripts: false });
    for (const [name, value] of Object.entries(TYPED_CARD)) await page.type(`#credit_card-${name}`, value);
    await Promise.all([page.waitForNavigation(), page.click('button.button')]);
    expect(await page.content()).toContain('Payment approved');
    expect((await read(id)).status).toBe('completed');
    await page.close();
  });

  it('can be paid by keyboard alone', async () => {
    const { id, url } = await openCheckout(shop, { customer: PAYER, methods: ['pix', 'credit_card'] });
    const { page } = await openPage(url);
    // The methods are one group of radio buttons; Pix is chosen, and its button follows.
    await page.focus('#m-pix');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitFor(page, 'Pay with Pix');
    expect((await read(id)).status).toBe('processing');
    await page.close();
  });
});

/** A PNG by its first bytes, of the largest size that a logo may have; its content cannot be compressed. */
const LARGEST_LOGO = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000028000000280806000000', 'hex'),
  randomBytes(15_000 - 29),
]);

it('tells a screen reader its parts in their order, by name, with what each of them is', async () => {
  const { url } = await openCheckout(shop, ORDER);
  const { page } = await openPage(url);
  await page.click('label[for=m-credit_card]');
  const heardOf = ({ role, name, children = [] }: SerializedAXNode): readonly string[] => [
    `${role} ${name}`,
    ...children.flatMap(heardOf),
  ];
  const tree = await page.accessibility.snapshot();
  const parts = tree ? heardOf(tree) : [];
  const inOrder = [
    'heading Order 1001',
    'radio Pix',
    'radio Credit card',
    'textbox Card number',
    'textbox Expiry date',
    'textbox Security code',
    'textbox Name on the card',
  ];
  const places = inOrder.map((part) => parts.findIndex((one) => one.startsWith(part)));
  expect([parts, places]).toEqual([parts, places.toSorted((a, b) => a - b)]);
  expect([parts, places.filter((place) => place < 0)]).toEqual([parts, []]);
  // Nothing that can be used is without a name.
  expect(parts.filter((part) => /^(button|link|radio|textbox|combobox) *$/.test(part))).toEqual([]);
  await page.close();
});

it('is on a slow phone within two seconds: it is one answer, and nothing else is loaded', async () => {
  const other = withKey(gateway, (await gateway().createMerchant()).testKey);
  await other.call('put', '/v1/checkout-settings/logo').type('image/png').send(LARGEST_LOGO).expect(200);
  const { url } = await openCheckout(other, ORDER);
  const page = await browser().open({ width: 360 });
  const client = await page.createCDPSession();
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  let asked: string[] = [];
  let bytes = 0;
  client.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) asked.push(request.url);
  });
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  /** Milliseconds until the page can be used, its script included: the least of three loads. */
  const usableAfter = async (network: { readonly latency: number; readonly throughput: number }) => {
    const { latency, throughput } = network;
    const speeds = { downloadThroughput: throughput, uploadThroughput: throughput };
    await client.send('Network.emulateNetworkConditions', { offline: false, latency, ...speeds });
    const times: number[] = [];
    for (let load = 0; load < 3; load += 1) {
      [asked, bytes] = [[], 0];
      await page.goto(url, { waitUntil: 'networkidle0' });
      expect(asked).toEqual([url]);
      expect(bytes).toBeLessThan(60_000);
      expect(await page.$('#m-credit_card')).not.toBeNull();
      times.push(Number(await page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")));
    }
    return Math.min(...times);
  };
  // Loads without a limit tell how much of the time is that of this machine, which is not a phone's.
  const ofMachine = await usableAfter({ latency: 0, throughput: -1 });
  const ofPhone = await usableAfter({ latency: 150, throughput: 400_000 / 8 });
  // The browser delays requests but no connections: the name, TCP and TLS take a round trip each before.
  const ofNetwork = ofPhone - ofMachine + 3 * 150;
  expect(ofNetwork).toBeLessThan(2_000);
  // The limit was in force.
  expect(ofPhone).toBeGreaterThan(150 + (8 * bytes) / 400 / 2);
  await page.close();
});

it.each(['pt-BR', 'es', 'en'])('the page in %s is small enough for a slow phone', async (language) => {
  await shop.call('put', '/v1/checkout-settings/logo').type('image/png').send(LARGEST_LOGO).expect(200);
  const { path } = await openCheckout(shop, ORDER);
  const answers = [await get(path, language).expect(200)];
  await pay(path, 'pix').expect(303);
  answers.push(await get(path, language).expect(200));
  for (const answer of answers) {
    const bytes = gzipSync(textOf(answer)).length;
    expect(bytes).toBeLessThan(60_000);
    // Nothing else is loaded. A cold start costs four round trips (name, TCP, TLS, request) and 400 kbit/s.
    expect(4 * 150 + (bytes * 8) / 400).toBeLessThan(2_000);
  }
});
