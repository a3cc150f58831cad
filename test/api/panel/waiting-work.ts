import type { Page } from 'puppeteer-core';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  shows,
  submit,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { OLGA, PAULA, type Panel } from './setting.ts';

/** The work that waits for an operator. No other test may add to it meanwhile, so these are the last ones. */
export const describeWaitingWork = ({ made, charge, leave, signIn }: Panel): void => {
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
      await shows(page, 'The charge is not paid, so that nothing can be taken back.');
      await fill(page, 'chargeId', made().strange);
      await shows(page, 'The charge is not paid, so that nothing can be taken back.');
      await fill(page, 'chargeId', await charge({ amount: 62 }));
      await submit(page);
      await untilClosed(page);
      await click(page, 'button', 'Confirm chargeback');
      await shows(page, 'It was debited with the alert: no more money moves.');
      await submit(page);
      await untilClosed(page);
      expect(await page.$eval('tbody .status', ({ innerText }) => innerText)).toBe('chargeback');
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
      await type(asking, 'Amount in BRL', '12.34');
      await asking.$eval('dialog button[type=submit]', (button) => button.click());
      // The dialog repeats the amount; the list that shows it afterwards has waited for the view.
      await untilClosed(asking);
      await shows(asking, 'R$12.34');
      const page = await signIn(OPERATOR);
      const counts = await countsOf(page);
      expect(counts).toHaveLength(8);
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
};
