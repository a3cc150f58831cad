import { picture } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  find,
  PATIENCE_MS,
  shows,
  submit,
  textOf,
  type,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { OLGA, PASSWORD, PAULA, type Panel } from './setting.ts';

/** Questions, reasons, names and results, which keep people from mistakes. */
export const describeCarefulWork = ({ gateway, made, company, leave, signIn }: Panel): void => {
  it.concurrent('people are asked before typed text is lost', async () => {
    const page = await signIn(PAULA, '/keys');
    await click(page, 'button', 'Create key');
    await page.keyboard.press('Escape');
    await untilClosed(page);
    await click(page, 'button', 'Create key');
    await type(page, 'Description', 'for the shop');
    for (const way of ['Escape', 'Cancel', 'Close']) {
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await click(page, 'button', way);
      await find(page, 'heading', 'Throw away what you typed?');
      await click(page, 'button', 'Keep it');
      await page.waitForFunction('document.querySelectorAll("dialog").length === 1');
      expect(await page.$eval('dialog [name=description]', ({ value }) => value)).toBe('for the shop');
    }
    await page.keyboard.press('Escape');
    await find(page, 'heading', 'Throw away what you typed?');
    await picture(page, 'ask-to-leave');
    await click(page, 'button', 'Throw away');
    await untilClosed(page);
    await leave(page);
  });

  it.concurrent('people go back from a record to the list as they left it', async () => {
    const shop = await company('bruna@example.test');
    await shop.charge();
    await shop.key.getAfter('latest', '/v1/charges');
    const page = await signIn(shop.who, '/charges?status=paid&orderBy=-amount');
    await untilUpToDate(page);
    await page.$eval('.rows a', (link) => link.click());
    await shows(page, 'Timeline');
    await page.$eval('.trail a', (link) => link.click());
    await page.waitForFunction('location.search === "?status=paid&orderBy=-amount"');
    await leave(page);
  });

  it.concurrent('people see why an action would be refused, in place of a refusal', async () => {
    const voucher = { type: 'voucher', installments: 1, identifyType: 'dni', identifyNumber: '12345678' };
    const { id } = (
      await made()
        .key.post('/v1/charges', {
          amount: 20,
          currency: 'BRL',
          customer: { name: 'Ana', email: 'ana@example.test' },
          paymentMethod: voucher,
        })
        .expect(201)
    ).body;
    await made().key.post(`/v1/test-helpers/charges/${id}/pay`).expect(200);
    const page = await signIn(PAULA, `/charges/${id}`);
    await shows(page, 'This payment method takes no refund');
    const refund = await find(page, 'button', 'Refund');
    expect(await refund.evaluate((button) => button.matches(':disabled'))).toBe(true);
    await picture(page, 'doomed-refund');
    const shop = await company('quim@example.test');
    const poor = await signIn(shop.who, '/payouts?add=1');
    await shows(poor, 'No fee of payouts is set for you yet');
    expect(await poor.$eval('dialog button[type=submit]', ({ disabled }) => disabled)).toBe(true);
    await leave(poor);
    await leave(page);
  });

  it.concurrent('people see the answer to a test event', async () => {
    const page = await signIn(PAULA, '/webhooks/endpoints');
    await click(page, 'button', 'Send test event');
    await submit(page);
    await find(page, 'heading', 'Result of the test');
    await page.waitForFunction(
      '/The endpoint (gave no answer within|answered after)/.test(document.body.innerText)',
      {
        timeout: PATIENCE_MS,
      },
    );
    await picture(page, 'test-event');
    await click(page, 'button', 'Close');
    await leave(page);
  });

  it.concurrent('operators see people by name, what a change was, and approve nothing of their own', async () => {
    const page = await signIn(OPERATOR, '/adjustments');
    const { id } = (
      await made()
        .admin.post('/v1/admin/users', {
          email: 'renata@example.test',
          name: 'Renata Lima',
          password: PASSWORD,
          merchantId: null,
          groups: ['operators'],
        })
        .expect(201)
    ).body;
    await click(page, 'button', 'Propose adjustment');
    await type(page, 'Merchant', made().merchant.id);
    await type(page, 'Amount', '3.33');
    await type(page, 'Reason', 'names');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Proposed by you: somebody else approves it.');
    const other = await signIn(OLGA, `/audit-log?resourceId=${id}&type=user.created`);
    await untilUpToDate(other);
    await click(other, 'button', 'Details');
    const difference = await other.$eval('dialog .changes', ({ innerText }) => innerText);
    expect(difference).toContain('Renata Lima');
    await picture(other, 'audit-difference');
    await leave(other);
    await leave(page);
  });

  it.concurrent('operators register an account of a merchant at a provider, and remove it', async () => {
    const { id } = await gateway().createMerchant({ legalName: 'Loja das Contas' });
    const page = await signIn(OPERATOR, `/merchants/${id}/providers`);
    await shows(page, 'The first account of the merchant at a provider is shown here.');
    await click(page, 'button', 'Register account');
    await submit(page);
    await type(page, 'STRIPE_SECRET_KEY', 'rk_live_of_the_merchant_0001');
    await type(page, 'STRIPE_WEBHOOK_SECRET', 'whsec_of_its_endpoint_01');
    await submit(page);
    await untilClosed(page);
    await shows(page, '/v1/providers/stripe.pac_');
    expect(await textOf(page)).not.toContain('whsec_of_its');
    await picture(page, 'provider-accounts');
    await click(page, 'button', 'Remove');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'The first account of the merchant at a provider is shown here.');
    await leave(page);
  });

  it.concurrent('a merchant sees the way to its first live charge, step by step', async () => {
    const shop = await company('tereza@example.test');
    const page = await signIn(shop.who);
    await shows(page, 'Until the first live charge');
    await shows(page, '1 of 4');
    await shop.charge();
    await shop.key.getAfter('latest', '/v1/charges');
    await page.reload();
    await shows(page, '2 of 4');
    await picture(page, 'first-sale');
    await leave(page);
  });
};
