import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { aCardRequest } from '../builders.ts';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { startCutOff } from '../support/cut-off.ts';
import { OPERATOR, startTestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { buildProgram } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { volume } from '../support/volume.ts';

// The panel is built before a gateway looks for it.
beforeAll(buildProgram, 180_000);
const gateway = useGateway(PATIENT);
const browser = useBrowser();

/** A busy machine draws slowly, and nothing here is about speed. */
const PATIENCE_MS = 60_000;
/** Looking costs the browser work, too. */
const POLLING = { polling: 30, timeout: PATIENCE_MS } as const;
const PASSWORD = 'a password of this test';
const PAULA = { email: 'paula@example.test', password: PASSWORD };
const MARTA = { email: 'marta@example.test', password: PASSWORD };
/** A merchant's user whose session ends early, and one who is locked out. */
const NINA = { email: 'nina@example.test', password: PASSWORD };
const LUIS = { email: 'luis@example.test', password: PASSWORD };
/** A second operator. */
const OLGA = { email: 'olga@example.test', password: PASSWORD };
const IMAGE = '<img src=x onerror=canary()>';
const CANARY = `'">${IMAGE}<script>canary()</script>`;
/** The smallest picture in PNG. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let admin: Client;
let merchant: TestMerchant;
let key: Client;
/** A sub-merchant and a charge with a canary in each field that takes one. */
let sub: { readonly id: string };
let strange: string;
let nina: string;
beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMaster({
    legalName: `Padaria ${CANARY}`,
    companyTaxId: '11222333000181',
    timeZone: 'America/Sao_Paulo',
  });
  key = withKey(gateway, merchant.testKey);
  const payout = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
  await admin.call('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, [payout]).expect(200);
  const fee = { name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'BRL' } };
  await admin.post(`/v1/merchants/${merchant.id}/settings`, fee).expect(201);
  const user = { ...PAULA, name: CANARY, merchantId: merchant.id, groups: [] };
  await admin.post('/v1/admin/users', user).expect(201);
  nina = (await admin.post('/v1/admin/users', { ...user, ...NINA }).expect(201)).body.id;
  await admin.post('/v1/admin/users', { ...user, ...LUIS }).expect(201);
  await admin.post('/v1/admin/users', { ...OLGA, merchantId: null, groups: ['operators'] }).expect(201);
  const address = { country: 'BR', line1: CANARY, city: CANARY };
  const company = {
    legalName: CANARY,
    email: 'sub@example.test',
    companyTaxId: '11222333000181',
    phone: IMAGE,
  };
  sub = (await key.post('/v1/submerchants', { ...company, address }).expect(201)).body;
  const picture = { type: 'identity', fileName: `${IMAGE}.png`, content: PICTURE };
  await key.post(`/v1/submerchants/${sub.id}/documents`, picture).expect(201);
  const endpoint = { url: 'http://127.0.0.1:9/closed', events: ['*'], description: CANARY };
  await key.post('/v1/webhook-endpoints', endpoint).expect(201);
  const document = { type: 'other', id: IMAGE };
  const customer = { name: CANARY, email: 'canary@example.test', phone: IMAGE, document };
  const items = [{ title: CANARY, description: CANARY, quantity: 1, unit_price: 1 }];
  const told = { reference: CANARY, metadata: { [CANARY]: CANARY }, items };
  strange = await charge({ customer, ...told }, { holderName: CANARY });
  await key.post('/v1/refunds', { chargeId: strange, reason: CANARY }).expect(201);
});

const charge = async (changes: object = {}, card = {}): Promise<string> => {
  const request = { ...aCardRequest({}, card), ...changes };
  return (await key.post('/v1/charges', request).expect(201)).body.id;
};

/** Elements of a role, and their names as assistive technology reads them: axe holds the markup to that. */
const ELEMENTS: Readonly<Record<string, string>> = {
  button: 'button',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  textbox: 'input:not([type=number], [type=checkbox], [type=date], [type=file]), textarea',
  spinbutton: 'input[type=number]',
  checkbox: 'input[type=checkbox]',
};
/** Finds the first of them within the topmost dialog, or on the screen where none is open. */
const FIND = `((selector, name) => {
  const nameOf = (element) =>
    element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.innerText;
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  return [...root.querySelectorAll(selector)].find((element) => nameOf(element).trim().replaceAll(/\\s+/g, ' ') === name) ?? null;
})`;
const findNow = (role: string, name: string): string =>
  `${FIND}(${JSON.stringify(ELEMENTS[role])}, ${JSON.stringify(name)})`;

/** The element with a role and name, once it is there. */
const find = async (page: Page, role: string, name: string): Promise<ElementHandle> => {
  const found = await page.waitForFunction(findNow(role, name), POLLING).catch((cause: unknown) => {
    throw new Error(`there is no ${role} ${name}`, { cause });
  });
  return found as ElementHandle;
};
const click = async (page: Page, role: string, name: string): Promise<void> => {
  await (await find(page, role, name)).evaluate((element) =>
    (element as unknown as { click(): void }).click(),
  );
};
const type = async (page: Page, name: string, text: string, role = 'textbox'): Promise<void> => {
  await (await find(page, role, name)).focus();
  await page.keyboard.sendCharacter(text);
};
const textOf = (page: Page): Promise<string> => page.$eval('body', (body) => body.innerText);
/** Gives all the text of a page, once this is in it. */
const shows = async (page: Page, text: string): Promise<string> => {
  const isShown = `((shown) => (shown?.includes(${JSON.stringify(text)}) ? shown : null))(document.body?.innerText)`;
  const found = await page.waitForFunction(isShown, POLLING).catch(() => null);
  const shown = found ? String(await found.jsonValue()) : await textOf(page);
  expect(shown).toContain(text);
  return shown;
};
const untilUpToDate = async (page: Page): Promise<void> => {
  await page.waitForFunction('!document.querySelector(".skeleton, .stale")', POLLING);
};

