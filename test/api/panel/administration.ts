import { Secret, TOTP } from 'otpauth';
import type { Page } from 'puppeteer-core';
import { DAY_MS } from '../../../src/kernel/durations.ts';
import { aCardRequest, aMethodFee } from '../../builders.ts';
import { withKey } from '../../support/client.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  find,
  findNow,
  type Input,
  shows,
  submit,
  textOf,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { fillIn, OLGA, PASSWORD, PAULA, type Panel } from './setting.ts';

/** Merchants, keys, users, adjustments and endpoints. */
export const describeAdministration = ({ gateway, made, company, openPanel, leave, signIn }: Panel): void => {
  it.concurrent('people who administer create a merchant, price a sample charge as the gateway then does, and see a key once', async () => {
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
    await untilClosed(page);
    const [id] = /mer_[0-9a-f]{32}/.exec(page.url()) ?? [];
    await page.goto(`${gateway().url}/panel/merchants/${id}/keys`);
    await click(page, 'button', 'Create key');
    await submit(page);
    await find(page, 'heading', 'New key');
    const [secret = ''] = /sk_test_\w+/.exec(await textOf(page)) ?? [];
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]');
    expect(await page.$eval('dialog', ({ innerText }) => innerText)).toContain(secret);
    await click(page, 'button', 'I have kept it');
    await shows(page, `… ${secret.slice(-4)}`);
    expect(await page.content()).not.toContain(secret);
    const lastUse = `(() => {
      const place = [...document.querySelectorAll('thead th')].findIndex(({ innerText }) => innerText === 'Last use');
      const rows = [...document.querySelectorAll('tbody tr')];
      const row = rows.find(({ innerText }) => innerText.includes('… ${secret.slice(-4)}'));
      return row.children[place].querySelector('time')?.dateTime ?? null;
    })()`;
    expect(await page.evaluate(lastUse)).toBeNull();
    const request = aCardRequest({ amount: 123.45 });
    const inTwo = { ...request, paymentMethod: { ...request.paymentMethod, installments: 2 } };
    const { body } = await withKey(gateway, secret).post('/v1/charges', inTwo).expect(201);
    expect([body.spread, body.net]).toEqual([4.66, 118.79]);
    await click(page, 'button', 'Roll');
    await submit(page);
    await click(page, 'button', 'I have kept it');
    await shows(page, 'rolled');
    expect(Date.parse(String(await page.evaluate(lastUse)))).toBeGreaterThan(
      Date.parse(body.createdAt) - 60_000,
    );
    await click(page, 'button', 'Revoke');
    await submit(page);
    await shows(page, 'revoked');
    await click(page, 'link', 'Overview');
    await click(page, 'button', 'Edit');
    await click(page, 'checkbox', 'Ask for payouts');
    expect(await page.$eval('.changes del', ({ innerText }) => innerText)).toContain('Ask for payouts');
    expect(await page.$eval('.changes ins', ({ innerText }) => innerText)).not.toContain('Ask for payouts');
    await submit(page);
    await untilClosed(page);
    await click(page, 'link', 'Settings');
    await click(page, 'button', 'Set');
    await fill(page, 'content.pix', '3');
    await shows(page, 'Pix: 3 days');
    await submit(page);
    await untilClosed(page);
    await click(page, 'button', 'Remove');
    await submit(page);
    await shows(page, 'Nothing of its own is set');
    await page.goto(`${gateway().url}/panel/audit-log?type=setting.created`);
    await shows(page, 'Setting added');
    await page.goto(`${gateway().url}/panel/audit-log?resourceId=${id}`);
    for (const action of ['Merchant created', 'Fees changed']) await shows(page, action);
    await page.goto(`${gateway().url}/panel/audit-log?resourceId=${id}&type=merchant.updated`);
    await click(page, 'button', 'Details');
    const snaps = await page.$$eval('dialog pre', (texts) =>
      texts.map(({ textContent }) => textContent ?? ''),
    );
    expect(await page.$eval('dialog .changes dt', ({ innerText }) => innerText)).toBe('permissions');
    expect(snaps.map((snap) => JSON.parse(snap).permissions.includes('payouts.create'))).toEqual([
      true,
      false,
    ]);
    await leave(page);
  });

  it.concurrent('people who administer give a user a one-time password, which the first login replaces, and a second factor', async () => {
    const page = await signIn(OPERATOR, '/users');
    await click(page, 'button', 'Create user');
    await type(page, 'E-mail', 'rita@example.test');
    await submit(page);
    // The password of a user who is not saved would be good for nothing.
    await find(page, 'heading', 'One-time password');
    expect(await page.$eval('dialog code', ({ innerText }) => innerText)).toMatch(/^\w{20}$/);
    await click(page, 'button', 'I have kept it');
    await shows(page, 'rita@example.test');
    // Other tests add users meanwhile, and the button of the first row is clicked.
    await page.evaluate("history.pushState(null, '', '/panel/users?email=rita@example.test')");
    await shows(page, '1 in all');
    await untilUpToDate(page);
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

  it.concurrent('people in a group see the screens that it opens, and end their other session', async () => {
    const page = await signIn(OPERATOR, '/groups');
    await click(page, 'button', 'Create group');
    await type(page, 'Name', 'readers');
    await click(page, 'checkbox', 'See charges of all merchants');
    await submit(page);
    await shows(page, 'readers');
    const reader = { email: 'rosa@example.test', password: PASSWORD };
    await made()
      .admin.post('/v1/admin/users', { ...reader, merchantId: null, groups: ['readers'] })
      .expect(201);
    const window = await signIn(reader);
    const titles = await window.$$eval('#screens a', (links) => links.map(({ innerText }) => innerText));
    expect(titles).toEqual([
      'Home',
      'Charges',
      'Refunds',
      'Checkout',
      'Customers',
      'Subscriptions',
      'Disputes',
      'Anticipations',
      'Providers',
    ]);
    await window.goto(`${gateway().url}/panel/payouts`);
    await shows(window, 'There is no such screen, or you may not see it.');
    const other = await signIn(reader, '', { person: 'another computer' });
    await window.goto(`${gateway().url}/panel/account`);
    await click(window, 'button', 'End session');
    await submit(window);
    await untilClosed(window);
    await click(other, 'link', 'Charges');
    await find(other, 'heading', 'Your session has ended');
    for (const each of [other, window, page]) await leave(each);
  });

  it.concurrent('people of a merchant make a restricted key and a colleague, and see its fees and settings', async () => {
    const page = await signIn(PAULA, '/keys');
    await click(page, 'button', 'Create key');
    await type(page, 'Description', 'reports');
    await click(page, 'checkbox', 'See charges');
    expect(await page.$('dialog input[value="keys.manage"]')).toBeNull();
    await submit(page);
    await find(page, 'heading', 'New key');
    const [secret = ''] = /sk_test_\w+/.exec(await textOf(page)) ?? [];
    await click(page, 'button', 'I have kept it');
    await shows(page, `… ${secret.slice(-4)}`);
    await withKey(gateway, secret).get('/v1/charges').expect(200);
    await withKey(gateway, secret).get('/v1/balance').expect(403);
    await page.goto(`${gateway().url}/panel/keys?description=repo`);
    await shows(page, '1 in all');
    await page.goto(`${gateway().url}/panel/users`);
    await click(page, 'button', 'Create user');
    await type(page, 'E-mail', 'colleague@example.test');
    await click(page, 'checkbox', 'people of merchants');
    await submit(page);
    await click(page, 'button', 'I have kept it');
    await untilClosed(page);
    await shows(page, 'colleague@example.test');
    await page.goto(`${gateway().url}/panel/terms`);
    await shows(page, 'chargeback_alert_fee');
    await find(page, 'heading', 'Fees');
    await leave(page);
  });

  it.concurrent('administration moves money by two people, and shows the approver the balance before and after', async () => {
    const page = await signIn(OPERATOR, '/adjustments');
    await click(page, 'button', 'Propose adjustment');
    await type(page, 'Merchant', made().merchant.id);
    await type(page, 'Amount', '7.25');
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

  /** Numbers of some rows of tables. */
  const figuresOf = (page: Page, rows: string): Promise<number[][]> =>
    page.$$eval(rows, (found) =>
      found.map((row) =>
        [...row.querySelectorAll('td.number')].map((cell) =>
          Number(cell.textContent?.replaceAll(/[^\d.-]/g, '')),
        ),
      ),
    );
  const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
  const inCents = (amount: number | undefined) => Math.round((amount ?? 0) * 100);

  it.concurrent('administration reports the sums of the API, grouped, and asks for what is typed when it is applied', async () => {
    const shop = await company('clara@example.test');
    const fee = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
    await gateway().setFees(shop.id, [aMethodFee(), fee]);
    const delay = { name: 'settlement_delay_days', content: { credit_card: 0 } };
    await made().admin.post(`/v1/merchants/${shop.id}/settings`, delay).expect(201);
    await shop.charge();
    await shop.charge({ paymentMethod: { type: 'pix', installments: 1 } });
    await shop.key.post('/v1/test-helpers/settlements/run', {}).expect(200);
    const { id } = (await shop.key.post('/v1/payout-requests', { amount: 2_000 }).expect(201)).body;
    await made().admin.post(`/v1/admin/payout-requests/${id}/approve`, {}).expect(200);
    const page = await signIn(OPERATOR, '/reports?groupBy=status');
    const length = await page.evaluate('history.length');
    await type(page, 'Merchant', shop.id);
    expect(await page.evaluate('history.length')).toBe(length);
    await page.keyboard.press('Enter');
    await page.waitForFunction('location.search.includes("merchantId=mer_")');
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const NO_FIGURES = ['period', 'group', 'currency'];
    for (const [name, groupBy, charted] of [
      ['volume', 'status', 'paidAmount'],
      ['revenue', 'paymentMethod', 'amount'],
      ['balances', 'currency', 'available'],
      ['payouts', 'merchantId', 'net'],
    ] as const) {
      const asked = `groupBy=${groupBy}&interval=day&merchantId=${shop.id}`;
      await page.evaluate(`history.pushState(null, '', '/panel/reports/${name}?${asked}')`);
      await shows(page, name === 'balances' ? 'At the end' : 'Total');
      await untilUpToDate(page);
      const days = await page.$$eval('input[type=date]', (inputs) => inputs.map(({ value }) => value));
      const query = `${asked}&from=${days[0]}&to=${days[1]}&timeZone=${encodeURIComponent(timeZone)}`;
      const { body } = await made().admin.getAfter('latest', `/v1/admin/reports/${name}?${query}`);
      const told = (row: Readonly<Record<string, number>>) =>
        Object.keys(body.data[0])
          .filter((key) => !NO_FIGURES.includes(key))
          .map((key) => row[key]);
      expect([name, await figuresOf(page, '[aria-label=Figures] tbody tr:not(.total)')]).toEqual([
        name,
        body.data.map(told),
      ]);
      expect(await figuresOf(page, '[aria-label=Figures] tr.total')).toEqual(body.totals.map(told));
      const bars = (await figuresOf(page, '.chart tbody tr')).map(([amount]) => inCents(amount));
      const rows = body.data.map((row: Readonly<Record<string, number>>) => inCents(row[charted]));
      expect([bars.length, sum(bars)]).toEqual([30, sum(rows)]);
      expect(await page.$$eval('.chart thead th', (all) => all.map((head) => head.textContent))).toEqual([
        'Period',
        'Amount',
        'Period before',
      ]);
    }
    await leave(page);
  });

  it.concurrent('administration charts the differences of the ledger by the day they were found', async () => {
    const { id: merchantId } = await company('dora@example.test');
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    const found = { livemode: false, merchantId, currency: 'BRL', createdAt: null };
    const seen = { status: 'resolved', lastSeenAt: ago(0), resolvedAt: ago(0), checked: 'everything' };
    const differences = [ago(0), ago(0), ago(40)].map((foundAt, index) => ({
      ...{ ...found, ...seen, foundAt, kind: 'charge', aspect: 'amount', amount: 1_250 },
      ...{ subject: `chg_${String(index).repeat(32)}`, message: `difference ${index}` },
    }));
    await gateway().db.collection('ledger_differences').insertMany(differences);
    const asked = `status=resolved&groupBy=merchantId&merchantId=${merchantId}`;
    const page = await signIn(OPERATOR, `/reports/reconciliation?${asked}`);
    await shows(page, 'difference 2');
    const bars = (await figuresOf(page, '.chart tbody tr')).map(([count]) => count);
    expect([bars.length, bars.at(-1), bars[0], sum(bars as number[])]).toEqual([41, 2, 1, 3]);
    const heights = (await page.evaluate(
      `[...document.querySelectorAll('.chart .bar')].map((bar) => Math.round(bar.getBBox().height))`,
    )) as number[];
    expect([heights.at(-1), heights[0], sum(heights)]).toEqual([120, 60, 180]);
    const { body } = await made().admin.get(`/v1/admin/reports/reconciliation?${asked}`).expect(200);
    expect(await figuresOf(page, '[aria-label=Differences] tbody tr')).toEqual(
      body.data.map(({ amount }: { readonly amount: number }) => [amount]),
    );
    expect(await page.$eval('[aria-label=Differences] tbody', ({ innerText }) => innerText)).toContain(
      merchantId,
    );
    await leave(page);
  });

  it.concurrent('administration recovers what an endpoint missed, and sends a selection again', async () => {
    const page = await signIn(PAULA, '/webhooks/endpoints');
    await click(page, 'button', 'Add endpoint');
    await type(page, 'Address', 'http://127.0.0.1:9/closed');
    await submit(page);
    await shows(page, 'http://127.0.0.1:9/closed');
    await click(page, 'button', 'Recover');
    await submit(page);
    const told = await shows(page, 'missed events for the first time');
    expect(told).toMatch(/and [1-9]\d* missed events/);
    await click(page, 'button', 'Close');
    await click(page, 'link', 'Deliveries');
    await shows(page, 'http://127.0.0.1:9/closed');
    await untilUpToDate(page);
    await click(page, 'checkbox', 'Select all of this page');
    const label = await page.$$eval('main button', (buttons) =>
      buttons.map((button) => button.textContent ?? '').find((text) => text.startsWith('Resend selected')),
    );
    await click(page, 'button', label ?? '');
    await shows(page, ' to send');
    await click(page, 'button', 'Resend');
    await until(page, `!document.querySelector('dialog') || document.body.innerText.includes('Refused: ')`);
    await leave(page);
  });
};
