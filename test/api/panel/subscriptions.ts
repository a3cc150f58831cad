import { DAY_MS } from '../../../src/kernel/durations.ts';
import { aCard } from '../../builders.ts';
import { click, find, shows, submit, type, untilClosed, untilUpToDate } from '../../support/panel-page.ts';
import { aSubscriber } from '../../support/subscribers.ts';
import { faultsInPortuguese } from './looks.ts';
import type { Panel } from './setting.ts';

/** A merchant's work with subscriptions, from a plan to a cancellation. */
export const describeSubscriptions = ({ company, leave, signIn }: Panel): void => {
  it.concurrent('a merchant makes a plan, begins a subscription to it, and sees its cycles and revenue', async () => {
    const { who, key } = await company('sara@example.test');
    const { customerId, paymentMethodId } = await aSubscriber(key);
    const page = await signIn(who, '/plans');
    await click(page, 'button', 'Create plan');
    await type(page, 'Name', 'Gold');
    await type(page, 'Amount', '49.9');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'R$49.90 a month');

    await page.evaluate(`history.pushState(null, '', '/panel/customers/${customerId}')`);
    await shows(page, 'Subscriptions of this customer are shown here.');
    await click(page, 'button', 'Begin subscription');
    const { data } = (await key.getAfter('latest', '/v1/plans')).body;
    await page.waitForSelector(`dialog option[value=${data[0].id}]`);
    await page.select('dialog select[name=planId]', data[0].id);
    await page.waitForSelector(`dialog option[value=${paymentMethodId}]`);
    await page.select('dialog select[name=paidBy]', paymentMethodId);
    await type(page, 'Description', 'Box of fruit');
    await submit(page);
    await untilClosed(page);
    await click(page, 'link', 'Box of fruit');
    const shown = await shows(page, 'Cycle 1 paid');
    expect(shown).toContain('Cycle 2 scheduled');

    await page.evaluate(`history.pushState(null, '', '/panel/plans')`);
    await click(page, 'button', 'Close');
    await submit(page);
    await untilClosed(page);
    await find(page, 'button', 'Reopen');
    await page.evaluate(`history.pushState(null, '', '/panel/subscriptions')`);
    await shows(page, 'R$49.90\nrecurring revenue a month');
    await leave(page);
  });

  it.concurrent('a merchant finds what is past due on the home, changes the card, and it is paid', async () => {
    const { who, key } = await company('tais@example.test');
    const subscriber = await aSubscriber(key, aCard({ number: '4000000000000341' }));
    const price = { amount: 80, currency: 'BRL', interval: 'week' };
    const body = { ...subscriber, price, collection: 'automatic', trialDays: 1, description: 'Box of fruit' };
    const { id } = (await key.post('/v1/subscriptions', body).expect(201)).body;
    const until = new Date(Date.now() + 2 * DAY_MS).toISOString();
    await key.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200);
    const token = (await key.post('/v1/card-tokens', aCard()).expect(201)).body.id;
    const path = `/v1/customers/${subscriber.customerId}/payment-methods`;
    const consentAt = '2026-01-31T12:00:00.000Z';
    const { id: other } = (await key.post(path, { token, consentAt }).expect(201)).body;

    const page = await signIn(who);
    await shows(page, 'Past due subscriptions');
    await (await find(page, 'link', '1 Past due subscriptions')).evaluate((link) => link.click());
    await shows(page, '1 in all');
    await click(page, 'link', 'Box of fruit');
    await shows(page, 'card declined');
    await click(page, 'button', 'Change method');
    await find(page, 'button', 'Save');
    await page.waitForSelector(`dialog option[value=${other}]`);
    await page.select('dialog select[name=paymentMethodId]', other);
    await submit(page);
    await untilClosed(page);
    await untilUpToDate(page);
    await shows(page, 'Cycle 1 paid');
    await click(page, 'button', "Payer's page");
    await submit(page);
    await shows(page, 'Shown this once.');
    const address = await page.$eval('dialog[open] code', ({ innerText }) => innerText);
    expect((await fetch(address)).status).toBe(200);
    await click(page, 'button', 'I have kept it');
    await untilClosed(page);
    await click(page, 'button', 'Pause');
    await submit(page);
    await untilClosed(page);
    await click(page, 'button', 'Resume');
    await submit(page);
    await untilClosed(page);
    await click(page, 'button', 'Cancel subscription');
    await type(page, 'Reason', 'moves away');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Is cancelled on');
    await click(page, 'button', 'Undo cancellation');
    await submit(page);
    await untilClosed(page);
    await find(page, 'button', 'Cancel subscription');
    expect((await key.get(`/v1/subscriptions/${id}`).expect(200)).body).toMatchObject({
      status: 'active',
      paymentMethodId: other,
      cancelAt: null,
    });
    await leave(page);
  });

  it.concurrent('a merchant sees a mandate of a customer with its state and its planned charge', async () => {
    const { who, key } = await company('uma@example.test');
    const ana = {
      name: 'Ana Souza',
      email: 'ana@example.test',
      document: { type: 'cpf', id: '52998224725' },
    };
    const { id: customerId } = (await key.post('/v1/customers', ana).expect(201)).body;
    const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    const terms = { journey: 'qr', interval: 'month', amount: 49.9, retries: 'none', startDate: dayIn(8) };
    const words = { contract: 'contract-1001', description: 'Gym membership' };
    const mandate = { type: 'pix_automatic', ...terms, ...words };
    const path = `/v1/customers/${customerId}/payment-methods`;
    const { id: paymentMethodId } = (await key.post(path, mandate).expect(201)).body;
    await key.post(`/v1/test-helpers/payment-methods/${paymentMethodId}/approve`).expect(200);
    const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
    const body = { customerId, price, collection: 'automatic', paymentMethodId };
    const { id } = (await key.post('/v1/subscriptions', body).expect(201)).body;
    const until = `${dayIn(5)}T12:00:00.000Z`;
    await key.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200);
    const { data } = (await key.getAfter('latest', `/v1/charges?customerId=${customerId}`)).body;

    const page = await signIn(who, `/customers/${customerId}`);
    await shows(page, 'Pix Automático · contract-1001 · R$49.90 a month');
    await page.waitForSelector(`li a[href$="/charges/${data[0].id}"]`);
    await page.evaluate(`history.pushState(null, '', '/panel/subscriptions/${id}')`);
    await shows(page, 'the bank pays on');
    await leave(page);
    const emPortugues = await signIn(who, `/customers/${customerId}`, { language: 'pt-BR' });
    await shows(emPortugues, 'Pix Automático · contract-1001');
    await untilUpToDate(emPortugues);
    expect(await faultsInPortuguese(emPortugues, 'panel-mandate')).toEqual([]);
    await emPortugues.evaluate(`history.pushState(null, '', '/panel/subscriptions/${id}')`);
    await shows(emPortugues, 'Próxima cobrança');
    await untilUpToDate(emPortugues);
    expect(await faultsInPortuguese(emPortugues, 'panel-mandate-subscription')).toEqual([]);
    await leave(emPortugues);
  });
};