/** Sends the dialog that is open. */
const submit = (page: Page): Promise<void> =>
  page.$eval('dialog[open] button[type=submit]', (button) => (button as unknown as Input).click());
type Input = { readonly value: string; select(): void; click(): void };
/** Types into a field of the dialog by its name in the API, instead of what was there. */
const fill = async (page: Page, name: string, text: string): Promise<void> => {
  const selector = `dialog [name="${name}"]`;
  await page.$eval(selector, (input) => (input as unknown as Input).select());
  await page.keyboard.sendCharacter(text);
};

const MAX_TABS = 120;
/** Goes on by the Tab key to a link, button or field with this text. */
const reach = async (page: Page, name: string): Promise<void> => {
  for (let count = 0; count < MAX_TABS; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
    );
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};
const press = async (page: Page, name: string): Promise<void> => {
  await reach(page, name);
  await page.keyboard.press('Enter');
};
const write = async (page: Page, name: string, text: string): Promise<void> => {
  await reach(page, name);
  await page.keyboard.type(text);
};

type Who = { readonly email: string; readonly password: string };

type Options = NonNullable<Parameters<ReturnType<typeof browser>['open']>[0]>;
/** Windows that tests have left, by their options: a new one would be a process of its own. */
const left = new Map<string, Page[]>();
const optionsOf = new WeakMap<Page, string>();

/** A window that notes each violation of the policy and each canary that sings. */
const openPanel = async (changes: Options = {}): Promise<Page> => {
  const options = { width: 1280, colors: 'light', language: 'en-US', ...changes } as const;
  const key = JSON.stringify(options);
  const known = left.get(key)?.pop();
  if (known) return known;
  const page = await browser().open(options);
  if (options.person !== undefined) optionsOf.set(page, key);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluateOnNewDocument(`
    window.noted = [];
    window.canary = () => window.noted.push('canary');
    document.addEventListener('securitypolicyviolation', (event) => window.noted.push(event.blockedURI));
    Object.defineProperty(navigator, 'language', { value: '${options.language}' });`);
  return page;
};
/** Leaves a window to the next test of the same person. */
const leave = async (page: Page): Promise<void> => {
  const key = optionsOf.get(page);
  if (key === undefined) return page.close();
  await page.goto('about:blank');
  await page.setViewport({ width: 1280, height: 900 });
  left.set(key, [...(left.get(key) ?? []), page]);
};
const fillIn = async (page: Page, { email, password }: Who): Promise<void> => {
  await page.waitForSelector('input[name=password]');
  await page.$eval('input[name=email]', (input) => input.select());
  await page.type('input[name=email]', email);
  await page.type('input[name=password]', password);
  await page.select('select[name=environment]', 'test');
  await page.click('button[type=submit]');
};
/** A window of somebody who signs in once: later windows find the session by its cookie. */
const signIn = async (who: Who, path = '', options = {}): Promise<Page> => {
  const page = await openPanel({ person: who.email, ...options });
  await page.goto(`${gateway().url}/panel${path}`);
  await page.waitForSelector('nav, input[name=password]');
  if (await page.$('input[name=password]')) await fillIn(page, who);
  await page.waitForSelector('nav');
  await untilUpToDate(page);
  return page;
};

