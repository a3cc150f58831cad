import type { Page } from 'puppeteer-core';
import { OPERATOR } from '../../support/gateway.ts';
import { shows, untilUpToDate } from '../../support/panel-page.ts';
import { englishIn, faultsInBothColors } from './looks.ts';
import { CANARY, PAULA, type Panel } from './setting.ts';

/** Accessibility, width and safety of each screen. */
export const describeScreens = ({ made, company, leave, signIn }: Panel): void => {
  const forBoth = [
    '',
    '/charges?columns=spread,net,paidAt,id',
    '/charges/:charge',
    '/customers',
    '/customers/:customer',
    '/subscriptions',
    '/subscriptions/:subscription',
    '/plans',
    '/checkout',
    '/payment-links',
    '/statement?columns=description',
    '/refunds',
    '/anticipations',
    '/events',
    '/payouts',
    '/submerchants',
    '/submerchants/:sub',
    '/disputes',
    '/disputes/:dispute',
    '/webhooks',
    '/webhooks/endpoints',
    '/account',
    '/search?q=canary@example.test',
  ];
  const forMerchants = [
    ...forBoth,
    '/settlements',
    '/checkout-settings',
    '/terms',
    '/keys',
    '/logs',
    '/users',
  ];
  const forOperators = [
    ...forBoth,
    '/manual-refunds',
    '/alerts',
    '/suspense',
    '/providers',
    '/audit-log',
    '/logs',
    '/reports',
    '/reports/reconciliation',
    '/adjustments',
    '/users',
    '/groups',
    '/proposals',
    '/merchants',
    '/default-settings',
    '/keys',
    ...['', '/fees', '/settings', '/split', '/keys', '/certificates', '/providers'].map(
      (part) => `/merchants/:merchant${part}`,
    ),
  ];

  const MENUS = `document.querySelectorAll('main details.api').length`;

  const HAS_CSV = `[...document.querySelectorAll('main .list:has(> section > .rows)')].every(({ innerText }) =>
    /Export CSV|Exportar CSV/.test(innerText))`;

  /** Faults of a screen. */
  const faultsOf = async (page: Page, path: string, language: string): Promise<unknown[]> => {
    await page.setViewport({ width: 1280, height: 900 });
    await page.evaluate(`history.pushState(null, '', '/panel${path}')`);
    await untilUpToDate(page);
    await page.waitForSelector('h1');
    await untilUpToDate(page);
    const name = `panel${path.replaceAll(/\W/g, '-')}`;
    const faults: unknown[] = [...(await faultsInBothColors(page, name))];
    if (language === 'pt-BR')
      faults.push(...((await englishIn(page)) as unknown[]).map((text) => `in English: ${text}`));
    const menus = await page.evaluate(MENUS);
    if (menus !== 1) faults.push(`it has ${menus} menus "API"`);
    if (!(await page.evaluate(HAS_CSV))) faults.push('a list has no CSV');
    if (!(await page.evaluate('[...document.querySelectorAll("table")].every(({ caption }) => caption)')))
      faults.push('a table has no caption');
    await page.setViewport({ width: 768, height: 900 });
    const isCovered = `[...document.querySelectorAll('.list .scroll:has(td.actions:not(:empty))')].some(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`;
    if (await page.evaluate(isCovered)) faults.push('buttons cover columns');
    await page.setViewport({ width: 320, height: 900 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== 320) faults.push(`it is ${width} pixels wide`);
    return [...faults, ...((await page.evaluate('window.noted.splice(0)')) as unknown[])];
  };

  it.concurrent.each([
    ['a merchant', PAULA, forMerchants, 'en-US'],
    ['an operator', OPERATOR, forOperators, 'pt-BR'],
  ] as const)(
    'people see no fault of axe in either colours as %s, nothing beside a narrow screen, and text as text',
    async (_, who, paths, language) => {
      const page = await signIn(who, '', { language });
      const found: unknown[] = [];
      for (const each of paths) {
        const path = each
          .replace(':charge', made().strange)
          .replace(':customer', made().customer)
          .replace(':subscription', made().subscription)
          .replace(':sub', made().sub.id)
          .replace(':dispute', made().dispute)
          .replace(':merchant', made().merchant.id);
        const faults = await faultsOf(page, path, language);
        if (faults.length > 0) found.push([path, faults]);
      }
      await leave(page);
      expect(found).toEqual([]);
    },
  );

  it.concurrent('people see amounts as their language has them, and times in the zone of the merchant', async () => {
    const page = await signIn(PAULA, `/charges/${made().strange}`, { language: 'pt-BR' });
    await shows(page, 'Linha do tempo');
    const { body } = await made().key.get(`/v1/charges/${made().strange}`).expect(200);
    const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
    expect(await page.$eval('h1', ({ innerText }) => innerText)).toBe(
      `Cobrança ${money.format(body.amount)}`,
    );
    const zone = { timeZone: 'America/Sao_Paulo', dateStyle: 'full', timeStyle: 'long' } as const;
    const exactly = new Intl.DateTimeFormat('pt-BR', zone).format(new Date(body.paidAt));
    expect(await page.$eval('.facts-list time', (time) => time.getAttribute('title'))).toBe(exactly);
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
    await leave(page);
  });

  it.concurrent('a merchant without any record is told what would fill each list', async () => {
    const { who } = await company('nora@example.test');
    const page = await signIn(who);
    await shows(page, 'The first paid charge brings money here.');
    for (const [path, fills] of [
      ['/charges', 'The first charge that a key creates'],
      ['/statement', 'The first paid charge writes the first line.'],
      ['/subscriptions', 'Customers who pay again and again are shown here.'],
      ['/plans', 'A plan is a price that customers pay again and again.'],
      ['/checkout', 'A session is a page on which one payer pays once.'],
      ['/payment-links', 'A payment link is an address to send to payers'],
      ['/refunds', 'Money that goes back to payers is shown here.'],
      ['/settlements', 'Nothing waits to become available.'],
      ['/anticipations', 'Money that was made available before its day'],
      ['/events', 'The first charge brings the first event.'],
      ['/payouts', 'A request for a payout by a merchant'],
      ['/submerchants', 'The first company that a master adds'],
      ['/disputes', 'Charges with a chargeback alert or a chargeback'],
      ['/webhooks', 'What is sent to endpoints'],
      ['/webhooks/endpoints', 'Addresses that events are sent to'],
    ] as const) {
      await page.evaluate(`history.pushState(null, '', '/panel${path}')`);
      await shows(page, fills);
    }
    await leave(page);
  });

  it.concurrent.each([
    [
      '/charges',
      '/charges/:charge',
      '/plans',
      '/checkout',
      '/payment-links',
      '/subscriptions',
      '/subscriptions/:subscription',
      '/submerchants',
      '/submerchants/:sub',
      '/webhooks/endpoints',
    ],
  ])('people see what payers and merchants typed as they typed it', async (...paths) => {
    const page = await signIn(PAULA);
    for (const path of paths) {
      const at = path
        .replace(':charge', made().strange)
        .replace(':subscription', made().subscription)
        .replace(':sub', made().sub.id);
      await page.evaluate(`history.pushState(null, '', '/panel${at}')`);
      await shows(page, CANARY);
    }
    await leave(page);
  });
};
