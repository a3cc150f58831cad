import { accessibilityFaults, picture } from '../../support/browser.ts';
import { click, find, shows, until, untilUpToDate } from '../../support/panel-page.ts';
import type { Panel } from './setting.ts';

/** The switch between test and live data. */
export const describeEnvironment = ({ company, leave, signIn }: Panel): void => {
  it.concurrent('people go on with live data and come back, and the next sign-in begins where they were', async () => {
    const shop = await company('umgebung@example.test');
    await shop.charge({ reference: 'only-in-test' });
    const page = await signIn(shop.who, '/charges');
    await shows(page, 'only-in-test');
    await Promise.all([page.waitForNavigation(), click(page, 'radio', 'Live')]);
    await find(page, 'button', 'Sign out');
    await until(page, '!document.querySelector(".test-banner")');
    await page.evaluate(`history.pushState(null, '', '/panel/charges')`);
    await shows(page, 'The first charge that a key creates');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'panel-environment');
    await page.reload();
    await find(page, 'heading', 'Charges');
    await untilUpToDate(page);
    expect(await page.$('.test-banner')).toBeNull();
    await page.setViewport({ width: 320, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewport({ width: 1280, height: 900 });
    await Promise.all([page.waitForNavigation(), click(page, 'radio', 'Test')]);
    await page.waitForSelector('.test-banner');
    await click(page, 'button', 'Sign out');
    await page.waitForSelector('select[name=environment]');
    expect(await page.$eval('select[name=environment]', ({ value }) => value)).toBe('test');
    await leave(page);
  });
};