describe('signing in', () => {
  it('says what to do about a wrong password, and then leads to the address that was asked for', async () => {
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel/charges?status=paid`);
    await fillIn(page, { ...PAULA, password: 'a wrong password' });
    await shows(page, 'An operator can reset a forgotten password');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.$eval('input[name=password]', (input) => input.select());
    await fillIn(page, PAULA);
    await find(page, 'heading', 'Charges');
    expect(page.url()).toBe(`${gateway().url}/panel/charges?status=paid`);
    await shows(page, 'Test data');
    await page.reload();
    await find(page, 'heading', 'Charges');
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(
      0,
    );
    await click(page, 'button', 'Sign out');
    await find(page, 'heading', 'Sign in');
    await leave(page);
  });

  it('says how long to wait after too many wrong passwords', async () => {
    const attempt = { ...LUIS, password: 'a wrong password', environment: 'test' };
    await pollUntil(
      async () => (await gateway().call('post', '/v1/auth/login').send(attempt)).status,
      (status) => status === 429,
    );
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel`);
    await fillIn(page, LUIS);
    await shows(page, 'Wait up to 30 minutes, then try again.');
    await leave(page);
  });

  it('leads a browser from the root of the address to the panel, and tells a program what is here', async () => {
    const html = await fetch(gateway().url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    expect([html.status, html.headers.get('location')]).toEqual([302, '/panel']);
    expect(await (await fetch(gateway().url)).json()).toMatchObject({ openapi: '/v1/openapi.json' });
    const page = await fetch(`${gateway().url}/panel/anything`);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const [asset = ''] = /\/panel\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(`${gateway().url}${asset}`)).headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${gateway().url}/panel/assets/gone.js`)).status).toBe(404);
    expect((await fetch(`${gateway().url}/panel/`)).status).toBe(200);
  });

  it('comes back over a screen whose session has ended, with all that was typed', async () => {
    const id = await charge();
    const page = await signIn(NINA, `/charges/${id}`);
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'typed before');
    const { deletedCount } = await gateway().db.collection('sessions').deleteMany({ userId: nina });
    expect(deletedCount).toBeGreaterThan(0);
    await click(page, 'button', 'Refund charge');
    await find(page, 'heading', 'Your session has ended');
    await page.type('dialog input[name=password]', PASSWORD);
    await click(page, 'button', 'Sign in');
    await page.waitForFunction('document.querySelectorAll("dialog").length === 1');
    expect(await page.$eval('textarea', ({ value }) => value)).toBe('typed before');
    await click(page, 'button', 'Refund charge');
    await shows(page, 'charge.refunded');
    await leave(page);
  });
});

// None of these sees what another one does, so they need not wait for each other.
describe('people at work side by side', () => {
  const forBoth = [
    '',
    '/charges?columns=spread,net,paidAt,merchantId,id',
    '/charges/:charge',
    '/statement?columns=description',
    '/payouts',
    '/submerchants',
    '/submerchants/:sub',
    '/webhooks',
    '/webhooks/endpoints',
    '/account',
    '/search?q=canary@example.test',
  ];
  const forOperators = [
    ...forBoth,
    '/manual-refunds',
    '/alerts',
    '/audit-log',
    '/reports',
    '/reports/reconciliation',
    '/adjustments',
    '/users',
    '/groups',
    '/proposals',
    '/merchants',
    '/default-settings',
    '/keys',
    ...['', '/fees', '/settings', '/split', '/keys', '/certificates'].map(
      (part) => `/merchants/:merchant${part}`,
    ),
  ];

  const HAS_CURL = `[...document.querySelectorAll('main button')].some(({ innerText }) => /curl$/.test(innerText))`;

  /** Faults of a screen. */
  const faultsOf = async (page: Page, path: string, rules: readonly string[] | null): Promise<unknown[]> => {
    await page.setViewport({ width: 1280, height: 900 });
    await page.evaluate(`history.pushState(null, '', '/panel${path}')`);
    await untilUpToDate(page);
    await page.waitForSelector('h1');
    await untilUpToDate(page);
    const faults: unknown[] = [...(await accessibilityFaults(page, rules))];
    if (!(await page.evaluate(HAS_CURL))) faults.push('nothing can be copied as curl');
    if (!(await page.evaluate('[...document.querySelectorAll("table")].every(({ caption }) => caption)')))
      faults.push('a table has no caption');
    await picture(page, `panel${path.replaceAll(/\W/g, '-')}-${rules ? 'dark' : 'light'}`);
    await page.setViewport({ width: 768, height: 900 });
    const isCovered = `[...document.querySelectorAll('.list .scroll:has(td.actions:not(:empty))')].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`;
    if (await page.evaluate(isCovered)) faults.push('buttons cover columns');
    await page.setViewport({ width: 320, height: 900 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== 320) faults.push(`it is ${width} pixels wide`);
    return [...faults, ...((await page.evaluate('window.noted.splice(0)')) as unknown[])];
  };

  it.concurrent.each([
    ['a merchant', PAULA, forBoth, 'en-US', 'pt-BR'],
    ['an operator', OPERATOR, forOperators, 'pt-BR', 'en-US'],
  ] as const)(
    'see no fault of axe in either colours as %s, nothing beside a narrow screen, and text as text',
    async (_, who, paths, light, dark) => {
      const visit = async (page: Page, rules: readonly string[] | null): Promise<readonly unknown[]> => {
        const found: unknown[] = [];
        for (const each of paths) {
          const path = each
            .replace(':charge', strange)
            .replace(':sub', sub.id)
            .replace(':merchant', merchant.id);
          const faults = await faultsOf(page, path, rules);
          if (faults.length > 0) found.push([path, faults]);
        }
        await leave(page);
        return found;
      };
      const inLight = await signIn(who, '', { colors: 'light', language: light });
      const inDark = await signIn(who, '', { colors: 'dark', language: dark });
      // The colours are all that differs in the dark.
      const found = await Promise.all([visit(inLight, null), visit(inDark, ['color-contrast'])]);
      expect(found).toEqual([[], []]);
    },
  );

  it.concurrent('play a day of a marketplace without a terminal, from the first sale to the report', async () => {
    const receiver = await startReceiver();
    const master = await gateway().createMaster({
      legalName: 'Feira do Teste SA',
      companyTaxId: '11222333000181',
    });
    const settings = `/v1/merchants/${master.id}/settings`;
    await admin.post(settings, { name: 'settlement_delay_days', content: { pix: 0 } }).expect(201);
    const alertFee = { name: 'chargeback_alert_fee', content: { amount: 5, currency: 'BRL' } };
    await admin.post(settings, alertFee).expect(201);
    const payout = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
    await admin.call('put', `/v1/admin/merchants/${master.id}/fee-definitions`, [payout]).expect(200);
    const user = { ...MARTA, name: 'Marta', merchantId: master.id, groups: [] };
    await admin.post('/v1/admin/users', user).expect(201);
    // A payer's card comes by the API.
    const shop = withKey(gateway, master.testKey);
    const request = aCardRequest({ amount: 61 }, { number: '4000000000006975' });
    const { id: disputed } = (await shop.post('/v1/charges', request).expect(201)).body;

    const page = await signIn(MARTA, '/webhooks/endpoints');
    await click(page, 'button', 'Add endpoint');
    await type(page, 'Address', `${receiver.url}/hooks`);
    await submit(page);
    await shows(page, `${receiver.url}/hooks`);

    const sell = async (amount: string): Promise<string> => {
      await click(page, 'link', 'Charges');
      await click(page, 'button', 'Create charge');
      await type(page, 'Amount in BRL', amount, 'spinbutton');
      await type(page, 'Customer', 'Rui Alves');
      await type(page, 'E-mail', 'rui@example.test');
      await submit(page);
      await click(page, 'button', 'Pay as a test');
      await submit(page);
      await shows(page, 'charge.paid');
      return page.url().split('/').at(-1) ?? '';
    };
    await sell('30');
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'wrong size');
    await click(page, 'button', 'Refund charge');
    await shows(page, 'charge.refunded');
    await click(page, 'link', 'Statement');
    await shows(page, '-R$30.00');

    await click(page, 'link', 'Sub-merchants');
    await click(page, 'button', 'Add sub-merchant');
    await type(page, 'Name', 'Banca do Beto');
    await type(page, 'E-mail', 'beto@example.test');
    await submit(page);
    await click(page, 'link', 'Banca do Beto');
    await find(page, 'heading', 'Banca do Beto');
    const stall = page.url().split('/').at(-1) ?? '';
    await click(page, 'button', 'Upload document');
    const folder = mkdtempSync(join(tmpdir(), 'portico-upload-'));
    writeFileSync(join(folder, 'beto.png'), Buffer.from(PICTURE, 'base64'));
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('dialog input[type=file]')]);
    await chooser.accept([join(folder, 'beto.png')]);
    await click(page, 'button', 'Upload');
    await page.waitForFunction('!document.querySelector("dialog")');
    await shows(page, 'beto.png');
    rmSync(folder, { recursive: true });

    const other = await signIn(OPERATOR, `/submerchants/${stall}`);
    await click(other, 'button', 'Show');
    await other.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
    await click(other, 'button', 'Approve');
    await submit(other);
    await find(other, 'button', 'Block');
    await other.goto(`${gateway().url}/panel/merchants/${master.id}/split`);
    await click(other, 'button', 'Change split');
    await click(other, 'button', 'Add part');
    await fill(other, 'default.0.merchantId', stall);
    await fill(other, 'default.0.percentage', '40');
    await click(other, 'button', 'Save split');
    await other.waitForFunction('!document.querySelector("dialog")');

    await sell('50');
    await find(page, 'heading', 'Split');
    await click(page, 'button', 'Refund');
    await shows(page, '-R$20.00');
    await page.waitForFunction('document.querySelectorAll("dialog tbody .money").length === 4', POLLING);
    // The master sold for 61 and 30 of 50; the sub-merchant has its 20.
    expect(
      await page.$$eval('dialog tbody td:last-child', (cells) => cells.map(({ innerText }) => innerText)),
    ).toEqual(['R$61.00', 'R$0.00']);
    await page.keyboard.press('Escape');

    // Workers settle once a minute.
    await shop.post('/v1/test-helpers/settlements/run', {}).expect(200);
    await click(page, 'link', 'Payouts');
    await click(page, 'button', 'Request payout');
    await type(page, 'Amount in BRL', '25', 'spinbutton');
    await submit(page);
    await shows(page, 'R$25.00');
    await other.goto(`${gateway().url}/panel/payouts?merchantId=${master.id}`);
    await click(other, 'button', 'Approve');
    await shows(other, 'R$25.00 leave the available balance');
    await submit(other);
    await click(other, 'button', 'Report transfer');
    await type(other, 'Reference', 'E2E-1');
    await submit(other);
    await shows(other, 'E2E-1');

    await click(other, 'link', 'Chargeback alerts');
    await click(other, 'button', 'Register alert');
    await type(other, 'Charge', disputed);
    await shows(other, 'The merchant pays a fee of R$5.00');
    await submit(other);
    await other.waitForFunction('!document.querySelector("dialog")');
    await other.goto(`${gateway().url}/panel/manual-refunds?merchantId=${master.id}`);
    await shows(other, 'R$61.00');
    await click(other, 'button', 'Resolve');
    await type(other, 'Notes', 'by Pix');
    await submit(other);
    await other.waitForFunction('!document.querySelector("dialog")');

    await click(page, 'link', 'Webhooks');
    await untilUpToDate(page);
    const sent = receiver.received.length;
    await click(page, 'button', 'Resend');
    await shows(page, 'The same bytes are sent again at once.');
    await click(page, 'button', 'Resend');
    await pollUntil(
      async () => receiver.received.length,
      (count) => count > sent,
      PATIENCE_MS,
    );

    await other.goto(`${gateway().url}/panel/reports?merchantId=${master.id}`);
    // Sold for 61, 30 and 50.
    await shows(other, 'R$141.00');
    for (const window of [page, other]) {
      expect(await window.evaluate('window.noted')).toEqual([]);
      await leave(window);
    }
    await receiver.close();
  });

  it.concurrent('are told that Elasticsearch is down, work on without it, and see their list once it is back', async () => {
    const way = await startCutOff(gateway().variables.ELASTICSEARCH_NODE ?? '');
    const variables = { ...gateway().variables, ELASTICSEARCH_NODE: way.url, ROLE: 'api' };
    const second = await startTestGateway(variables);
    const page = await openPanel();
    await page.goto(`${second.url}/panel`);
    await fillIn(page, OLGA);
    await page.waitForSelector('nav');
    await way.cut();
    await page.evaluate(`history.pushState(null, '', '/panel/charges/${strange}')`);
    await find(page, 'heading', 'Timeline');
    await click(page, 'link', 'Charges');
    await shows(page, 'It may pass by itself: your data is safe.');
    await way.mend();
    await shows(page, 'in all');
    await leave(page);
    await second.stop({ keepData: true });
    await way.cut();
  });

  it.concurrent('create a merchant, price a sample charge as the gateway then does, and see a key once', async () => {
    const page = await signIn(OPERATOR, '/merchants');
    await click(page, 'button', 'Create merchant');
    await type(page, 'Name', 'Livraria da Esquina');
    await type(page, 'E-mail', 'no address');
    await submit(page);
    await page.evaluate('document.querySelector("dialog form").noValidate = true');
    await submit(page);
    await shows(page, 'email must be: e-mail address');
    await (await find(page, 'textbox', 'E-mail')).evaluate((input) => (input as unknown as Input).select());
    await type(page, 'E-mail', 'livraria@example.test');
    await submit(page);
    await find(page, 'heading', 'Livraria da Esquina');
    await click(page, 'link', 'Fees');
    await click(page, 'button', 'Change fees');
    await click(page, 'button', 'Add fee');
    await page.select('select[name="0.payment_method"]', 'credit_card');
    await fill(page, '0.definition.fixed', '0.39');
    await fill(page, '0.definition.percentages', '2.99 3.4567');
    await fill(page, 'amount', '123.45');
    await fill(page, 'installments', '2');
    await shows(page, 'R$0.39 + 2.99\u00a0%; 3.4567\u00a0%');
    const shown = await shows(page, 'R$4.66');
    expect(shown).toContain('R$118.79');
    await submit(page);
    await page.waitForFunction('!document.querySelector("dialog")');
    const [id] = /mer_[0-9a-f]{32}/.exec(page.url()) ?? [];
    await page.goto(`${gateway().url}/panel/merchants/${id}/keys`);
    await click(page, 'button', 'Create key');
    await submit(page);
    await find(page, 'heading', 'New key');
    const [secret = ''] = /sk_test_\w+/.exec(await textOf(page)) ?? [];
    await click(page, 'button', 'I have kept it');
    await shows(page, `… ${secret.slice(-4)}`);
    expect(await page.content()).not.toContain(secret);
    const request = aCardRequest({ amount: 123.45 });
    const inTwo = { ...request, paymentMethod: { ...request.paymentMethod, installments: 2 } };
    const { body } = await withKey(gateway, secret).post('/v1/charges', inTwo).expect(201);
    expect([body.spread, body.net]).toEqual([4.66, 118.79]);
    await click(page, 'button', 'Roll');
    await submit(page);
    await click(page, 'button', 'I have kept it');
    await shows(page, 'rolled');
    await click(page, 'button', 'Revoke');
    await submit(page);
    await shows(page, 'revoked');
    await page.goto(`${gateway().url}/panel/audit-log?resourceId=${id}`);
    for (const action of ['merchant.created', 'fee_definitions.replaced']) await shows(page, action);
    await leave(page);
  });

  it.concurrent('give a user a one-time password, which the first login replaces, and a second factor', async () => {
    const page = await signIn(OPERATOR, '/users');
    await click(page, 'button', 'Create user');
    await type(page, 'E-mail', 'rita@example.test');
    await submit(page);
    await shows(page, 'rita@example.test');
    await click(page, 'button', 'Reset password');
    await submit(page);
    await find(page, 'heading', 'One-time password');
    const password = await page.$eval('dialog code', ({ innerText }) => innerText);
    await click(page, 'button', 'I have kept it');
    const window = await openPanel();
    await window.goto(`${gateway().url}/panel/account`);
    await fillIn(window, { email: 'rita@example.test', password });
    await shows(window, 'This was a one-time password');
    await window.type('input[name=newPassword]', 'another horse battery');
    await window.type('input[name=again]', 'another horse bakery');
    await click(window, 'button', 'Change password');
    await shows(window, 'The passwords are not the same.');
    await window.$eval('input[name=again]', (input) => (input as unknown as Input).select());
    await window.type('input[name=again]', 'another horse battery');
    await click(window, 'button', 'Change password');
    await find(window, 'heading', 'Your account');
    await click(window, 'button', 'Set up second factor');
    const secret = await window
      .waitForSelector('main code')
      .then((code) =>
        code?.evaluate((element) => (element as unknown as { textContent: string }).textContent),
      );
    await type(window, 'Code', new TOTP({ secret: Secret.fromBase32(secret ?? '') }).generate());
    await click(window, 'button', 'Confirm');
    await find(window, 'heading', 'Recovery codes');
    const recovery = await window.$$eval('dialog code', (codes) =>
      codes.map((code) => (code as unknown as { textContent: string }).textContent),
    );
    await click(window, 'button', 'I have kept it');
    await fillIn(window, { email: 'rita@example.test', password: 'another horse battery' });
    await shows(window, 'Type the code of your authenticator app');
    await window.type('input[name=code]', recovery[0]?.split(' ')[0] ?? '');
    await click(window, 'button', 'Sign in');
    await click(window, 'button', 'Remove second factor');
    await shows(window, 'removes it, and ends every session.');
    await type(window, 'Code', recovery[0]?.split(' ')[1] ?? '');
    await submit(window);
    await find(window, 'heading', 'Sign in');
    await leave(window);
    await leave(page);
  });

  it.concurrent.each([
    ['/charges', '/charges/:charge', '/submerchants', '/submerchants/:sub', '/webhooks/endpoints'],
  ])('see what payers and merchants typed as they typed it', async (...paths) => {
    const page = await signIn(PAULA);
    for (const path of paths) {
      const at = path.replace(':charge', strange).replace(':sub', sub.id);
      await page.evaluate(`history.pushState(null, '', '/panel${at}')`);
      await shows(page, CANARY);
    }
    await leave(page);
  });
});

describe('the id of a request', () => {
  it('leads to its cause: what is found has it in its timeline', async () => {
    const { headers, body } = await key.post('/v1/charges', aCardRequest()).expect(201);
    const page = await signIn(PAULA, `/search?q=${headers['x-request-id']}`);
    await page.click('.matches a');
    await find(page, 'heading', 'Timeline');
    const shown = await shows(page, 'charge.paid');
    expect(shown).toContain(`request ${headers['x-request-id']}`);
    expect(page.url()).toContain(body.id);
    await leave(page);
  });
});

describe('the charges', () => {
  it('are filtered, ordered and paged by the address, which back and reload show again', async () => {
    await charge({ reference: 'pix-1', paymentMethod: { type: 'pix', installments: 1 } });
    await charge({ amount: 250 });
    const page = await signIn(PAULA, '/charges');
    await page.select('select[name=paymentMethod]', 'pix');
    await shows(page, '1 in all');
    expect(page.url()).toContain('paymentMethod=pix');
    await shows(page, 'pix-1');
    await page.evaluate('URL.createObjectURL = (file) => { window.saved = file.text(); return ""; }');
    await click(page, 'button', 'Export CSV');
    await page.waitForFunction('window.saved', POLLING);
    const [heads = [], ...rows] = parseCsv(String(await page.evaluate('window.saved')));
    expect(rows.map((row) => row[heads.indexOf('reference')])).toEqual(['pix-1']);
    await page.select('select[name=status]', 'paid');
    await shows(page, 'Nothing matches these filters.');
    await page.goBack();
    await shows(page, '1 in all');
    await page.reload();
    await shows(page, '1 in all');
    expect(await page.$eval('select[name=paymentMethod]', ({ value }) => value)).toBe('pix');
    await page.goto(`${gateway().url}/panel/charges?status=paid`);
    await click(page, 'button', 'Amount');
    await page.waitForFunction('location.search.includes("orderBy=-amount")');
    await untilUpToDate(page);
    expect(await page.$eval('tbody tr .money', ({ innerText }) => innerText)).toContain('250');
    const { body } = await key.getAfter('latest', '/v1/charges?status=paid&size=1');
    await shows(page, `${body.total} in all`);
    await leave(page);
  });
});

describe('a sale', () => {
  it('is made without a key: a Pix with its code, which a test pays', async () => {
    const page = await signIn(PAULA, '/charges');
    await click(page, 'button', 'Create charge');
    await type(page, 'Amount in BRL', '12.5', 'spinbutton');
    await type(page, 'Customer', 'Rui Alves');
    await type(page, 'E-mail', 'no address');
    await page.evaluate('document.querySelector("dialog form").noValidate = true');
    await submit(page);
    await shows(page, 'customer.email must be: e-mail address');
    await fill(page, 'customer.email', 'rui@example.test');
    await submit(page);
    await find(page, 'heading', 'Payment');
    expect(await accessibilityFaults(page)).toEqual([]);
    const id = page.url().split('/').at(-1);
    const { body } = await key.get(`/v1/charges/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'pending', amount: 12.5, customer: { name: 'Rui Alves' } });
    await shows(page, body.paymentDetails.copyPaste);
    await click(page, 'button', 'Pay as a test');
    await submit(page);
    await shows(page, 'charge.paid');
    expect(await page.evaluate(findNow('heading', 'Payment'))).toBeNull();
    await leave(page);
  });
});

