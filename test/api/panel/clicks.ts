import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { aCardRequest, aSpreadFee } from '../../builders.ts';
import { pollUntil } from '../../support/client.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
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
import { startReceiver } from '../../support/receiver.ts';
import { PASSWORD, type Panel, PICTURE } from './setting.ts';

/** The most clicks that each task of a day may take from the home screen on. */
const MOST = {
  sell: 6,
  onboard: 10,
  alert: 3,
  refund: 4,
  'find the cause of a request': 1,
  'ask for a payout': 3,
  'decide on a payout': 3,
  'report a transfer': 3,
  'resolve a manual refund': 3,
  'verify the statement': 2,
  'make a key': 3,
  'send a webhook again': 3,
} as const;
type Task = keyof typeof MOST;

/** Somebody at a window, whose clicks are counted. Tab leads from field to field, so that typing is no click. */
const handOf = (page: Page) => {
  let clicks = 0;
  const inRow = (row: string, name: string): string =>
    `[...([...document.querySelectorAll('main tbody tr')].find(({ innerText }) => innerText.includes('${row}'))
      ?.querySelectorAll('button, a') ?? [])].find(({ innerText }) => innerText.includes('${name}'))`;
  return {
    page,
    clicks: () => clicks,
    async press(role: string, name: string) {
      clicks += 1;
      await click(page, role, name);
    },
    /** Presses a button or link of the row that has a text. */
    async pressIn(row: string, name = '') {
      clicks += 1;
      await until(page, inRow(row, name));
      await page.evaluate(`${inRow(row, name)}.click()`);
    },
    /** Presses what waits on the home screen. */
    async pressTile(name: string) {
      clicks += 1;
      const tile = `[...document.querySelectorAll('.tiles a')].find(({ innerText }) => innerText.includes('${name}'))`;
      await until(page, tile);
      await page.evaluate(`${tile}.click()`);
      await untilUpToDate(page);
    },
    async send() {
      clicks += 1;
      await submit(page);
    },
    async choose(file: string) {
      clicks += 1;
      const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('dialog input[type=file]')]);
      await chooser.accept([file]);
    },
    async goHome() {
      clicks = 0;
      await page.evaluate(`history.pushState(null, '', '/panel')`);
      await find(page, 'heading', 'Waiting for you');
      await untilUpToDate(page);
    },
  };
};
type Hand = ReturnType<typeof handOf>;

