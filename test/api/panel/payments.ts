import { aCardRequest, aDueRequest, aPixRequest } from '../../builders.ts';
import { accessibilityFaults } from '../../support/browser.ts';
import { pollUntil } from '../../support/client.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  find,
  findNow,
  PATIENCE_MS,
  press,
  shows,
  showsEvent,
  submit,
  textOf,
  type,
  until,
  untilClosed,
  untilUpToDate,
  write,
} from '../../support/panel-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { PASSWORD, PAULA, type Panel } from './setting.ts';

/** The way of one payment: found, listed, sold, refunded, by keyboard. */
export const describePayments = ({
  gateway,
  made,
  charge,
  company,
  openPanel,
  leave,
  signIn,
}: Panel): void => {
  it.concurrent('the id of a request leads to its cause: what is found has it in its timeline', async () => {
    const { headers, body } = await made().key.post('/v1/charges', aCardRequest()).expect(201);
    const page = await signIn(PAULA, `/search?q=${headers['x-request-id']}`);
    await page.click('.matches a');
    await find(page, 'heading', 'Timeline');
    await showsEvent(page, 'charge.paid');
    const shown = await textOf(page);
    expect(shown).toContain(`request ${headers['x-request-id']}`);
    expect(page.url()).toContain(body.id);
    await leave(page);
  });

  it.concurrent('the charges are filtered, ordered and paged by the address, which back and reload show again', async () => {
    const shop = await company('carla@example.test');
    await shop.charge({ reference: 'pix-1', paymentMethod: { type: 'pix', installments: 1 } });
    await shop.charge();
    await shop.charge({ amount: 250 });
    const page = await signIn(shop.who, '/charges');
    await page.focus('select[name=paymentMethod]');
    await page.select('select[name=paymentMethod]', 'pix');
    await shows(page, '1 in all');
    expect(page.url()).toContain('paymentMethod=pix');
    expect(await page.evaluate('document.activeElement.name')).toBe('paymentMethod');
    await shows(page, 'pix-1');
    await page.evaluate('URL.createObjectURL = (file) => { window.saved = file.text(); return ""; }');
    await click(page, 'button', 'Export CSV');
    await until(page, 'window.saved');
    const [heads = [], ...rows] = parseCsv(String(await page.evaluate('window.saved')));
    expect(rows.map((row) => row[heads.indexOf('reference')])).toEqual(['pix-1']);
    await page.select('select[name=status]', 'paid');
    await shows(page, 'Nothing matches these filters.');
    await page.goBack();
    await shows(page, '1 in all');
    await page.reload();
    await shows(page, '1 in all');
    expect(await page.$eval('select[name=paymentMethod]', ({ value }) => value)).toBe('pix');
    await page.goto(`${gateway().url}/panel/charges?status=paid`);
    await click(page, 'button', 'Amount');
    await page.waitForFunction('location.search.includes("orderBy=-amount")');
    await untilUpToDate(page);
    expect(await page.$eval('tbody tr .money', ({ innerText }) => innerText)).toContain('250');
    await shows(page, '2 in all');
    await page.goto(`${gateway().url}/panel/charges?page=900`);
    await shows(page, 'The list ends before this page.');
    await click(page, 'button', 'Previous');
    await page.waitForSelector('tbody tr');
    await leave(page);
  });

  it.concurrent('two filters of charges leave the charges that both of them fit, whichever two they are', async () => {
    const shop = await company('duda@example.test');
    const kinds = [
      { reference: 'silver ring', amount: 100, isPix: false },
      { reference: 'silver cup', amount: 250, isPix: true },
      { reference: 'golden ring', amount: 250, isPix: false },
      { reference: 'golden cup', amount: 400, isPix: true },
    ] as const;
    type Kind = (typeof kinds)[number];
    for (const { reference, amount, isPix } of kinds)
      await shop.charge({
        ...{ reference, amount },
        ...(isPix ? { paymentMethod: { type: 'pix', installments: 1 } } : {}),
      });
    const filters: readonly (readonly [string, string, (kind: Kind) => boolean])[] = [
      ['q', 'silver', ({ reference }) => reference.startsWith('silver')],
      ['status', 'paid', ({ isPix }) => !isPix],
      ['paymentMethod', 'pix', ({ isPix }) => isPix],
      ['createdAt[gte]', '2026-01-01', () => true],
      ['createdAt[lte]', '2026-01-01', () => false],
      ['amount[gte]', '250', ({ amount }) => amount >= 250],
      ['amount[lte]', '250', ({ amount }) => amount <= 250],
    ];
    const page = await signIn(shop.who, '/charges');
    await shows(page, `${kinds.length} in all`);
    for (const [index, [name, value, fits]] of filters.entries())
      for (const [other, otherValue, otherFits] of filters.slice(index + 1)) {
        const query = new URLSearchParams({ [name]: value, [other]: otherValue });
        const wanted = kinds.filter((kind) => fits(kind) && otherFits(kind));
        await page.evaluate(`history.pushState(null, '', '/panel/charges?${query}')`);
        await shows(page, wanted.length === 0 ? 'Nothing matches these filters.' : `${wanted.length} in all`);
        await untilUpToDate(page);
        const shown = await textOf(page);
        const found = kinds.filter(({ reference }) => shown.includes(reference));
        expect([name, other, found]).toEqual([name, other, wanted]);
      }
    await leave(page);
  });

  it.concurrent('a sale is made without a key: a Pix with its code, which a test pays', async () => {
    const page = await signIn(PAULA, '/charges');
    await click(page, 'button', 'Create charge');
    await type(page, 'Amount in BRL', '12.5');
    await type(page, 'Customer', 'Rui Alves');
    await type(page, 'E-mail', 'no address');
    await page.evaluate('document.querySelector("dialog form").noValidate = true');
    await submit(page);
    await shows(page, 'customer.email must be: e-mail address');
    await fill(page, 'customer.email', 'rui@example.test');
    await submit(page);
    await find(page, 'heading', 'Payment');
    expect(await accessibilityFaults(page)).toEqual([]);
    const id = page.url().split('/').at(-1);
    const { body } = await made().key.get(`/v1/charges/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'pending', amount: 12.5, customer: { name: 'Rui Alves' } });
    await shows(page, body.paymentDetails.copyPaste);
    await click(page, 'button', 'Pay as a test');
    await submit(page);
    await showsEvent(page, 'charge.paid');
    expect(await page.evaluate(findNow('heading', 'Payment'))).toBeNull();
    await leave(page);
  });

  it.concurrent('a Pix with a due date shows what is due when, and then what was paid', async () => {
    const { who, key } = await company('due@example.test');
    const { body } = await key.post('/v1/charges', aDueRequest(20)).expect(201);
    const page = await signIn(who, `/charges/${body.id}`);
    await find(page, 'heading', 'Amounts due');
    await shows(page, 'R$237.50');
    expect(await accessibilityFaults(page)).toEqual([]);
    await click(page, 'button', 'Pay as a test');
    await shows(page, 'The simulator takes R$237.50');
    await submit(page);
    await shows(page, 'Paid amount');
    expect(await page.evaluate(findNow('heading', 'Amounts due'))).toBeNull();
    await leave(page);
  });

  it.concurrent('a customer is kept, charged, changed and deleted', async () => {
    const { who, key } = await company('customers@example.test');
    const page = await signIn(who, '/customers');
    await click(page, 'button', 'Add customer');
    await type(page, 'Name', 'Ana Souza');
    await type(page, 'E-mail', 'ana@example.test');
    await fill(page, 'document.type', 'cpf');
    await fill(page, 'document.id', '529.982.247-26');
    await submit(page);
    await shows(page, 'document.id has wrong check digits');
    await fill(page, 'document.id', '529.982.247-25');
    await fill(page, 'address.country', 'BR');
    await submit(page);
    await untilClosed(page);
    await click(page, 'link', 'Ana Souza');
    await shows(page, 'cpf 52998224725');
    const id = page.url().split('/').at(-1);
    const { customer: _, ...payment } = aPixRequest();
    await key.post('/v1/charges', { ...payment, customerId: id }).expect(201);
    await click(page, 'button', 'Edit');
    await fill(page, 'name', 'Ana Lima');
    await submit(page);
    await untilClosed(page);
    await find(page, 'heading', 'Ana Lima');
    await page.reload();
    await shows(page, 'R$100.00');
    await click(page, 'link', 'All charges');
    await shows(page, '1 in all');
    await shows(page, 'Ana Souza');
    await page.goBack();
    await click(page, 'button', 'Delete');
    await submit(page);
    await untilClosed(page);
    await find(page, 'heading', 'Deleted customer');
    const { body } = await key.get(`/v1/customers/${id}`).expect(200);
    expect(body).toMatchObject({ name: null, email: null, document: null, address: null });
    await leave(page);
  });

  it.concurrent('a charge that waits for its payer is cancelled, and cannot be any more', async () => {
    const { id } = (await made().key.post('/v1/charges', aPixRequest()).expect(201)).body;
    const page = await signIn(PAULA, `/charges/${id}`);
    await click(page, 'button', 'Cancel charge');
    await shows(page, 'A payment that comes all the same is given back at once.');
    await submit(page);
    await showsEvent(page, 'charge.failed');
    expect(await page.evaluate(findNow('button', 'Cancel charge'))).toBeNull();
    const { body } = await made().key.get(`/v1/charges/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    await leave(page);
  });

  it.concurrent('a refund shows its effect first; of two windows with double clicks one refunds, and the other is told', async () => {
    const id = await charge({ amount: 80 });
    const windows = await Promise.all([signIn(PAULA, `/charges/${id}`), signIn(PAULA, `/charges/${id}`)]);
    for (const page of windows) {
      await click(page, 'button', 'Refund');
      await shows(page, 'R$80.00 go back to Ana Souza');
      await type(page, 'Reason', 'changed my mind');
    }
    expect(await accessibilityFaults(windows[0])).toEqual([]);
    await Promise.all(
      windows.map((page) =>
        page.$eval('dialog button[type=submit]', (button) => {
          button.click();
          button.click();
        }),
      ),
    );
    const outcomes = await Promise.all(
      windows.map((page) =>
        pollUntil(
          () => textOf(page),
          (text) => text.includes('REFUND_ALREADY_EXISTS') || text.includes('charge.refunded'),
          PATIENCE_MS,
        ),
      ),
    );
    expect(outcomes.filter((text) => text.includes('REFUND_ALREADY_EXISTS'))).toHaveLength(1);
    const { body } = await made().key.getAfter('latest', `/v1/refunds?chargeId=${id}`);
    expect(body.total).toBe(1);
    for (const page of windows) await leave(page);
  });

  it.concurrent('a refund is in the statement at once, whose opening balance and movements make the closing balance', async () => {
    const id = await charge({ amount: 33 });
    const page = await signIn(PAULA, `/charges/${id}`);
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'wish');
    await click(page, 'button', 'Refund charge');
    await showsEvent(page, 'charge.refunded');
    await click(page, 'link', 'Statement');
    await shows(page, '-R$33.00');
    const sums = await page.$$eval('table.sums tbody tr', (rows) =>
      rows.map((row) => Number(row.querySelector('td:last-child')?.textContent?.replaceAll(/[^\d.-]/g, ''))),
    );
    const movements = sums.slice(0, -1).reduce((total, amount) => total + Math.round(amount * 100), 0);
    expect(movements).toBe(Math.round((sums.at(-1) ?? 0) * 100));
    await click(page, 'button', 'Explain');
    await shows(page, 'balance was');
    const isCentred = `(({ left, right }) => Math.abs(left + right - document.documentElement.clientWidth) < 20)(
      document.querySelector('dialog').getBoundingClientRect())`;
    expect(await page.evaluate(isCentred)).toBe(true);
    await page.setViewport({ width: 320, height: 900 });
    expect(await page.$eval('dialog', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewport({ width: 1280, height: 900 });
    await click(page, 'button', 'Close');
    await click(page, 'button', 'Verify');
    await shows(page, 'entries are as they were booked');
    const lines = gateway().db.collection('statement_lines');
    const refund = { merchantId: made().merchant.id, movement_type: 'refund' };
    // One line of several: other tests refund meanwhile.
    const changed = { _id: { $in: (await lines.distinct('_id', refund)).slice(0, 1) } };
    const { modifiedCount } = await lines.updateOne(changed, { $inc: { amount: 1 } });
    expect(modifiedCount).toBe(1);
    await click(page, 'button', 'Verify');
    const shown = await shows(page, 'was changed');
    await lines.updateOne(changed, { $inc: { amount: -1 } });
    expect(shown).toMatch(/Entry led_[0-9a-f]{32}, place \d+, was changed/);
    await leave(page);
    const operators = await signIn(OPERATOR, '/statement');
    await shows(operators, 'Filter by a merchant');
    await operators.goto(`${gateway().url}/panel/statement?merchantId=${made().merchant.id}`);
    await shows(operators, 'Closing balance');
    await click(operators, 'button', 'Verify');
    await shows(operators, 'entries are as they were booked');
    await leave(operators);
  });

  it.concurrent('a keyboard alone signs in, finds a charge, refunds it, has a figure explained, asks for a payout; an operator decides', async () => {
    const id = await charge({ reference: 'by-keyboard' });
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel`);
    await page.waitForSelector('input[name=password]');
    await write(page, 'E-mail', PAULA.email);
    await write(page, 'Password', PASSWORD);
    await write(page, 'Environment', 'Test');
    await press(page, 'Sign in');
    await find(page, 'heading', 'Home');
    await untilUpToDate(page);
    const scripts = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('js'))
      .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)`;
    const bytes = Number(await page.evaluate(scripts));
    expect([bytes > 50_000, bytes <= 150_000]).toEqual([true, true]);
    await page.keyboard.press('/');
    await page.keyboard.type('by-keyboard');
    await page.keyboard.press('Enter');
    await shows(page, id);
    await press(page, 'Ana Souza');
    await find(page, 'button', 'Refund');
    await press(page, 'Refund');
    await find(page, 'textbox', 'Reason');
    await write(page, 'Reason', 'by keyboard');
    await press(page, 'Refund charge');
    await showsEvent(page, 'charge.refunded');
    await press(page, 'Statement');
    await find(page, 'button', 'Explain');
    await press(page, 'Explain');
    await shows(page, 'balance was');
    await page.keyboard.press('Escape');
    await untilClosed(page);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Explain');
    await press(page, 'Payouts');
    await find(page, 'button', 'Request payout');
    await press(page, 'Request payout');
    await find(page, 'textbox', 'Amount in BRL');
    await write(page, 'Amount in BRL', '23.45');
    await page.keyboard.press('Enter');
    await shows(page, 'R$23.45');
    const other = await signIn(OPERATOR, `/payouts?status=pending&merchantId=${made().merchant.id}`);
    await find(other, 'button', 'Reject');
    await press(other, 'Reject');
    await find(other, 'textbox', 'Reason');
    await write(other, 'Reason', 'by keyboard, too');
    await press(other, 'Reject');
    await shows(other, 'Nothing matches these filters.');
    await leave(page);
    await leave(other);
  });
};