describe('a refund', () => {
  it('shows its effect first; of two windows with double clicks one refunds, and the other is told', async () => {
    const id = await charge({ amount: 80 });
    const windows = await Promise.all([signIn(PAULA, `/charges/${id}`), signIn(PAULA, `/charges/${id}`)]);
    for (const page of windows) {
      await click(page, 'button', 'Refund');
      await shows(page, 'R$80.00 go back to Ana Souza');
      await type(page, 'Reason', 'changed my mind');
    }
    expect(await accessibilityFaults(windows[0])).toEqual([]);
    await Promise.all(
      windows.map((page) =>
        page.$eval('dialog button[type=submit]', (button) => {
          button.click();
          button.click();
        }),
      ),
    );
    const outcomes = await Promise.all(
      windows.map((page) =>
        pollUntil(
          () => textOf(page),
          (text) => text.includes('REFUND_ALREADY_EXISTS') || text.includes('charge.refunded'),
          PATIENCE_MS,
        ),
      ),
    );
    expect(outcomes.filter((text) => text.includes('REFUND_ALREADY_EXISTS'))).toHaveLength(1);
    const { body } = await key.getAfter('latest', `/v1/refunds?chargeId=${id}`);
    expect(body.total).toBe(1);
    for (const page of windows) await leave(page);
  });

  it('is in the statement at once, whose opening balance and movements make the closing balance', async () => {
    const id = await charge({ amount: 33 });
    const page = await signIn(PAULA, `/charges/${id}`);
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'wish');
    await click(page, 'button', 'Refund charge');
    await shows(page, 'charge.refunded');
    await click(page, 'link', 'Statement');
    await shows(page, '-R$33.00');
    const sums = await page.$$eval('table.sums tbody tr', (rows) =>
      rows.map((row) => Number(row.querySelector('td:last-child')?.textContent?.replaceAll(/[^\d.-]/g, ''))),
    );
    const movements = sums.slice(0, -1).reduce((total, amount) => total + Math.round(amount * 100), 0);
    expect(movements).toBe(Math.round((sums.at(-1) ?? 0) * 100));
    await click(page, 'button', 'Explain');
    await shows(page, 'How this figure came about');
    await click(page, 'button', 'Close');
    await click(page, 'button', 'Verify');
    await shows(page, 'entries are as they were booked');
    const lines = gateway().db.collection('statement_lines');
    const changed = { merchantId: merchant.id, movement_type: 'refund' };
    const { modifiedCount } = await lines.updateOne(changed, { $inc: { amount: 1 } });
    expect(modifiedCount).toBe(1);
    await click(page, 'button', 'Verify');
    const shown = await shows(page, 'was changed');
    await lines.updateOne(changed, { $inc: { amount: -1 } });
    expect(shown).toMatch(/Entry led_[0-9a-f]{32}, place \d+, was changed/);
    await leave(page);
    const operators = await signIn(OPERATOR, '/statement');
    await shows(operators, 'Filter by a merchant');
    await operators.goto(`${gateway().url}/panel/statement?merchantId=${merchant.id}`);
    await shows(operators, 'Closing balance');
    await click(operators, 'button', 'Verify');
    await shows(operators, 'entries are as they were booked');
    await leave(operators);
  });
});

