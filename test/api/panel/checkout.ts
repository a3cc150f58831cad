import { pollUntil } from '../../support/client.ts';
import { click, find, shows, submit, type, untilClosed, untilUpToDate } from '../../support/panel-page.ts';
import { PAYER, TYPED_CARD } from '../../support/payers.ts';
import type { Panel } from './setting.ts';

const AUTHENTICATES = '4000 0025 0000 3155';

/** A merchant's work with payment links and checkout sessions. */
export const describeCheckout = ({ company, leave, signIn, browser }: Panel): void => {
  /** Types a card on a phone, proves to be its holder, and waits for the receipt. */
  const payOnPhone = async (address: string): Promise<void> => {
    const phone = await browser().open({ width: 360 });
    await phone.goto(address);
    const says = (text: string) =>
      pollUntil(
        () => phone.$eval('main', ({ innerText }) => innerText).catch(() => ''),
        (said) => said.includes(text),
      );
    if (new URL(address).pathname.startsWith('/link/')) {
      await phone.click('form.stack button');
      await says('How would you like to pay?');
    }
    await phone.click('label[for=m-credit_card]');
    for (const [name, value] of Object.entries({ ...PAYER, ...TYPED_CARD, number: AUTHENTICATES }))
      await phone.type(`#credit_card-${name}`, value);
    await phone.click('#m-credit_card ~ .method-body button');
    await says('Your bank wants to confirm that it is you');
    await phone.click('form[action$="/simulate"] button');
    await says('Payment approved');
    await phone.close();
  };

  it.concurrent('a merchant shares a payment link, which is paid on a phone, and pauses it', async () => {
    const { who, key } = await company('lia@example.test');
    const page = await signIn(who);
    await click(page, 'link', 'Share a payment link');
    await shows(page, 'A payment link is an address to send to payers');
    await click(page, 'button', 'Create payment link');
    await type(page, 'Description', 'Ticket for Saturday');
    await type(page, 'Amount', '49.9');
    await submit(page);
    await page.waitForSelector('dialog[open] svg.qr');
    const address = await page.$eval('dialog[open] code', ({ innerText }) => innerText);
    await click(page, 'button', 'Done');
    await untilClosed(page);
    await payOnPhone(address);
    await untilUpToDate(page);
    await page.reload();
    await shows(page, 'Ticket for Saturday');
    const { data } = (await key.getAfter('latest', '/v1/payment-links')).body;
    expect(data[0]).toMatchObject({ payments: 1, maxPayments: null, amount: 49.9 });
    await click(page, 'button', 'Pause');
    await submit(page);
    await untilClosed(page);
    await find(page, 'button', 'Resume');
    await click(page, 'link', 'Payments');
    await shows(page, 'completed');
    await click(page, 'link', 'Charges');
    await shows(page, 'Ana Souza');
    await leave(page);
  });

  it.concurrent('a merchant sells a plan with a payment link', async () => {
    const { who, key } = await company('eva@example.test');
    const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month' };
    const { id: planId } = (await key.post('/v1/plans', plan).expect(201)).body;
    await key.getAfter('latest', '/v1/plans');
    const page = await signIn(who, '/payment-links');
    await click(page, 'button', 'Create payment link');
    await page.select('dialog select[name=mode]', 'subscription');
    await page.waitForSelector(`dialog option[value=${planId}]`);
    await page.select('dialog select[name=planId]', planId);
    await type(page, 'Description', 'Coffee for a month');
    await submit(page);
    const address = await page
      .waitForSelector('dialog[open] code')
      .then((code) => code?.evaluate((one) => one.textContent));
    expect(await (await fetch(address ?? '')).text()).toContain('Coffee');
    await click(page, 'button', 'Done');
    await untilClosed(page);
    await shows(page, 'Coffee for a month');
    const { data } = (await key.getAfter('latest', '/v1/payment-links')).body;
    expect(data[0]).toMatchObject({ planId, amount: 79, currency: 'BRL', maxPayments: null });
    await leave(page);
  });

  it.concurrent('a merchant names the website to which pages lead on which nobody can pay any more', async () => {
    const { who, key } = await company('ivo@example.test');
    const page = await signIn(who, '/checkout-settings');
    await click(page, 'button', 'Change');
    await type(page, 'Website', 'https://shop.example.com');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'https://shop.example.com');
    const { body } = await key.get('/v1/checkout-settings').expect(200);
    expect(body).toMatchObject({ website: 'https://shop.example.com', name: null });
    await leave(page);
  });

  it.concurrent('a merchant opens a checkout session, and cancels it', async () => {
    const { who } = await company('rui@example.test');
    const page = await signIn(who, '/checkout');
    await click(page, 'button', 'Open session');
    await type(page, 'Description', 'Order 1001');
    await type(page, 'Amount', '129.9');
    await submit(page);
    const address = await page
      .waitForSelector('dialog[open] code')
      .then((code) => code?.evaluate((one) => one.textContent));
    await click(page, 'button', 'Done');
    await untilClosed(page);
    await shows(page, 'Order 1001');
    await click(page, 'button', 'Cancel');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'cancelled by merchant');
    expect(await (await fetch(address ?? '')).text()).toContain('The shop has cancelled this payment');
    await leave(page);
  });
};
