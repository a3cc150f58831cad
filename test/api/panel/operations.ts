import type { HTTPRequest, Page } from 'puppeteer-core';
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
import { volume } from '../../support/volume.ts';
import { OLGA, PAULA, type Panel } from './setting.ts';

/** An operator's daily work, and lists that follow it. */
export const describeOperations = ({ made, charge, leave, signIn }: Panel): void => {
  describe("an operator's day", () => {
    it('resolves a manual refund once, and tells the second of two operators', async () => {
      const id = await charge({ amount: 61 }, { number: '4000000000006975' });
      const page = await signIn(OPERATOR, '/alerts');
      await click(page, 'button', 'Register alert');
      await type(page, 'Charge', id);
      await shows(page, 'The merchant pays a fee of R$15.50');
      await page.$eval('dialog button[type=submit]', (button) => button.click());
      await untilClosed(page);
      await shows(page, 'pre chargeback');
      await click(page, 'button', 'Register alert');
      await type(page, 'Charge', id);
      await submit(page);
      await shows(page, 'A chargeback alert of this charge is registered already');
      await page.keyboard.press('Escape');
      await click(page, 'link', 'Manual refunds');
      await shows(page, 'R$61.00');
      const other = await signIn(OPERATOR, '/manual-refunds');
      for (const window of [page, other]) {
        await click(window, 'button', 'Resolve');
        await type(window, 'Notes', 'by Pix');
      }
      await page.$eval('dialog button[type=submit]', (button) => button.click());
      await shows(page, 'Nothing waits');
      expect(await page.$eval('select[name=status]', ({ value }) => value)).toBe('pending');
      await page.select('select[name=status]', 'all');
      await shows(page, 'by Pix');
      await other.$eval('dialog button[type=submit]', (button) => button.click());
      await shows(other, `The manual refund request was resolved by ${OPERATOR.email}`);
      expect(await other.$eval('textarea', ({ value }) => value)).toBe('by Pix');
      await leave(page);
      await leave(other);
    });

    /** Counts of the home screen with the totals of the lists that they lead to. */
    const countsOf = async (page: Page): Promise<readonly (readonly [string, string, string])[]> => {
      // A count that could not be read is read again.
      await until(page, '!/[…?]/.test(document.querySelector(".tiles").innerText)');
      const tiles = await page.$$eval('.tiles a', (links) =>
        links.map((link) => [link.getAttribute('href') ?? '', link.querySelector('strong')?.innerText ?? '']),
      );
      const counts: (readonly [string, string, string])[] = [];
      for (const [href = '', count = ''] of tiles) {
        await page.evaluate(`history.pushState(null, '', '${href}')`);
        await page.waitForSelector('.list');
        await untilUpToDate(page);
        const total = await page.$eval('.list', (list) => {
          const told = list.querySelector('.toolbar [role=status]')?.textContent;
          return told?.split(' ')[0] ?? String(list.querySelectorAll('tbody tr').length);
        });
        counts.push([href, count, total]);
      }
      return counts;
    };

    it('shows what waits with the totals of its lists; of two who reject a payout one is told', async () => {
      const asking = await signIn(PAULA, '/payouts');
      await click(asking, 'button', 'Request payout');
      await type(asking, 'Amount in BRL', '12.34', 'spinbutton');
      await asking.$eval('dialog button[type=submit]', (button) => button.click());
      await shows(asking, 'R$12.34');
      const page = await signIn(OPERATOR);
      const counts = await countsOf(page);
      expect(counts).toHaveLength(7);
      expect(counts.map(([href, count]) => [href, count])).toEqual(
        counts.map(([href, , total]) => [href, total]),
      );
      await click(page, 'link', 'Home');
      await click(page, 'link', '1 Payouts to decide on');
      await shows(page, 'R$12.34');
      const other = await signIn(OLGA, '/payouts?status=pending');
      await click(other, 'button', 'Reject');
      await type(other, 'Reason', 'too late');
      await click(page, 'button', 'Reject');
      await type(page, 'Reason', 'wrong company');
      await page.$eval('dialog button[type=submit]', (button) => button.click());
      await shows(page, 'Nothing matches these filters.');
      await submit(other);
      await shows(other, 'The payout request is rejected already');
      await asking.reload();
      await shows(asking, 'wrong company');
      await leave(other);
      await leave(page);
      await leave(asking);
    });
  });

  describe('a list after an action', () => {
    it('has it, each time', async () => {
      const page = await signIn(PAULA, '/webhooks/endpoints');
      const actions = volume({ usual: 4, proof: 1_000 });
      for (let count = 1; count <= actions; count += 1) {
        const description = `action ${count} of ${actions}`;
        await click(page, 'button', 'Edit');
        await fill(page, 'description', description);
        await submit(page);
        await untilClosed(page);
        expect(await page.$eval('tbody', ({ innerText }) => innerText)).toContain(description);
      }
      await leave(page);
    });
  });

  describe('an action before the screen is complete', () => {
    it('drops the answer that is older', async () => {
      const id = await charge({ paymentMethod: { type: 'pix', installments: 1 } });
      const older = (await made().key.get(`/v1/charges/${id}/timeline`).expect(200)).body;
      const page = await signIn(PAULA);
      const held: HTTPRequest[] = [];
      const hold = (request: HTTPRequest): void => {
        if (held.length === 0 && request.url().endsWith('/timeline')) held.push(request);
        else void request.continue();
      };
      await page.setRequestInterception(true);
      page.on('request', hold);
      await page.evaluate(`history.pushState(null, '', '/panel/charges/${id}')`);
      await click(page, 'button', 'Pay as a test');
      await submit(page);
      const isPaid = 'document.querySelector("main .heading .status")?.textContent === "paid"';
      await until(page, isPaid);
      // The window may have closed this request itself.
      await held[0]
        ?.respond({ contentType: 'application/json', body: JSON.stringify(older) })
        .catch(() => null);
      await shows(page, 'charge.paid');
      page.off('request', hold);
      await page.setRequestInterception(false);
      await leave(page);
    });
  });

  describe('a review', () => {
    it('shows the document beside the form, and approves only the version that was seen', async () => {
      const page = await signIn(OPERATOR, `/submerchants/${made().sub.id}`);
      await click(page, 'button', 'Show');
      await page.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
      await click(page, 'button', 'Approve');
      await find(page, 'textbox', 'Reason');
      await made()
        .key.call('patch', `/v1/submerchants/${made().sub.id}`, { phone: '+5511999990000' })
        .expect(200);
      await submit(page);
      await shows(page, 'VERSION_CHANGED');
      await page.keyboard.press('Escape');
      await shows(page, '+5511999990000');
      await click(page, 'button', 'Approve');
      await submit(page);
      await find(page, 'button', 'Block');
      expect(await page.evaluate('window.noted')).toEqual([]);
      await leave(page);
    });
  });
};