describe('a keyboard alone', () => {
  it('signs in, finds a charge, refunds it, has a figure explained, asks for a payout; an operator decides', async () => {
    const id = await charge({ reference: 'by-keyboard' });
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel`);
    await page.waitForSelector('input[name=password]');
    await write(page, 'E-mail', PAULA.email);
    await write(page, 'Password', PASSWORD);
    await write(page, 'Environment', 'Test');
    await press(page, 'Sign in');
    await find(page, 'heading', 'Home');
    await page.keyboard.press('/');
    await page.keyboard.type('by-keyboard');
    await page.keyboard.press('Enter');
    await shows(page, id);
    await press(page, 'Ana Souza');
    await find(page, 'button', 'Refund');
    await press(page, 'Refund');
    await find(page, 'textbox', 'Reason');
    await write(page, 'Reason', 'by keyboard');
    await press(page, 'Refund charge');
    await shows(page, 'charge.refunded');
    await press(page, 'Statement');
    await find(page, 'button', 'Explain');
    await press(page, 'Explain');
    await shows(page, 'Place in the statement');
    await page.keyboard.press('Escape');
    await press(page, 'Payouts');
    await find(page, 'button', 'Request payout');
    await press(page, 'Request payout');
    await find(page, 'spinbutton', 'Amount in BRL');
    await write(page, 'Amount in BRL', '23.45');
    await page.keyboard.press('Enter');
    await shows(page, 'R$23.45');
    const other = await signIn(OPERATOR, '/payouts?status=pending');
    await find(other, 'button', 'Reject');
    await press(other, 'Reject');
    await find(other, 'textbox', 'Reason');
    await write(other, 'Reason', 'by keyboard, too');
    await press(other, 'Reject');
    await shows(other, 'Nothing matches these filters.');
    await leave(page);
    await leave(other);
  });
});

describe("an operator's day", () => {
  it('resolves a manual refund once, and tells the second of two operators', async () => {
    const id = await charge({ amount: 61 }, { number: '4000000000006975' });
    const page = await signIn(OPERATOR, '/alerts');
    await click(page, 'button', 'Register alert');
    await type(page, 'Charge', id);
    await shows(page, 'The merchant pays a fee of R$15.50');
    await page.$eval('dialog button[type=submit]', (button) => button.click());
    await page.waitForFunction('!document.querySelector("dialog")');
    await shows(page, 'pre chargeback');
    await click(page, 'button', 'Register alert');
    await type(page, 'Charge', id);
    await submit(page);
    await shows(page, 'A chargeback alert of this charge is registered already');
    await page.keyboard.press('Escape');
    await click(page, 'link', 'Manual refunds');
    await shows(page, 'R$61.00');
    const other = await signIn(OPERATOR, '/manual-refunds');
    for (const window of [page, other]) {
      await click(window, 'button', 'Resolve');
      await type(window, 'Notes', 'by Pix');
    }
    await page.$eval('dialog button[type=submit]', (button) => button.click());
    await shows(page, 'Nothing waits');
    expect(await page.$eval('select[name=status]', ({ value }) => value)).toBe('pending');
    await page.select('select[name=status]', 'all');
    await shows(page, 'by Pix');
    await other.$eval('dialog button[type=submit]', (button) => button.click());
    await shows(other, `The manual refund request was resolved by ${OPERATOR.email}`);
    expect(await other.$eval('textarea', ({ value }) => value)).toBe('by Pix');
    await leave(page);
    await leave(other);
  });

  /** Counts of the home screen with the totals of the lists that they lead to. */
  const countsOf = async (page: Page): Promise<readonly (readonly [string, string, string])[]> => {
    await page.waitForFunction('!document.querySelector(".tiles").innerText.includes("…")', POLLING);
    const tiles = await page.$$eval('.tiles a', (links) =>
      links.map((link) => [link.getAttribute('href') ?? '', link.querySelector('strong')?.innerText ?? '']),
    );
    const counts: (readonly [string, string, string])[] = [];
    for (const [href = '', count = ''] of tiles) {
      await page.evaluate(`history.pushState(null, '', '${href}')`);
      await page.waitForSelector('.list');
      await untilUpToDate(page);
      const total = await page.$eval('.list', (list) => {
        const told = list.querySelector('.toolbar [role=status]')?.textContent;
        return told?.split(' ')[0] ?? String(list.querySelectorAll('tbody tr').length);
      });
      counts.push([href, count, total]);
    }
    return counts;
  };

  it('shows what waits with the totals of its lists; of two who reject a payout one is told', async () => {
    const asking = await signIn(PAULA, '/payouts');
    await click(asking, 'button', 'Request payout');
    await type(asking, 'Amount in BRL', '12.34', 'spinbutton');
    await asking.$eval('dialog button[type=submit]', (button) => button.click());
    await shows(asking, 'R$12.34');
    const page = await signIn(OPERATOR);
    const counts = await countsOf(page);
    expect(counts).toHaveLength(7);
    expect(counts.map(([href, count]) => [href, count])).toEqual(
      counts.map(([href, , total]) => [href, total]),
    );
    await click(page, 'link', 'Home');
    await click(page, 'link', '1 Payouts to decide on');
    await shows(page, 'R$12.34');
    const other = await signIn(OLGA, '/payouts?status=pending');
    await click(other, 'button', 'Reject');
    await type(other, 'Reason', 'too late');
    await click(page, 'button', 'Reject');
    await type(page, 'Reason', 'wrong company');
    await page.$eval('dialog button[type=submit]', (button) => button.click());
    await shows(page, 'Nothing matches these filters.');
    await submit(other);
    await shows(other, 'The payout request is rejected already');
    await asking.reload();
    await shows(asking, 'wrong company');
    await leave(other);
    await leave(page);
    await leave(asking);
  });
});

describe('a list after an action', () => {
  it('has it, each time', async () => {
    const page = await signIn(PAULA, '/webhooks/endpoints');
    const actions = volume({ usual: 4, proof: 1_000 });
    for (let count = 1; count <= actions; count += 1) {
      const description = `action ${count} of ${actions}`;
      await click(page, 'button', 'Edit');
      await fill(page, 'description', description);
      await submit(page);
      await page.waitForFunction('!document.querySelector("dialog")');
      expect(await page.$eval('tbody', ({ innerText }) => innerText)).toContain(description);
    }
    await leave(page);
  });
});

describe('an action before the screen is complete', () => {
  it('drops the answer that is older', async () => {
    const id = await charge({ paymentMethod: { type: 'pix', installments: 1 } });
    const older = (await key.get(`/v1/charges/${id}/timeline`).expect(200)).body;
    const page = await signIn(PAULA);
    const held: HTTPRequest[] = [];
    const hold = (request: HTTPRequest): void => {
      if (held.length === 0 && request.url().endsWith('/timeline')) held.push(request);
      else void request.continue();
    };
    await page.setRequestInterception(true);
    page.on('request', hold);
    await page.evaluate(`history.pushState(null, '', '/panel/charges/${id}')`);
    await click(page, 'button', 'Pay as a test');
    await submit(page);
    const isPaid = 'document.querySelector("main .heading .status")?.textContent === "paid"';
    await page.waitForFunction(isPaid, POLLING);
    // The window may have closed this request itself.
    await held[0]
      ?.respond({ contentType: 'application/json', body: JSON.stringify(older) })
      .catch(() => null);
    await shows(page, 'charge.paid');
    page.off('request', hold);
    await page.setRequestInterception(false);
    await leave(page);
  });
});

describe('a review', () => {
  it('shows the document beside the form, and approves only the version that was seen', async () => {
    const page = await signIn(OPERATOR, `/submerchants/${sub.id}`);
    await click(page, 'button', 'Show');
    await page.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
    await click(page, 'button', 'Approve');
    await find(page, 'textbox', 'Reason');
    await key.call('patch', `/v1/submerchants/${sub.id}`, { phone: '+5511999990000' }).expect(200);
    await submit(page);
    await shows(page, 'VERSION_CHANGED');
    await page.keyboard.press('Escape');
    await shows(page, '+5511999990000');
    await click(page, 'button', 'Approve');
    await submit(page);
    await find(page, 'button', 'Block');
    expect(await page.evaluate('window.noted')).toEqual([]);
    await leave(page);
  });
});

describe('administration', () => {
  it('moves money by two people, and shows the approver the balance before and after', async () => {
    const page = await signIn(OPERATOR, '/adjustments');
    await click(page, 'button', 'Propose adjustment');
    await type(page, 'Merchant', merchant.id);
    await type(page, 'Amount', '7.25', 'spinbutton');
    await type(page, 'Reason', 'goodwill');
    await submit(page);
    await shows(page, 'R$7.25');
    expect(await page.evaluate(findNow('button', 'Approve'))).toBeNull();
    const other = await signIn(OLGA, '/adjustments');
    await click(other, 'button', 'Approve');
    await shows(other, 'R$7.25 come to the available balance');
    const [before, after] = await other
      .waitForFunction('document.querySelectorAll("dialog dd .money").length === 3')
      .then(() =>
        other.$$eval('dialog dd .money', (amounts) =>
          amounts.slice(1).map(({ innerText }) => Number(innerText.replaceAll(/[^\d.-]/g, ''))),
        ),
      );
    expect(Math.round(((after ?? 0) - (before ?? 0)) * 100)).toBe(725);
    await submit(other);
    await shows(other, 'approved');
    await leave(other);
    await leave(page);
  });

  it('recovers what an endpoint missed, and sends a selection again', async () => {
    const page = await signIn(PAULA, '/webhooks/endpoints');
    await click(page, 'button', 'Add endpoint');
    await type(page, 'Address', 'http://127.0.0.1:9/closed');
    await submit(page);
    await shows(page, 'http://127.0.0.1:9/closed');
    await click(page, 'button', 'Recover');
    await submit(page);
    await shows(page, 'missed events for the first time');
    await click(page, 'button', 'Close');
    await click(page, 'link', 'Deliveries');
    await shows(page, 'http://127.0.0.1:9/closed');
    await untilUpToDate(page);
    await click(page, 'checkbox', 'Select all of this page');
    const label = await page.$$eval('main button', (buttons) =>
      buttons.map((button) => button.textContent ?? '').find((text) => text.startsWith('Resend selected')),
    );
    await click(page, 'button', label ?? '');
    await click(page, 'button', 'Resend');
    await shows(page, ' to send');
    await leave(page);
  });
});
