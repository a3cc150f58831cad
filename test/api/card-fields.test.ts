import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page, SerializedAXNode } from 'puppeteer-core';
import { PORTICO_1_0_0 } from '../../src/modules/card-fields/versions/portico-1.0.0.ts';
import { PORTICO_1_1_0 } from '../../src/modules/card-fields/versions/portico-1.1.0.ts';
import { aCard, aCardRequest } from '../builders.ts';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { TYPED_CARD } from '../support/payers.ts';

const gateway = useGateway(PATIENT);
const browser = useBrowser();

let merchant: TestMerchant;
let shop: Client;
let server: Server;
/** Served from another origin than the gateway: `localhost` is not `127.0.0.1`. */
let shopUrl: string;

/** A shop's page, with a policy that lets nothing in but the gateway. */
const shopPage = (
  publicKey: string,
): string => `<!doctype html><html lang="en"><head><title>Shop</title></head>
<body><main><h1>Shop</h1><div id="card"></div></main>
<script src="${gateway().url}/js/portico-1.1.0.js" integrity="${integrity}" crossorigin></script>
<script src="/shop.js" data-key="${publicKey}"></script></body></html>`;
/** A page that asks for the security code of the stored card that its query names. */
const SHOP_SCRIPT = `window.changes = [];
const paymentMethodId = new URLSearchParams(location.search).get('method');
window.fields = Portico(document.currentScript.dataset.key).cardFields(document.getElementById('card'), {
  locale: 'en',
  ...(paymentMethodId ? { only: 'cvv', paymentMethodId } : {}),
  style: { color: '#14211e', ground: 'url(https://evil.example)', borderRadius: '4px' },
  onChange: (change) => window.changes.push(change),
});`;
const integrityOf = (script: string): string =>
  `sha384-${createHash('sha384').update(script).digest('base64')}`;
