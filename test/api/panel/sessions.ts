import { accessibilityFaults } from '../../support/browser.ts';
import { pollUntil } from '../../support/client.ts';
import { click, find, shows, showsEvent, type, untilUpToDate } from '../../support/panel-page.ts';
import { fillIn, LUIS, NINA, OLGA, PASSWORD, PAULA, type Panel } from './setting.ts';

/** Signing in, and the ends of a session. */
export const describeSessions = ({ gateway, made, charge, openPanel, leave, signIn }: Panel): void => {
  it.concurrent('signing in says what to do about a wrong password, and then leads to the address that was asked for', async () => {
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel/charges?status=paid`);
    await fillIn(page, { ...PAULA, password: 'a wrong password' });
    await shows(page, 'An operator can reset a forgotten password');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.$eval('input[name=password]', (input) => input.select());
    await fillIn(page, PAULA);
    await find(page, 'heading', 'Charges');
    expect(page.url()).toBe(`${gateway().url}/panel/charges?status=paid`);
    await shows(page, 'Test data');
    await page.reload();
    await find(page, 'heading', 'Charges');
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(
      0,
    );
    await click(page, 'button', 'Sign out');
    await find(page, 'heading', 'Sign in');
    await leave(page);
  });

  it.concurrent('signing in says how long to wait after too many wrong passwords', async () => {
    const attempt = { ...LUIS, password: 'a wrong password', environment: 'test' };
    await pollUntil(
      async () => (await gateway().call('post', '/v1/auth/login').send(attempt)).status,
      (status) => status === 429,
    );
    const page = await openPanel();
    await page.goto(`${gateway().url}/panel`);
    await fillIn(page, LUIS);
    await shows(page, 'Wait up to 30 minutes, then try again.');
    await leave(page);
  });

  it.concurrent('signing in leads a browser from the root of the address to the panel, and tells a program what is here', async () => {
    const html = await fetch(gateway().url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    expect([html.status, html.headers.get('location')]).toEqual([302, '/panel']);
    expect(await (await fetch(gateway().url)).json()).toMatchObject({ openapi: '/v1/openapi.json' });
    const page = await fetch(`${gateway().url}/panel/anything`);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const [asset = ''] = /\/panel\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(`${gateway().url}${asset}`)).headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${gateway().url}/panel/assets/gone.js`)).status).toBe(404);
    expect((await fetch(`${gateway().url}/panel/`)).status).toBe(200);
  });

  it.concurrent('signing in asks again where another person has signed in in another window, and never acts as that one', async () => {
    const person = 'a shared computer';
    const page = await signIn(PAULA, '/payouts', { person });
    const other = await signIn(PAULA, '', { person });
    await click(other, 'button', 'Sign out');
    await find(other, 'heading', 'Sign in');
    await fillIn(other, OLGA);
    await find(other, 'heading', 'Home');
    await click(page, 'link', 'Charges');
    await find(page, 'heading', 'Your session has ended');
    expect(await page.$('main table')).toBeNull();
    await leave(other);
    await leave(page);
  });

  it.concurrent('signing in comes back over a screen whose session has ended, with all that was typed', async () => {
    const id = await charge();
    const page = await signIn(NINA, `/charges/${id}`);
    // A request that is still under way would tell of the end of the session, too.
    await showsEvent(page, 'charge.paid');
    await untilUpToDate(page);
    await click(page, 'button', 'Refund');
    await type(page, 'Reason', 'typed before');
    const { deletedCount } = await gateway().db.collection('sessions').deleteMany({ userId: made().nina });
    expect(deletedCount).toBeGreaterThan(0);
    await click(page, 'button', 'Refund charge');
    await find(page, 'heading', 'Your session has ended');
    await page.type('dialog input[name=password]', PASSWORD);
    await click(page, 'button', 'Sign in');
    await page.waitForFunction('document.querySelectorAll("dialog").length === 1');
    expect(await page.$eval('textarea', ({ value }) => value)).toBe('typed before');
    await click(page, 'button', 'Refund charge');
    await showsEvent(page, 'charge.refunded');
    await leave(page);
  });
};
