import { dateOf, localTime } from '../../../src/kernel/local-time.ts';
import { aSpreadFee } from '../../builders.ts';
import { accessibilityFaults, picture } from '../../support/browser.ts';
import {
  click,
  fill,
  shows,
  showsEvent,
  submit,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { PAULA, type Panel } from './setting.ts';

/** A zone in which it is another day than in UTC, at any hour. */
const zoneOfOtherDay = (): string =>
  new Date().getUTCHours() >= 11 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';

/** Figures that a person reads: days, amounts, and what is left of them. */
export const describeFigures = ({ gateway, made, company, leave, signIn }: Panel): void => {
  it.concurrent('days are those of the zone that the screen names: in lists, sums, files, and when a key ends', async () => {
    const timeZone = zoneOfOtherDay();
    const shop = await company('kiri@example.test', { timeZone });
    const { body } = await shop.key.get(`/v1/charges/${await shop.charge()}`).expect(200);
    const day = dateOf(localTime(Date.parse(body.createdAt), timeZone));
    const other = dateOf(Date.parse(body.createdAt));
    expect(day).not.toBe(other);
    const on = (date: string): string => `createdAt[gte]=${date}&createdAt[lte]=${date}`;
    const page = await signIn(shop.who, `/charges?${on(day)}`);
    await shows(page, `Days of ${timeZone}`);
    await shows(page, '1 in all');
    await page.evaluate('URL.createObjectURL = (file) => { window.saved = file.text(); return ""; }');
    await click(page, 'button', 'Export CSV');
    await until(page, 'window.saved');
    const [heads = [], row = []] = parseCsv(String(await page.evaluate('window.saved')));
    expect(row[heads.indexOf('createdAt')]).toContain(day);
    await page.evaluate(`history.pushState(null, '', '/panel/charges?${on(other)}')`);
    await shows(page, 'Nothing matches these filters.');
    await page.evaluate(`history.pushState(null, '', '/panel/statement?${on(day)}')`);
    await shows(page, 'Closing balance');
    await untilUpToDate(page);
    const sums = await page.$$eval('table.sums tr.total', (rows) => rows.map((row) => row.textContent));
    expect(sums[0]).toContain('R$0.00R$0.00R$0.00');
    expect(sums.at(-1)).toContain('R$100.00');
    await leave(page);
    const keys = await signIn(PAULA, '/keys');
    await click(keys, 'button', 'Create key');
    await shows(keys, 'It works until the end of that day in America/Sao_Paulo.');
    const form = 'document.querySelector("dialog [name=expiresAt]")';
    await keys.evaluate(`(() => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
      set.call(${form}, '2031-01-15');
      ${form}.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await fill(keys, 'description', 'ends with its day');
    await submit(keys);
    await shows(keys, 'New key');
    const list = await made()
      .admin.get(`/v1/admin/merchants/${made().merchant.id}/api-keys?size=100`)
      .expect(200);
    const issued = list.body.data.find(
      ({ description }: { description: string }) => description === 'ends with its day',
    );
    expect(issued.expiresAt).toBe('2031-01-16T02:59:59.999Z');
    await leave(keys);
  });

  it.concurrent.each([
    ['en-US', 'Create charge', 'Amount in BRL', '1.000 can mean R$1.00 or R$1,000.00.', 'Reads as R$12.50'],
    [
      'pt-BR',
      'Criar cobrança',
      'Valor em BRL',
      '1.000 pode ser R$\u00a01,00 ou R$\u00a01.000,00.',
      'Lido como R$\u00a012,50',
    ],
  ] as const)(
    'an amount is read in either notation and repeated, and one with two meanings is refused with both, in %s',
    async (language, title, field, twofold, repeated) => {
      const page = await signIn(PAULA, '/charges', { language });
      await click(page, 'button', title);
      await type(page, field, '1.000');
      await shows(page, twofold);
      await fill(page, 'customer.name', 'Rui Alves');
      await fill(page, 'customer.email', 'rui@example.test');
      await submit(page);
      expect(await page.$eval('dialog [name=amount]', (input) => input.checkValidity())).toBe(false);
      await fill(page, 'amount', '12,50');
      await shows(page, repeated);
      await submit(page);
      await untilClosed(page);
      await page.waitForFunction('/chg_/.test(location.pathname)');
      const id = page.url().split('/').at(-1);
      const { body } = await made().key.get(`/v1/charges/${id}`).expect(200);
      expect(body.amount).toBe(12.5);
      await leave(page);
    },
  );

  it.concurrent('a charge shows what its merchant keeps: less the parts of others, and the fee alone after a refund', async () => {
    const { admin } = made();
    const shop = await company('keeps@example.test');
    await gateway().setFees(shop.id, [aSpreadFee()]);
    const partner = { legalName: 'Parceira', email: 'parceira@example.test', companyTaxId: '11222333000181' };
    const { id: sub } = (await shop.key.post('/v1/submerchants', partner).expect(201)).body;
    await admin.post(`/v1/admin/submerchants/${sub}/status`, { status: 'active' }).expect(200);
    const id = await shop.charge({ split: [{ merchantId: sub, percentage: 25 }] });
    const page = await signIn(shop.who, `/charges/${id}`);
    const rows = (): Promise<string[]> =>
      page.$$eval('.sum > div', (all) => all.map((row) => row.innerText.replaceAll(/\s+/g, ' ')));
    await shows(page, 'You keep');
    await until(page, `document.querySelectorAll('.sum button').length === 3`);
    expect(await rows()).toEqual([
      'Amount R$100.00 Explain',
      'Fee -R$3.00 Explain',
      'Given to participants -R$24.25 Explain',
      'You keep R$72.75',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'wrong size');
    await click(page, 'button', 'Refund charge');
    await showsEvent(page, 'charge.refunded');
    await until(page, `document.querySelectorAll('.sum button').length === 3`);
    expect(await rows()).toEqual([
      'Amount R$100.00 Explain',
      'Fee -R$3.00 Explain',
      'Refunded -R$100.00 Explain',
      'You keep -R$3.00',
    ]);
    await until(page, `document.querySelectorAll('.refunds tbody tr').length === 1`);
    const refund = await page.$eval('.refunds tbody tr', (row) => row.innerText);
    expect(refund).toContain('wrong size');
    expect(refund).toContain('You');
    expect(refund).toContain('usr_');
    await picture(page, 'panel-charge-kept');
    await leave(page);
  });

  it.concurrent('what a merchant keeps counts the fee of an alert beyond the first page of the timeline', async () => {
    const { admin } = made();
    const shop = await company('longa@example.test');
    await gateway().setFees(shop.id, [aSpreadFee()]);
    const fee = { name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'BRL' } };
    await admin.post(`/v1/merchants/${shop.id}/settings`, fee).expect(201);
    const id = await shop.charge();
    const notes = Array.from({ length: 100 }, (_, index) => ({ resourceId: id, text: `note ${index}` }));
    for (const note of notes) await shop.key.post('/v1/notes', note).expect(201);
    await admin.post('/v1/admin/chargeback-alerts', { chargeId: id }).expect(201);
    const { body } = await shop.key.get(`/v1/charges/${id}/timeline`).expect(200);
    expect(body.pages).toBe(2);
    const page = await signIn(shop.who, `/charges/${id}`);
    await shows(page, 'Fee of the alert');
    const rows = await page.$$eval('.sum > div', (all) =>
      all.map((row) => row.innerText.replaceAll(/\s+/g, ' ')),
    );
    expect(rows).toEqual([
      'Amount R$100.00 Explain',
      'Fee -R$3.00 Explain',
      'Charged back -R$100.00 Explain',
      'Fee of the alert -R$15.50 Explain',
      'You keep -R$18.50',
    ]);
    await leave(page);
  });
};
