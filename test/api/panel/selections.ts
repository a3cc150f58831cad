import { aPayoutFee, aSpreadFee } from '../../builders.ts';
import { accessibilityFaults, picture, useColors } from '../../support/browser.ts';
import { pollUntil } from '../../support/client.ts';
import { OPERATOR } from '../../support/gateway.ts';
import { click, fill, shows, submit, until, untilClosed, untilUpToDate } from '../../support/panel-page.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { faultsInPortuguese } from './looks.ts';
import type { Panel } from './setting.ts';

type Payout = { readonly id: string; readonly status: string; readonly transferStatus: string | null };

/** Commands for several rows at once. */
export const describeSelections = ({ gateway, made, company, leave, signIn }: Panel): void => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** A company with settled money, and with fees for payouts of it. */
  const shopWithBalance = async (email: string): ReturnType<typeof company> => {
    const shop = await company(email);
    const delay = { name: 'settlement_delay_days', content: { credit_card: 0 } };
    await made().admin.post(`/v1/merchants/${shop.id}/settings`, delay).expect(201);
    await gateway().setFees(shop.id, [aSpreadFee(), aPayoutFee()]);
    await shop.charge();
    await shop.key.post('/v1/test-helpers/settlements/run', {}).expect(200);
    return shop;
  };

  it.concurrent('an operator approves, reports and rejects a selection of payouts, and sees which were refused', async () => {
    const shop = await shopWithBalance('varios@example.test');
    // The second one is more than what is left.
    for (const amount of [6_000, 7_000, 1_000])
      await shop.key.post('/v1/payout-requests', { amount }).expect(201);
    const list = async (): Promise<readonly Payout[]> =>
      (await made().admin.getAfter('latest', `/v1/payout-requests?merchantId=${shop.id}`)).body.data;
    const page = await signIn(OPERATOR, `/payouts?merchantId=${shop.id}&orderBy=createdAt`);
    await shows(page, '3 in all');
    await click(page, 'checkbox', 'Select all of this page');
    await click(page, 'button', 'Approve (3)');
    const asked = await shows(page, 'R$140.00 leave the available balances of the merchants at once');
    expect(asked).toContain('Approve 3 payouts over R$140.00');
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const colors of ['dark', 'light'] as const) {
      await useColors(page, colors);
      await picture(page, `panel-bulk-approve-${colors}`);
    }
    // A second click finds the first one under way.
    await page.$eval('dialog[open] button[type=submit]', (button) => {
      button.click();
      button.click();
    });
    const told = await shows(page, 'Refused: 1.');
    expect(told).toContain('Done: 2.');
    await picture(page, 'panel-bulk-refused');
    expect((await list()).filter(({ status }) => status === 'approved')).toHaveLength(2);
    await click(page, 'button', 'Close');
    await untilClosed(page);
    await untilUpToDate(page);
    await click(page, 'checkbox', 'Select all of this page');
    await click(page, 'button', 'Report transfer (2)');
    await fill(page, 'reference', 'bank run 7');
    await submit(page);
    await untilClosed(page);
    expect((await list()).filter(({ transferStatus }) => transferStatus === 'sent')).toHaveLength(2);
    await untilUpToDate(page);
    await click(page, 'checkbox', 'Select all of this page');
    await click(page, 'button', 'Reject (1)');
    await fill(page, 'rejectionReason', 'nothing is left');
    await page.setViewport({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await picture(page, 'panel-bulk-narrow');
    await page.setViewport({ width: 1280, height: 900 });
    await submit(page);
    await untilClosed(page);
    await shows(page, 'nothing is left');
    expect((await list()).map(({ status }) => status).toSorted()).toEqual([
      'approved',
      'approved',
      'rejected',
    ]);
    await leave(page);
  });

  it.concurrent('an operator rejects all that matches the filters but one, over every page', async () => {
    const shop = await shopWithBalance('todos@example.test');
    const amounts = Array.from({ length: 28 }, (_, index) => 201 + index);
    for (const amount of amounts) await shop.key.post('/v1/payout-requests', { amount }).expect(201);
    const page = await signIn(OPERATOR, `/payouts?merchantId=${shop.id}&status=pending`, {
      language: 'pt-BR',
    });
    await click(page, 'checkbox', 'Selecionar toda esta página');
    await shows(page, 'Seleção: 25');
    await click(page, 'button', 'Selecionar todos os resultados (28)');
    // From R$ 2,01 to R$ 2,28.
    await shows(page, 'Seleção: 28 · R$\u00a060,06');
    await click(page, 'button', 'Próxima');
    await until(page, `document.querySelectorAll('.choose input').length === 3`);
    expect(await page.$$eval('.choose input', (boxes) => boxes.map(({ checked }) => checked))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await faultsInPortuguese(page, 'panel-bulk-all')).toEqual([]);
    // The newest come first, so the last row is the smallest amount.
    await page.$eval('tbody tr:last-child .choose input', (box) => box.click());
    await shows(page, 'Seleção: 27');
    await click(page, 'button', 'Rejeitar (27)');
    await fill(page, 'rejectionReason', 'conta encerrada');
    expect(await faultsInPortuguese(page, 'panel-bulk-reject')).toEqual([]);
    await submit(page);
    await untilClosed(page);
    await untilUpToDate(page);
    const path = `/v1/payout-requests?merchantId=${shop.id}&size=100`;
    const { body } = await made().admin.getAfter('latest', path);
    const pending = (body.data as Payout[]).filter(({ status }) => status === 'pending');
    expect([body.total, pending]).toMatchObject([28, [{ amount: 201 }]]);
    await leave(page);
  });

  it.concurrent('a delivery shows its headers, its body member by member, and how two attempts differ', async () => {
    const shop = await company('entregas@example.test');
    receiver.react(({ attempt }) => (attempt === 1 ? 'fail' : 'accept'));
    const endpoint = { url: `${receiver.url}/differs`, events: ['charge.paid'] };
    await shop.key.post('/v1/webhook-endpoints', endpoint).expect(201);
    await shop.charge();
    const path = '/v1/webhook-deliveries';
    const first = await pollUntil(
      () => shop.key.getAfter('latest', path),
      ({ body }) => body.data[0]?.attempts.length === 1,
    );
    const page = await signIn(shop.who, '/webhooks', { language: 'pt-BR' });
    await shows(page, 'Paga');
    await click(page, 'checkbox', 'Selecionar toda esta página');
    await click(page, 'button', 'Reenviar selecionadas (1)');
    await submit(page);
    await untilClosed(page);
    await pollUntil(
      () => shop.key.getAfter('latest', path),
      ({ body }) => body.data[0]?.attempts.length > 1 && body.data[0].status === 'delivered',
    );
    await page.reload();
    await click(page, 'button', 'Detalhes');
    const text = await shows(page, 'Diferença entre duas tentativas');
    expect(text).toContain(`X-Event-Id: ${first.body.data[0].eventId}`);
    expect(text).toMatch(/X-Delivery-Attempt: [23]/);
    // The gateway may have tried again by itself, too.
    await page.select('dialog [name=before]', '0');
    await until(page, `document.querySelector('dialog').innerText.includes('"event": "charge.paid"')`);
    const difference = await page.$eval('.diff', (lines) => lines.innerText);
    expect(difference).toMatch(/- HTTP 5\d\d/);
    expect(difference).toMatch(/\+ HTTP 2\d\d/);
    expect(await faultsInPortuguese(page, 'panel-delivery')).toEqual([]);
    await leave(page);
  });
};
