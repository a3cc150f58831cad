import type { Page } from 'puppeteer-core';
import { DAY_MS } from '../../../src/kernel/durations.ts';
import { aCard, aCardRequest } from '../../builders.ts';
import { useBrowser } from '../../support/browser.ts';
import { type Client, operator, PATIENT, withKey } from '../../support/client.ts';
import { type TestMerchant, useGateway } from '../../support/gateway.ts';
import { PATIENCE_MS, untilUpToDate } from '../../support/panel-page.ts';
import { buildProgram } from '../../support/program.ts';
import { aSubscriber, subscribe } from '../../support/subscribers.ts';

export const PASSWORD = 'a password of this test';
export const PAULA = { email: 'paula@example.test', password: PASSWORD };
export const MARTA = { email: 'marta@example.test', password: PASSWORD };
/** A merchant's user whose session ends early, and one who is locked out. */
export const NINA = { email: 'nina@example.test', password: PASSWORD };
export const LUIS = { email: 'luis@example.test', password: PASSWORD };
/** A second operator. */
export const OLGA = { email: 'olga@example.test', password: PASSWORD };
const IMAGE = '<img src=x onerror=canary()>';
export const CANARY = `'">${IMAGE}<script>canary()</script>`;
/** The smallest picture in PNG. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A master with users, a sub-merchant and a charge. Each field that takes one has a canary. */
type Data = {
  readonly admin: Client;
  readonly merchant: TestMerchant;
  readonly key: Client;
  readonly sub: { readonly id: string };
  readonly strange: string;
  readonly customer: string;
  /** A subscription of that customer, past due. */
  readonly subscription: string;
  /** A dispute with evidence. */
  readonly dispute: string;
  readonly nina: string;
};

const createData = async (gateway: ReturnType<typeof useGateway>): Promise<Data> => {
  const admin = await operator(gateway, 'test');
  const merchant = await gateway().createMaster({
    legalName: `Padaria ${CANARY}`,
    companyTaxId: '11222333000181',
    timeZone: 'America/Sao_Paulo',
  });
  const key = withKey(gateway, merchant.testKey);
  const payout = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
  await admin.call('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, [payout]).expect(200);
  const fee = { name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'BRL' } };
  await admin.post(`/v1/merchants/${merchant.id}/settings`, fee).expect(201);
  const people = { name: 'people of merchants', permissions: ['keys.manage', 'users.manage'] };
  await admin.post('/v1/admin/groups', people).expect(201);
  const user = { ...PAULA, name: CANARY, merchantId: merchant.id, groups: [people.name] };
  await admin.post('/v1/admin/users', user).expect(201);
  const { id: nina } = (await admin.post('/v1/admin/users', { ...user, ...NINA }).expect(201)).body;
  await admin.post('/v1/admin/users', { ...user, ...LUIS }).expect(201);
  await admin.post('/v1/admin/users', { ...OLGA, merchantId: null, groups: ['operators'] }).expect(201);
  const address = { country: 'BR', line1: CANARY, city: CANARY };
  const company = {
    legalName: CANARY,
    email: 'sub@example.test',
    companyTaxId: '11222333000181',
    phone: IMAGE,
  };
  const sub = (await key.post('/v1/submerchants', { ...company, address }).expect(201)).body;
  const picture = { type: 'identity', fileName: `${IMAGE}.png`, content: PICTURE };
  await key.post(`/v1/submerchants/${sub.id}/documents`, picture).expect(201);
  const endpoint = { url: 'http://127.0.0.1:9/closed', events: ['*'], description: CANARY };
  await key.post('/v1/webhook-endpoints', endpoint).expect(201);
  const document = { type: 'other', id: IMAGE };
  const customer = { name: CANARY, email: 'canary@example.test', phone: IMAGE, document };
  const items = [{ title: CANARY, description: CANARY, quantity: 1, unit_price: 1 }];
  const told = { reference: CANARY, metadata: { [CANARY]: CANARY }, items };
  const strange = await charge(key, { customer, ...told }, { holderName: CANARY });
  await key.post('/v1/refunds', { chargeId: strange, reason: CANARY }).expect(201);
  const payer = { ...customer, address, reference: CANARY, metadata: told.metadata };
  const { id: kept } = (await key.post('/v1/customers', payer).expect(201)).body;
  const sold = { amount: 10, currency: 'BRL', description: CANARY, reference: CANARY };
  await key.post('/v1/checkout-sessions', sold).expect(201);
  await key.post('/v1/payment-links', sold).expect(201);
  const plan = { name: CANARY, amount: 49.9, currency: 'BRL', interval: 'month', description: CANARY };
  const { id: planId } = (await key.post('/v1/plans', plan).expect(201)).body;
  const subscriber = await aSubscriber(key, aCard({ number: '4000000000000341' }));
  const wanted = { planId, price: undefined, description: CANARY, reference: CANARY };
  const { id: subscription } = await subscribe(key, subscriber, wanted);
  const until = new Date(Date.now() + 3 * DAY_MS).toISOString();
  await key.post(`/v1/test-helpers/subscriptions/${subscription}/advance`, { until }).expect(200);
  const disputed = await charge(key, { customer }, {});
  await key.post(`/v1/test-helpers/charges/${disputed}/chargeback`).expect(200);
  const dispute = disputed.replace('chg_', 'dsp_');
  await key.post(`/v1/disputes/${dispute}/evidence`, { ...picture, type: 'receipt' }).expect(201);
  return { admin, merchant, key, sub, strange, dispute, nina, subscription, customer: kept };
};

