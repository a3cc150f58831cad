import type { HTTPRequest, Page } from 'puppeteer-core';
import { startCutOff } from '../../support/cut-off.ts';
import { OPERATOR, startTestGateway } from '../../support/gateway.ts';
import { click, find, shows, submit, type } from '../../support/panel-page.ts';
import { fillIn, OLGA, PAULA, type Panel } from './setting.ts';

/** Answers requests below a path in place of the gateway; gives the function that ends it. */
const interrupt = async (
  page: Page,
  path: '/v1/' | '/panel/assets/',
  answer: (request: HTTPRequest) => Promise<void>,
): Promise<() => Promise<void>> => {
  const meddle = (request: HTTPRequest): void => {
    void (request.url().includes(path) ? answer(request) : request.continue());
  };
  await page.setRequestInterception(true);
  page.on('request', meddle);
  return async () => {
    page.off('request', meddle);
    await page.setRequestInterception(false);
  };
};
const lose = (request: HTTPRequest): Promise<void> => request.abort();
const refuse = (request: HTTPRequest): Promise<void> =>
  request.respond({
    status: 503,
    contentType: 'application/json',
    headers: { 'X-Request-Id': 'request-of-the-fault' },
    body: JSON.stringify({ statusCode: 503, message: 'The store does not answer' }),
  });

/** Stores and networks that fail, and bad input. */
export const describeFaults = ({ gateway, made, openPanel, leave, signIn }: Panel): void => {
  it.concurrent('people whose gateway is in trouble are told that Elasticsearch is down, work on without it, and see their list once it is back', async () => {
    const way = await startCutOff(gateway().variables.ELASTICSEARCH_NODE ?? '');
    const variables = { ...gateway().variables, ELASTICSEARCH_NODE: way.url, ROLE: 'api' };
    const second = await startTestGateway(variables);
    const page = await openPanel();
    await page.goto(`${second.url}/panel`);
    await fillIn(page, OLGA);
    await page.waitForSelector('nav');
    await way.cut();
    await page.evaluate(`history.pushState(null, '', '/panel/charges/${made().strange}')`);
    await find(page, 'heading', 'Timeline');
    await click(page, 'link', 'Charges');
    await shows(page, 'It may pass by itself: your data is safe.');
    await way.mend();
    await shows(page, 'in all');
    await leave(page);
    await second.stop({ keepData: true });
    await way.cut();
  });

  it.concurrent('people whose gateway is in trouble are told at a reload, at a sign-out and of a file, and go on once the gateway answers', async () => {
    const page = await signIn(PAULA, '/charges');
    const mendStore = await interrupt(page, '/v1/', refuse);
    await click(page, 'button', 'Export CSV');
    await shows(page, 'The store does not answer');
    await shows(page, 'request-of-the-fault');
    await page.reload();
    await shows(page, 'It may pass by itself: your data is safe.');
    await mendStore();
    await shows(page, 'in all');
    const mendNetwork = await interrupt(page, '/v1/', lose);
    await click(page, 'button', 'Sign out');
    await shows(page, 'The gateway did not answer');
    await mendNetwork();
    await find(page, 'heading', 'Charges');
    await leave(page);
  });

  it.concurrent('people whose gateway is in trouble load the screen again that a former version of the panel has no longer', async () => {
    const page = await signIn(PAULA);
    const mend = await interrupt(page, '/panel/assets/', lose);
    await click(page, 'link', 'Webhooks');
    await shows(page, 'Something went wrong in this window');
    await mend();
    await click(page, 'button', 'Try again');
    await find(page, 'heading', 'Webhooks');
    await leave(page);
  });

  it.concurrent('people whose gateway is in trouble learn that a command without an answer may have been done, and lose nothing that they typed', async () => {
    const page = await signIn(PAULA, '/payouts');
    await click(page, 'button', 'Request payout');
    await type(page, 'Amount in BRL', '1.5');
    const mend = await interrupt(page, '/v1/', (request) =>
      request.method() === 'POST' ? lose(request) : request.continue(),
    );
    await submit(page);
    await shows(page, 'Look at the list before you send it again.');
    await mend();
    expect(await page.$eval('dialog input', ({ value }) => value)).toBe('1.5');
    await leave(page);
  });

  /** Message beside a field. */
  const faultOf = async (page: Page, name: string): Promise<string> => {
    const field = await page.waitForSelector(`[name="${name}"][aria-invalid=true]`);
    const told = await field?.evaluate(
      (input) => input.parentElement?.querySelector('.fault')?.textContent ?? '',
    );
    return told ?? '';
  };

  it.concurrent('people who type what the API refuses see it beside the field, in a filter and for an item of a list, too', async () => {
    const page = await signIn(OPERATOR, '/webhooks?statusCode=abc');
    expect(await faultOf(page, 'statusCode')).toBe('statusCode must be: HTTP status');
    await page.goto(`${gateway().url}/panel/merchants/${made().merchant.id}/keys`);
    await click(page, 'button', 'Create key');
    await type(page, 'Networks', '192.0.2.0/24 nonsense');
    await submit(page);
    expect(await faultOf(page, 'allowedNetworks')).toContain('allowedNetworks.1');
    await leave(page);
  });
};
