import type { Page } from 'puppeteer-core';
import { picture } from '../../support/browser.ts';
import { click, find, shows, untilUpToDate } from '../../support/panel-page.ts';
import { PAULA, type Panel } from './setting.ts';

/** More lines than a page of the statement has. */
const CHARGES = 26;
const PHONE = { width: 360, height: 740 };

/** A narrow window, and paper. */
export const describePhoneAndPaper = ({ company, leave, signIn }: Panel): void => {
  const shownIn = (page: Page, selector: string): Promise<boolean> =>
    page.$$eval(selector, (found) => found.some((element) => element.checkVisibility()));

  it.concurrent('people with a phone see rows of two lines at once, with the rest and the filters behind a button', async () => {
    const shop = await company('fernanda@example.test');
    for (let count = 0; count < 3; count += 1) await shop.charge();
    await shop.key.getAfter('latest', '/v1/charges');
    const page = await signIn(shop.who, '/charges?status=paid');
    await page.setViewport(PHONE);
    await untilUpToDate(page);
    expect(await shownIn(page, 'form.filters')).toBe(false);
    expect(await page.$eval('.said', ({ innerText }) => innerText)).toBe('Status: paid');
    const rows = await page.$$eval('.rows tbody tr', (all) =>
      all.map((row) => row.getBoundingClientRect()).map(({ top, height }) => ({ top, height })),
    );
    expect(rows[0]?.top).toBeLessThan(PHONE.height / 2 + 40);
    expect(Math.max(...rows.map(({ height }) => height))).toBeLessThan(75);
    expect(await shownIn(page, '.rows td.folded')).toBe(false);
    await click(page, 'button', 'All of this row');
    expect(await shownIn(page, '.rows .unfolded td.folded')).toBe(true);
    await picture(page, 'phone-charges');
    await click(page, 'button', 'Filters 1');
    expect(await shownIn(page, 'form.filters')).toBe(true);
    await picture(page, 'phone-filters');
    await click(page, 'button', 'Clear');
    await page.waitForFunction('!location.search.includes("status")');
    await leave(page);
  });

  it.concurrent('people print a statement with every line of its days, and without what only a screen needs', async () => {
    const shop = await company('petra@example.test', { timeZone: 'America/Sao_Paulo' });
    await Promise.all(Array.from({ length: CHARGES }, () => shop.charge()));
    await shop.key.getAfter('latest', '/v1/statement');
    const page = await signIn(shop.who, '/statement?createdAt%5Bgte%5D=2026-01-05');
    await untilUpToDate(page);
    const counted = await page.$eval('section.list > .toolbar > [role=status]', ({ innerText }) => innerText);
    const total = Number.parseInt(counted, 10);
    expect(total).toBeGreaterThan(25);
    const rowsOf = () => page.$$eval('.rows tbody tr', ({ length }) => length);
    expect(await rowsOf()).toBe(25);
    await page.evaluate('window.print = () => { window.printed = true; }');
    await click(page, 'button', 'Print');
    await page.waitForFunction('window.printed');
    expect(await rowsOf()).toBe(total);
    await page.emulateMediaType('print');
    expect(await shownIn(page, '#panel > header, #panel > nav, main button:not(.head), form.filters')).toBe(
      false,
    );
    expect(await page.$eval('.said', ({ innerText }) => innerText)).toBe(
      'From: Jan 5, 2026 · Days of America/Sao_Paulo',
    );
    expect(await page.$eval('.letterhead', ({ innerText }) => innerText)).toBe(
      'Empresa de petra@example.test · Test data · Days of America/Sao_Paulo',
    );
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    await picture(page, 'paper-statement');
    await page.emulateMediaType('screen');
    await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
    await page.waitForFunction('document.querySelectorAll(".rows tbody tr").length === 25');
    await leave(page);
  });

  it.concurrent('people who are offline are told so, and go on by themselves once they are back', async () => {
    const page = await signIn(PAULA, '/refunds');
    await page.setOfflineMode(true);
    await shows(page, 'You are offline.');
    await picture(page, 'offline');
    await page.setOfflineMode(false);
    await shows(page, 'You are back online.');
    // A screen that has yet to be loaded is loaded once that is possible.
    await page.setOfflineMode(true);
    await shows(page, 'You are offline.');
    await click(page, 'link', 'Customers');
    await shows(page, 'Something went wrong in this window');
    await page.setOfflineMode(false);
    await find(page, 'heading', 'Customers');
    await shows(page, ' in all');
    await leave(page);
  });
};