const integrity = integrityOf(PORTICO_1_1_0);

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  shop = withKey(gateway, merchant.testKey);
  server = createServer((request, response) => {
    const isScript = request.url === '/shop.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    const own = `script-src 'self' ${gateway().url}; frame-src ${gateway().url}`;
    response.setHeader('Content-Security-Policy', `default-src 'none'; ${own}`);
    const key = new URL(request.url ?? '/', 'http://localhost').searchParams.get('key') ?? merchant.publicKey;
    response.end(isScript ? SHOP_SCRIPT : shopPage(key));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  shopUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const frameOf = (page: Page): Promise<Frame> =>
  pollUntil(
    async () => page.frames().find((frame) => frame.url().includes('/card-fields')) ?? null,
    (frame) => frame !== null,
  ) as Promise<Frame>;
const openShop = async (query = '') => {
  const page = await browser().open({ width: 400 });
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await page.goto(`${shopUrl}/${query}`);
  const frame = await frameOf(page);
  await frame.waitForSelector('#cvv');
  return { page, frame, violations };
};
const fill = async (frame: Frame, card: Readonly<Record<string, string>> = TYPED_CARD): Promise<void> => {
  for (const [name, value] of Object.entries(card))
    await frame.type(`#${name}`, value.replaceAll(/[ /]/g, ''));
};
/** Fields as a screen reader tells them: name and description. */
const heardOf = ({ role, name, description, children = [] }: SerializedAXNode): unknown[] =>
  role === 'textbox' ? [[name, description]] : children.flatMap(heardOf);
const tokenize = (page: Page): Promise<unknown> => page.evaluate('window.fields.tokenize()');

describe('card fields in the page of a shop', () => {
  it('give a token that stands for the card in one charge, and the shop never sees the card', async () => {
    const { page, frame, violations } = await openShop();
    await fill(frame, { ...TYPED_CARD, holderName: 'AnaSouza' });
    expect(await frame.evaluate("document.getElementById('number').value")).toBe('4242 4242 4242 4242');
    expect(await frame.evaluate("document.getElementById('brand').textContent")).toBe('Visa');
    await picture(page, 'card-fields');
    const answer = (await tokenize(page)) as { readonly token: string };
    expect(answer).toEqual({ token: expect.stringMatching(/^tok_/) });
    const paymentMethod = { type: 'credit_card', installments: 1, token: answer.token };
    const charge = await shop.post('/v1/charges', { ...aCardRequest(), paymentMethod }).expect(201);
    expect(charge.body).toMatchObject({ status: 'paid', paymentMethod: { lastFour: '4242' } });
    expect(await page.evaluate("document.querySelector('iframe').contentDocument")).toBeNull();
    await expect(
      page.evaluate("document.querySelector('iframe').contentWindow.document.body"),
    ).rejects.toThrow(/cross-origin/);
    expect(await page.evaluate('JSON.stringify(window.changes)')).not.toContain('4242');
    expect(await page.evaluate('window.changes.at(-1)')).toMatchObject({ isComplete: true });
    expect(violations).toEqual([]);
    await page.close();
  });

  it('ask for the security code of a stored card alone, whose token goes with a charge of it', async () => {
    const ana = { name: 'Ana Souza', email: 'ana@example.test' };
    const customerId: string = (await shop.post('/v1/customers', ana).expect(201)).body.id;
    const card = (await shop.post('/v1/card-tokens', aCard()).expect(201)).body;
    const stored = { token: card.id, consentAt: '2026-01-31T12:00:00Z' };
    const path = `/v1/customers/${customerId}/payment-methods`;
    const { id } = (await shop.post(path, stored).expect(201)).body;
    const { page, frame, violations } = await openShop(`?method=${id}`);
    expect(await frame.evaluate("document.querySelectorAll('input').length")).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await fill(frame, { cvv: '12' });
    expect(await tokenize(page)).toMatchObject({ error: { code: 'FIELD_INVALID', field: 'cvv' } });
    await fill(frame, { cvv: '3' });
    const answer = (await tokenize(page)) as { readonly token: string };
    expect(answer).toEqual({ token: expect.stringMatching(/^tok_/) });
    const { customer: _, ...payment } = aCardRequest();
    const paymentMethod = { type: 'credit_card', installments: 1, id, cvvToken: answer.token };
    const charge = await shop.post('/v1/charges', { ...payment, customerId, paymentMethod }).expect(201);
    expect(charge.body).toMatchObject({ status: 'paid', paymentMethod: { id } });
    expect(violations).toEqual([]);
    await page.close();
  });

  it('say what is wrong, in the frame and to the shop', async () => {
    const { page, frame } = await openShop();
    await fill(frame, { ...TYPED_CARD, number: '4242424242424241' });
    expect(await tokenize(page)).toMatchObject({ error: { code: 'FIELD_INVALID', field: 'number' } });
    expect(await frame.evaluate('document.activeElement.id')).toBe('number');
    await page.evaluate('window.fields.clear()');
    await fill(frame, { ...TYPED_CARD, expiry: '0120' });
    expect(await tokenize(page)).toMatchObject({ error: { code: 'FIELD_INVALID', field: 'expiry' } });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.close();
  });

  it('can be used with the keyboard and on the narrowest phone, and axe finds no fault in the frame itself', async () => {
    const page = await browser().open({ width: 320 });
    const query = new URLSearchParams({ key: merchant.publicKey, parent: shopUrl, lang: 'pt' });
    await page.goto(`${gateway().url}/card-fields?${query}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await accessibilityFaults(page)).toEqual([]);
    // Screen readers hear names, and no fault before there is one.
    const heard = async () => ((await page.accessibility.snapshot())?.children ?? []).flatMap(heardOf);
    const names = ['Número do cartão', 'Validade', 'Código (CVV)', 'Nome impresso no cartão'];
    expect(await heard()).toEqual(names.map((name) => [name, undefined]));
    await page.type('#number', '4242424242424241');
    await page.keyboard.press('Tab');
    expect((await heard())[0]).toEqual([`${names[0]} Visa`, 'Confira o número do cartão.']);
    await page.focus('#number');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.type('#number', '2');
    expect((await heard())[0]).toEqual([`${names[0]} Visa`, undefined]);
    await page.focus('#number');
    for (const value of Object.values({ ...TYPED_CARD, expiry: '0839' })) {
      void value;
      await page.keyboard.press('Tab');
    }
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.close();
  });

  it('tell a shop that tries them out of colours that nobody can read', async () => {
    const { page } = await openShop();
    const warned: string[] = [];
    page.on('console', (message) => warned.push(message.text()));
    await page.evaluate("window.fields.update({ color: '#222', ground: '#fff' })");
    await page.evaluate("window.fields.update({ color: '#bbb', ground: '#fff' })");
    const white = {
      color: '#222',
      softColor: '#555',
      borderColor: '#ccc',
      ground: '#fff',
      fieldColor: '#333',
    };
    await page.evaluate(`window.fields.update(${JSON.stringify(white)})`);
    const pairs = [
      ['text on the ground', 1.9],
      ['text in the fields', 1.9],
      ['text in the fields', 1.3],
      ['soft text in the fields', 1.7],
      ['borders on the ground', 1.6],
    ];
    await pollUntil(
      async () => warned,
      (all) => all.length >= pairs.length,
    );
    const said = pairs.map(([pair, ratio]) =>
      expect.stringContaining(`the contrast of ${pair} is ${ratio}, `),
    );
    expect(warned).toEqual(said);
    await page.close();
  });

  it('are not changed by hostile messages, and answer none of them', async () => {
    const { page, frame } = await openShop();
    await fill(frame);
    const before = await frame.evaluate('document.documentElement.style.cssText');
    expect(before).not.toContain('url');
    expect(before).toContain('--radius: 4px');
    await page.evaluate(`(() => {
      window.heard = [];
      addEventListener('message', ({ data }) => { if (data?.type === 'answer') window.heard.push(data); });
      const frame = document.querySelector('iframe').contentWindow;
      for (const message of [
        null, 'tokenize', {}, { type: 'tokenize', id: 1 }, { mark: 'portico-card-fields', type: 'tokenize', id: 'x' },
        { mark: 'portico-card-fields', type: 'style', style: { ground: 'url(https://evil.example)', color: 'red; } body { x' } },
        { mark: 'portico-card-fields', type: 'style', style: null }, { mark: 'portico-card-fields', type: '__proto__' },
      ]) frame.postMessage(message, '*');
    })()`);
    // A window that is not the parent of the frame is not heard either, even of the same origin.
    const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve));
    await page.evaluate("void window.open('/shop.js')");
    const other = await opened;
    await other?.evaluate(`opener.document.querySelector('iframe').contentWindow
      .postMessage({ mark: 'portico-card-fields', type: 'tokenize', id: 99 }, '*')`);
    await other?.close();
    expect(await tokenize(page)).toMatchObject({ token: expect.stringMatching(/^tok_/) });
    expect(await page.evaluate('window.heard.length')).toBe(1);
    expect(await frame.evaluate('document.documentElement.style.cssText')).toBe(before);
    await page.close();
  });
});

describe('the sites that may show card fields', () => {
  const ask = (query: Readonly<Record<string, string>>) =>
    gateway().call('get', `/card-fields?${new URLSearchParams(query)}`);

  it('are all with test keys, and with live keys those that the merchant has named', async () => {
    const test = await ask({ key: merchant.publicKey, parent: shopUrl }).expect(200);
    expect(test.headers['content-security-policy']).toContain('frame-ancestors *');
    const parent = 'https://shop.example.com';
    const live = { key: merchant.livePublicKey, parent };
    await ask(live).expect(403);
    const setting = { name: 'card_origins', content: [parent] };
    const admin = await operator(gateway);
    await admin.post(`/v1/merchants/${merchant.id}/settings`, setting).expect(201);
    const answer = await ask(live).expect(200);
    expect(answer.headers['content-security-policy']).toContain(`frame-ancestors ${parent}`);
    expect(answer.headers['content-security-policy']).not.toContain('unsafe-inline');
    await ask({ ...live, parent: 'https://evil.example.com' }).expect(403);
    for (const content of [['http://shop.example.com'], ['https://shop.example.com/path'], 'x', ['*']])
      await admin.post(`/v1/merchants/${merchant.id}/settings`, { ...setting, content }).expect(400);
  });

  it('need a public key and the origin of their page', async () => {
    const unknown = `${merchant.publicKey.slice(0, -1)}${merchant.publicKey.endsWith('x') ? 'y' : 'x'}`;
    await ask({ key: unknown, parent: shopUrl }).expect(401);
    await ask({ key: merchant.testKey, parent: shopUrl }).expect(400);
    await ask({ key: merchant.publicKey, parent: shopUrl, only: 'cvv' }).expect(400);
    for (const parent of ['', 'javascript:alert(1)', 'https://a.example/path', '"><script>'])
      await ask({ key: merchant.publicKey, parent }).expect(400);
  });
});

it.each([
  // Shops name these hashes: another script is another version.
  ['1.0.0', PORTICO_1_0_0, 'sha384-ETYdqe9iz8o4h8wui339ss4R5PwCfwIP922x/CLc7wkkOebJaGdMHZmE89gsLpbk'],
  ['1.1.0', PORTICO_1_1_0, 'sha384-ctShoIVzhgMVcKzuFV0ViEPuUs4UM8q7FPDhfKP3EGGxcrzpdhKVj+hQI3dNuT/t'],
])(
  'the script for shops %s is small, never changes, and may be loaded from anywhere',
  async (version, script, hash) => {
    const answer = await gateway().call('get', `/js/portico-${version}.js`).expect(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(answer.text ?? String(answer.body)).toBe(script);
    expect(script.length).toBeLessThan(8_192);
    expect(integrityOf(script)).toBe(hash);
    await gateway().call('get', '/js/portico.js').expect(302).expect('Location', '/js/portico-1.1.0.js');
  },
);
