import { Secret, TOTP } from 'otpauth';
import { aCardRequest } from '../../builders.ts';
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
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { fillIn, OLGA, PAULA, type Panel } from './setting.ts';

/** Merchants, keys, users, adjustments and endpoints. */
export const describeAdministration = ({ gateway, made, charge, openPanel, leave, signIn }: Panel): void => {
  describe('people who administer', () => {
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
  });

  describe('administration', () => {
    it('moves money by two people, and shows the approver the balance before and after', async () => {
      const page = await signIn(OPERATOR, '/adjustments');
      await click(page, 'button', 'Propose adjustment');
      await type(page, 'Merchant', made().merchant.id);
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

    it('reports the sums of the API, grouped, and asks for what is typed when it is applied', async () => {
      await charge();
      const page = await signIn(OPERATOR, '/reports?groupBy=status');
      const length = await page.evaluate('history.length');
      await type(page, 'Merchant', made().merchant.id);
      expect(await page.evaluate('history.length')).toBe(length);
      await page.keyboard.press('Enter');
      await page.waitForFunction('location.search.includes("merchantId=mer_")');
      await untilUpToDate(page);
      const figuresOf = (selector: string): Promise<number[][]> =>
        page.$$eval(selector, (rows) =>
          rows.map((row) =>
            [...row.querySelectorAll('td.number')].map((cell) =>
              Number(cell.textContent?.replaceAll(/[^\d.-]/g, '')),
            ),
          ),
        );
      const days = await page.$$eval('input[type=date]', (inputs) => inputs.map(({ value }) => value));
      const query = `from=${days[0]}&to=${days[1]}&interval=day&groupBy=status&merchantId=${made().merchant.id}`;
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const path = `/v1/admin/reports/volume?${query}&timeZone=${encodeURIComponent(timeZone)}`;
      const { body } = await made().admin.getAfter('latest', path);
      type Figures = Record<'count' | 'amount' | 'paidCount' | 'paidAmount', number>;
      const told = ({ count, amount, paidCount, paidAmount }: Figures) => [
        count,
        amount,
        paidCount,
        paidAmount,
      ];
      expect(body.data.length).toBeGreaterThan(1);
      expect(await figuresOf('[aria-label=Figures] tbody tr:not(.total)')).toEqual(body.data.map(told));
      expect(await figuresOf('[aria-label=Figures] tr.total')).toEqual(body.totals.map(told));
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
};
