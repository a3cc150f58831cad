import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCardRequest } from '../../builders.ts';
import { pollUntil, withKey } from '../../support/client.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  find,
  PATIENCE_MS,
  shows,
  showsEvent,
  submit,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { startReceiver } from '../../support/receiver.ts';
import { MARTA, type Panel, PICTURE } from './setting.ts';

/** The guides, played in the browser. */
export const describeMarketplaceDay = ({ gateway, made, leave, signIn }: Panel): void => {
  it.concurrent('people play a day of a marketplace without a terminal, from the first sale to the report', async () => {
    const receiver = await startReceiver();
    const master = await gateway().createMaster({
      legalName: 'Feira do Teste SA',
      companyTaxId: '11222333000181',
    });
    const settings = `/v1/merchants/${master.id}/settings`;
    await made()
      .admin.post(settings, { name: 'settlement_delay_days', content: { pix: 0 } })
      .expect(201);
    const alertFee = { name: 'chargeback_alert_fee', content: { amount: 5, currency: 'BRL' } };
    await made().admin.post(settings, alertFee).expect(201);
    const payout = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
    await made().admin.call('put', `/v1/admin/merchants/${master.id}/fee-definitions`, [payout]).expect(200);
    const user = { ...MARTA, name: 'Marta', merchantId: master.id, groups: [] };
    await made().admin.post('/v1/admin/users', user).expect(201);
    // A payer's card comes by the API.
    const shop = withKey(gateway, master.testKey);
    const request = aCardRequest({ amount: 61 }, { number: '4000000000006975' });
    const { id: disputed } = (await shop.post('/v1/charges', request).expect(201)).body;

    const page = await signIn(MARTA, '/webhooks/endpoints');
    await click(page, 'button', 'Add endpoint');
    await type(page, 'Address', `${receiver.url}/hooks`);
    await submit(page);
    await shows(page, `${receiver.url}/hooks`);
    await click(page, 'button', 'Send test event');
    await submit(page);
    await shows(page, 'The endpoint answered after');
    await click(page, 'button', 'Close');
    await untilClosed(page);

    const sell = async (amount: string, participant = ''): Promise<void> => {
      await click(page, 'link', 'Charges');
      await click(page, 'button', 'Create charge');
      await type(page, 'Amount in BRL', amount);
      await type(page, 'Customer', 'Rui Alves');
      await type(page, 'E-mail', 'rui@example.test');
      if (participant) {
        await type(page, 'Sub-merchant', participant);
        await type(page, 'Per cent', '25', 'spinbutton');
      }
      await submit(page);
      await click(page, 'button', 'Pay as a test');
      await submit(page);
      await showsEvent(page, 'charge.paid');
    };
    await sell('30');
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'wrong size');
    await click(page, 'button', 'Refund charge');
    await showsEvent(page, 'charge.refunded');
    await click(page, 'link', 'Statement');
    await shows(page, '-R$30.00');

    await click(page, 'link', 'Sub-merchants');
    await click(page, 'button', 'Add sub-merchant');
    await type(page, 'Name', 'Banca do Beto');
    await type(page, 'E-mail', 'beto@example.test');
    await submit(page);
    await find(page, 'heading', 'Upload document');
    const folder = mkdtempSync(join(tmpdir(), 'portico-upload-'));
    writeFileSync(join(folder, 'beto.png'), Buffer.from(PICTURE, 'base64'));
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('dialog input[type=file]')]);
    await chooser.accept([join(folder, 'beto.png')]);
    await click(page, 'button', 'Upload');
    await untilClosed(page);
    await shows(page, 'beto.png');
    rmSync(folder, { recursive: true });
    await find(page, 'heading', 'Banca do Beto');
    const stall = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await click(page, 'button', 'Edit');
    await type(page, 'Street and number', 'Rua das Flores, 7');
    await type(page, 'Country', 'BR');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Rua das Flores, 7, BR');
    await click(page, 'button', 'Edit');
    await fill(page, 'address.line1', 'Rua das Flores');
    await type(page, 'Further line', '7');
    await submit(page);
    await untilClosed(page);
    const { body: moved } = await made().admin.get(`/v1/admin/submerchants/${stall}`).expect(200);
    expect(moved.address).toMatchObject({ line1: 'Rua das Flores', line2: '7', country: 'BR' });

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
    await untilClosed(other);

    await sell('50');
    await find(page, 'heading', 'Split');
    await click(page, 'button', 'Refund');
    await shows(page, '-R$20.00');
    await until(page, 'document.querySelectorAll("dialog tbody .money").length === 4');
    // The master sold for 61 and 30 of 50; the sub-merchant has its 20.
    expect(
      await page.$$eval('dialog tbody td:last-child', (cells) => cells.map(({ innerText }) => innerText)),
    ).toEqual(['R$61.00', 'R$0.00']);
    await page.keyboard.press('Escape');

    await sell('40', stall);
    await shows(page, 'R$10.00');

    // Workers settle once a minute.
    await shop.post('/v1/test-helpers/settlements/run', {}).expect(200);
    await click(page, 'link', 'Payouts');
    await click(page, 'button', 'Request payout');
    await type(page, 'Amount in BRL', '25');
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
    await click(page, 'button', 'Request payout');
    await type(page, 'Amount in BRL', '5');
    await submit(page);
    await shows(page, 'R$5.00');
    await other.reload();
    await click(other, 'button', 'Approve');
    await submit(other);
    await click(other, 'button', 'Report transfer');
    await other.select('dialog select[name=status]', 'failed');
    await shows(other, 'R$5.00 come back to the available balance');
    await type(other, 'Reason', 'account closed');
    await submit(other);
    await untilClosed(other);
    // The bank takes its run as a file.
    await other.evaluate('URL.createObjectURL = (file) => { window.saved = file.text(); return ""; }');
    await click(other, 'button', 'Export CSV');
    await until(other, 'window.saved');
    const [heads = [], ...run] = parseCsv(String(await other.evaluate('window.saved')));
    expect(run.map((row) => row[heads.indexOf('transferStatus')])).toEqual(['failed', 'sent']);

    await click(other, 'link', 'Chargeback alerts');
    await click(other, 'button', 'Register alert');
    await type(other, 'Charge', disputed);
    await shows(other, 'The merchant pays a fee of R$5.00');
    await submit(other);
    await untilClosed(other);
    await other.goto(`${gateway().url}/panel/manual-refunds?merchantId=${master.id}`);
    await shows(other, 'R$61.00');
    await click(other, 'button', 'Resolve');
    await type(other, 'Notes', 'by Pix');
    await submit(other);
    await untilClosed(other);

    await click(page, 'link', 'Webhooks');
    await untilUpToDate(page);
    await click(page, 'button', 'Details');
    await page.waitForSelector('dialog pre.bytes');
    const bytes = await page.$eval('dialog pre.bytes', ({ textContent }) => textContent ?? '');
    const bodies = await pollUntil(
      async () => receiver.received.map(({ body }) => body),
      (received) => received.includes(bytes),
      PATIENCE_MS,
    );
    expect(bodies).toContain(bytes);
    await page.keyboard.press('Escape');
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
    // Sold for 61, 30, 50 and 40.
    await shows(other, 'R$181.00');
    for (const window of [page, other]) {
      expect(await window.evaluate('window.noted')).toEqual([]);
      await leave(window);
    }
    await receiver.close();
  });
};