/** Charges a card; gives the id. */
const charge = async (key: Client, changes: object, card: object): Promise<string> => {
  const request = { ...aCardRequest({}, card), ...changes };
  return (await key.post('/v1/charges', request).expect(201)).body.id;
};

type Who = { readonly email: string; readonly password: string };

export const fillIn = async (page: Page, { email, password }: Who): Promise<void> => {
  await page.waitForSelector('input[name=password]');
  await page.$eval('input[name=email]', (input) => input.select());
  await page.type('input[name=email]', email);
  await page.type('input[name=password]', password);
  await page.select('select[name=environment]', 'test');
  await page.click('button[type=submit]');
};

type Options = NonNullable<Parameters<ReturnType<ReturnType<typeof useBrowser>>['open']>[0]>;

/** A gateway and a browser for a test file, with people who work in the panel. */
export const usePanel = () => {
  // The panel is built before a gateway looks for it.
  beforeAll(buildProgram, 180_000);
  const gateway = useGateway({ ...PATIENT, REQUEST_LOG: 'true' });
  const browser = useBrowser();
  let made: Data;
  beforeAll(async () => {
    made = await createData(gateway);
  });

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
    // The browser asks before typed text is lost, and tests go on.
    page.on('dialog', (dialog) => {
      if (dialog.type() === 'beforeunload') void dialog.accept();
    });
    await page.evaluateOnNewDocument(`
      window.noted = [];
      window.canary = () => window.noted.push('canary');
      document.addEventListener('securitypolicyviolation', (event) => window.noted.push(event.blockedURI));
      Object.defineProperty(navigator, 'language', { value: '${options.language}' });`);
    return page;
  };

  return {
    gateway,
    made: () => made,
    charge: (changes: object = {}, card = {}) => charge(made.key, changes, card),
    /** Another master with a user: its lists and sums have nothing of other tests. */
    async company(email: string, changes: object = {}) {
      const { id, testKey } = await gateway().createMaster({
        legalName: `Empresa de ${email}`,
        companyTaxId: '11222333000181',
        ...changes,
      });
      const who: Who = { email, password: PASSWORD };
      await made.admin.post('/v1/admin/users', { ...who, merchantId: id, groups: [] }).expect(201);
      const key = withKey(gateway, testKey);
      return { id, who, key, charge: (changes: object = {}) => charge(key, changes, {}) };
    },
    browser,
    openPanel,
    /** Leaves a window to the next test of the same person. */
    async leave(page: Page): Promise<void> {
      const key = optionsOf.get(page);
      if (key === undefined) return page.close();
      await page.goto('about:blank');
      await page.setViewport({ width: 1280, height: 900 });
      left.set(key, [...(left.get(key) ?? []), page]);
    },
    /** A window of somebody who signs in once: later windows find the session by its cookie. */
    async signIn(who: Who, path = '', options: Options = {}): Promise<Page> {
      const page = await openPanel({ person: who.email, ...options });
      await page.goto(`${gateway().url}/panel${path}`);
      await page.waitForSelector('nav, input[name=password]');
      if (await page.$('input[name=password]')) await fillIn(page, who);
      await page.waitForSelector('nav');
      await untilUpToDate(page);
      return page;
    },
  };
};

export type Panel = ReturnType<typeof usePanel>;