/** The tasks of a day, each as short as people expect it. */
export const describeClicks = ({ gateway, made, company, leave, signIn }: Panel): void => {
  const prepare = async () => {
    const { admin } = made();
    const shop = await company('cliques@example.test');
    const settings = `/v1/merchants/${shop.id}/settings`;
    for (const [name, content] of [
      ['settlement_delay_days', { credit_card: 0 }],
      ['chargeback_alert_fee', { amount: 5, currency: 'BRL' }],
    ] as const)
      await admin.post(settings, { name, content }).expect(201);
    const payout = { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } };
    await gateway().setFees(shop.id, [aSpreadFee(), payout]);
    const receiver = await startReceiver();
    await shop.key
      .post('/v1/webhook-endpoints', { url: `${receiver.url}/clicks`, events: ['charge.paid'] })
      .expect(201);
    const told = await shop.key.post('/v1/charges', aCardRequest({ reference: 'wrong-size' })).expect(201);
    const card = { number: '4000000000006975' };
    const disputed = aCardRequest({ reference: 'announced', amount: 61 }, card);
    await shop.key.post('/v1/charges', disputed).expect(201);
    // It covers what is paid out once the other two have gone back.
    await shop.charge({ amount: 80 });
    await shop.key.post('/v1/test-helpers/settlements/run', {}).expect(200);
    const { body } = await admin.getAfter('latest', '/v1/search?q=announced');
    expect(body.data).toHaveLength(1);
    // Keys are for people of this group alone.
    const who = { email: 'dona@cliques.test', password: PASSWORD };
    const dona = { ...who, merchantId: shop.id, groups: ['people of merchants'] };
    await admin.post('/v1/admin/users', dona).expect(201);
    return { who, receiver, requestId: String(told.headers['x-request-id']) };
  };

  it.concurrent('the twelve tasks of a day take few clicks each', async () => {
    const { who, receiver, requestId } = await prepare();
    const name = 'Empresa de cliques@example.test';
    const folder = mkdtempSync(join(tmpdir(), 'portico-clicks-'));
    const file = join(folder, 'ana.png');
    writeFileSync(file, Buffer.from(PICTURE, 'base64'));
    const merchant = handOf(await signIn(who));
    const operator = handOf(await signIn(OPERATOR));
    const taken: Partial<Record<Task, number>> = {};
    const task = async (title: Task, hands: readonly Hand[], work: () => Promise<void>): Promise<void> => {
      for (const hand of hands) await hand.goHome();
      await work();
      taken[title] = hands.reduce((sum, hand) => sum + hand.clicks(), 0);
    };

    await task('sell', [merchant], async () => {
      const { page, press, send } = merchant;
      await press('link', 'Charges');
      await press('button', 'Create charge');
      await type(page, 'Amount in BRL', '30');
      await type(page, 'Customer', 'Rui Alves');
      await type(page, 'E-mail', 'rui@example.test');
      await send();
      await press('button', 'Pay as a test');
      await send();
      await showsEvent(page, 'charge.paid');
    });
    await task('onboard', [merchant, operator], async () => {
      const { page, press, send } = merchant;
      await press('link', 'Sub-merchants');
      await press('button', 'Add sub-merchant');
      await type(page, 'Name', 'Banca da Ana');
      await type(page, 'E-mail', 'ana@example.test');
      await send();
      await find(page, 'heading', 'Upload document');
      await merchant.choose(file);
      await send();
      await shows(page, 'ana.png');
      await operator.goHome();
      await operator.pressTile('Sub-merchants to review');
      await operator.pressIn('Banca da Ana', 'Banca da Ana');
      await operator.press('button', 'Show');
      await operator.page.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
      await operator.press('button', 'Approve');
      await operator.send();
      await find(operator.page, 'button', 'Block');
    });
    await task('alert', [operator], async () => {
      const { page, press, send } = operator;
      await press('link', 'Chargeback alerts');
      await press('button', 'Register alert');
      await type(page, 'Charge', 'announced');
      await until(page, 'document.querySelector("dialog [role=option]")');
      await page.keyboard.press('Enter');
      await shows(page, 'The merchant pays a fee of R$5.00');
      await send();
      await untilClosed(page);
    });
    await task('resolve a manual refund', [operator], async () => {
      await operator.pressTile('Manual refunds');
      await operator.pressIn(name, 'Resolve');
      await type(operator.page, 'Notes', 'by Pix');
      await operator.send();
      await untilClosed(operator.page);
    });
    await task('refund', [merchant], async () => {
      const { page, press, pressIn } = merchant;
      await press('link', 'Charges');
      await pressIn('wrong-size');
      await press('button', 'Refund');
      await type(page, 'Reason', 'wrong size');
      await press('button', 'Refund charge');
      await showsEvent(page, 'charge.refunded');
    });
    await task('find the cause of a request', [merchant], async () => {
      const { page } = merchant;
      await page.keyboard.press('/');
      await page.keyboard.type(requestId);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.matches a');
      await merchant.press('link', await page.$eval('.matches a', (link) => link.innerText));
      await shows(page, `request ${requestId}`);
    });
    await task('ask for a payout', [merchant], async () => {
      await merchant.press('link', 'Payouts');
      await merchant.press('button', 'Request payout');
      await type(merchant.page, 'Amount in BRL', '12');
      await merchant.send();
      await shows(merchant.page, 'R$12.00');
    });
    await task('decide on a payout', [operator], async () => {
      await operator.pressTile('Payouts to decide on');
      await operator.pressIn(name, 'Approve');
      await shows(operator.page, 'R$12.00 leave the available balance');
      await operator.send();
      await untilClosed(operator.page);
    });
    await task('report a transfer', [operator], async () => {
      await operator.press('link', 'Payouts');
      await operator.pressIn(name, 'Report transfer');
      await type(operator.page, 'Reference', 'run 7');
      await operator.send();
      await shows(operator.page, 'run 7');
    });
    await task('verify the statement', [merchant], async () => {
      await merchant.press('link', 'Statement');
      await merchant.press('button', 'Verify');
      await shows(merchant.page, 'entries are as they were booked.');
    });
    await task('make a key', [merchant], async () => {
      await merchant.press('link', 'API keys');
      await merchant.press('button', 'Create key');
      await merchant.send();
      await shows(merchant.page, 'New key');
      await merchant.page.keyboard.press('Escape');
    });
    await task('send a webhook again', [merchant], async () => {
      const sent = receiver.received.length;
      await merchant.press('link', 'Webhooks');
      await merchant.press('button', 'Resend');
      await merchant.send();
      await untilClosed(merchant.page);
      await pollUntil(
        async () => receiver.received.length,
        (count) => count > sent,
        PATIENCE_MS,
      );
    });

    expect(Object.keys(taken).toSorted()).toEqual(Object.keys(MOST).toSorted());
    const tooMany = Object.entries(MOST).filter(([title, most]) => (taken[title as Task] ?? 99) > most);
    expect([tooMany, taken]).toEqual([[], taken]);
    for (const { page } of [merchant, operator]) await leave(page);
    rmSync(folder, { recursive: true });
    await receiver.close();
  });
};
