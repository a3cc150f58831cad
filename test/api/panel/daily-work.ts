import { systemContext } from '../../../src/kernel/event.ts';
import { type MerchantId, newId } from '../../../src/kernel/ids.ts';
import { holdMoney } from '../../../src/modules/suspense/write/hold-money.ts';
import * as platform from '../../../src/platform/platform.module.ts';
import { aSpreadFee } from '../../builders.ts';
import { accessibilityFaults, picture, useColors } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  find,
  shows,
  submit,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { OLGA, type Panel } from './setting.ts';

/** Names in place of ids, and screens of money and of messages beside the charges. */
export const describeDailyWork = ({ gateway, made, company, leave, signIn }: Panel): void => {
  it.concurrent('a merchant is found by words of its name, shown by its name, and its list is reached without an id', async () => {
    const shop = await company('quitanda@example.test', { legalName: 'Quitanda do Largo Ltda' });
    await shop.charge({ reference: 'of-the-grocer' });
    const page = await signIn(OPERATOR, '/adjustments');
    await click(page, 'button', 'Propose adjustment');
    await type(page, 'Merchant', 'largo quit');
    await until(
      page,
      'document.querySelector("dialog [role=option]")?.textContent.includes("Quitanda do Largo")',
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await shows(page, shop.id);
    expect(await page.$eval('dialog [name=merchantId]', ({ value }) => value)).toBe('Quitanda do Largo Ltda');
    await fill(page, 'amount', '1.234,56');
    await shows(page, 'Reads as R$1,234.56');
    await fill(page, 'reason', 'the grocer is owed this');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Quitanda do Largo Ltda');
    await page.evaluate(`history.pushState(null, '', '/panel/charges')`);
    await find(page, 'textbox', 'Merchant');
    await untilUpToDate(page);
    await type(page, 'Merchant', 'quitanda');
    await until(page, 'document.querySelector("[role=option]")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await shows(page, '1 in all');
    await shows(page, 'of-the-grocer');
    expect(page.url()).toContain(`merchantId=${shop.id}`);
    const cell = await page.$eval('tbody tr', (row) => row.innerText);
    expect(cell).toContain('Quitanda do Largo Ltda');
    await picture(page, 'panel-charges-by-merchant');
    await page.evaluate(`history.pushState(null, '', '/panel/merchants?legalName=largo')`);
    await shows(page, '1 in all');
    await leave(page);
  });

  it.concurrent('the money that arrives stands in a calendar, and is taken earlier for the fee that was quoted', async () => {
    const shop = await company('agenda@example.test', { timeZone: 'Pacific/Kiritimati' });
    const fee = {
      fee_type: 'anticipation',
      payment_method: 'credit_card',
      brand: null,
      currency_code: 'BRL',
    };
    await gateway().setFees(shop.id, [
      aSpreadFee(),
      { ...fee, definition: { fixed: 0, percentages: [2, 4, 6] } },
    ]);
    await shop.charge();
    const { body } = await shop.key.get('/v1/settlements/upcoming?timeZone=Pacific/Kiritimati').expect(200);
    const [due] = body.data;
    const page = await signIn(shop.who, '/settlements');
    await shows(page, 'Days of Pacific/Kiritimati');
    const cell = `document.querySelector('td.paying:not(.outside):has(time[datetime="${due.day}"])')`;
    await until(page, cell);
    expect(await page.evaluate(`${cell}.innerText`)).toContain('R$97.00');
    for (const colors of ['dark', 'light'] as const) {
      await useColors(page, colors);
      await picture(page, `panel-calendar-${colors}`);
    }
    await page.setViewport({ width: 320, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await picture(page, 'panel-calendar-narrow');
    await page.setViewport({ width: 1280, height: 900 });
    await click(page, 'button', 'Next month');
    await shows(page, 'Nothing becomes available in this month.');
    await click(page, 'link', 'Anticipations');
    await click(page, 'button', 'Anticipate');
    await type(page, 'Amount at most', '97,00');
    await shows(page, 'Available at once');
    const query = 'amount=97&currency=BRL';
    const quote = (await shop.key.get(`/v1/anticipations/quote?${query}`).expect(200)).body;
    const shown = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'BRL' }).format(
      quote.netAmount,
    );
    await shows(page, shown);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'panel-anticipate');
    await submit(page);
    await untilClosed(page);
    await shows(page, '1 in all');
    await shows(page, shown);
    const balance = (await shop.key.get('/v1/balance').expect(200)).body.data[0];
    expect(balance.available).toBe(quote.netAmount);
    await leave(page);
  });

  it.concurrent('refunds have a list of their own, and events show what was sent', async () => {
    const shop = await company('eventos@example.test');
    const id = await shop.charge({ amount: 44 });
    await shop.key.post('/v1/refunds', { chargeId: id, reason: 'too small' }).expect(201);
    const page = await signIn(shop.who, '/refunds');
    await shows(page, 'too small');
    await shows(page, 'R$44.00');
    await page.evaluate(`history.pushState(null, '', '/panel/events?event=charge.refunded')`);
    await shows(page, '1 in all');
    await click(page, 'button', 'Show');
    await shows(page, '"event": "charge.refunded"');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'panel-event');
    await click(page, 'link', id);
    await find(page, 'heading', 'Refunds');
    await leave(page);
  });

  it.concurrent('money that belongs to nobody is placed by two operators, and waits beside the menu until then', async () => {
    const shop = await company('achados@example.test', { legalName: 'Achados Ltda' });
    const charge = await shop.charge();
    await gateway()
      .container.get(platform.services)
      .transact(systemContext('test'), (tx) =>
        holdMoney(
          tx,
          {
            livemode: false,
            provider: 'simulator',
            reason: 'second_payment',
            reference: charge,
            pspRefId: 'psp_second',
            direction: 'in',
            amount: 77_00,
            currency: 'BRL',
            chargeId: charge,
            accountOwnerId: null,
            merchantId: shop.id as MerchantId,
          },
          new Date(),
          newId,
        ),
      );
    const page = await signIn(OPERATOR, '/suspense');
    await shows(page, 'R$77.00');
    await shows(page, 'Achados Ltda');
    await picture(page, 'panel-suspense');
    await click(page, 'button', 'Propose clearing');
    await page.select('dialog [name=method]', 'merchant');
    await shows(page, 'R$77.00 come to the available balance of the merchant at once.');
    await fill(page, 'reason', 'the payer paid twice on purpose');
    await picture(page, 'panel-clearing');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'A clearing is proposed');
    await until(page, `document.querySelector('#screens li:has(> a[href$="/suspense"]) .count')`);
    const second = await signIn(OLGA, '/suspense?clearingStatus=pending');
    await click(second, 'button', 'Approve');
    await shows(second, 'the payer paid twice on purpose');
    await submit(second);
    await untilClosed(second);
    const { body } = await made().admin.getAfter('latest', '/v1/admin/suspense-items');
    expect(body.data[0].clearing.status).toBe('approved');
    await leave(second);
    await page.evaluate(`history.pushState(null, '', '/panel/providers')`);
    await shows(page, 'Answers of the last five minutes');
    await untilUpToDate(page);
    await picture(page, 'panel-providers');
    await leave(page);
  });

  it.concurrent('the palette finds records, opens screens and begins actions, all by the keyboard', async () => {
    const shop = await company('paleta@example.test');
    await shop.charge({ reference: 'found-by-palette' });
    const page = await signIn(shop.who, '');
    const open = async (words: string): Promise<void> => {
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await find(page, 'textbox', 'Search or go to');
      await page.keyboard.type(words);
    };
    await open('calen');
    await until(
      page,
      `document.querySelector('[aria-selected=true]')?.textContent.includes('Settlement calendar')`,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await find(page, 'heading', 'Settlement calendar');
    await open('found-by-palette');
    await until(page, `document.querySelector('[aria-selected=true]')?.textContent.includes('R$100.00')`);
    for (const colors of ['dark', 'light'] as const) {
      await useColors(page, colors);
      await picture(page, `panel-palette-${colors}`);
    }
    await page.keyboard.press('Enter');
    await find(page, 'heading', 'Timeline');
    await open('');
    await shows(page, 'Recent');
    await page.setViewport({ width: 320, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await picture(page, 'panel-palette-narrow');
    await page.setViewport({ width: 1280, height: 900 });
    await page.keyboard.type('create ch');
    await page.keyboard.press('Enter');
    await find(page, 'textbox', 'Amount in BRL');
    await click(page, 'button', 'Cancel');
    await untilClosed(page);
    expect(page.url()).not.toContain('add=');
    await leave(page);
  });
};
