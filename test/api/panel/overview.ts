import { accessibilityFaults, picture, useColors } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  find,
  findNow,
  shows,
  submit,
  type,
  until,
  untilClosed,
  untilUpToDate,
} from '../../support/panel-page.ts';
import { faultsInPortuguese } from './looks.ts';
import { PAULA, type Panel } from './setting.ts';

/** Figures of the first screen, lists as somebody left them, and the one way to the API. */
export const describeOverview = ({ company, charge, leave, signIn }: Panel): void => {
  it.concurrent.each([
    ['en-US', 'Other currencies', '30 days before'],
    ['pt-BR', 'Outras moedas', '30 dias antes'],
  ] as const)(
    'the home of an operator has one chart, and a line for each other currency, in %s',
    async (language, others, before) => {
      const shop = await company(`${language.toLowerCase()}@example.test`);
      await charge();
      await shop.charge();
      await shop.charge({ currency: 'ARS', amount: 1_234.5 });
      await shop.charge({ currency: 'CLP', amount: 9_900 });
      const page = await signIn(OPERATOR, '', { language });
      await shows(page, others);
      await shows(page, before);
      await untilUpToDate(page);
      expect(await page.$$('.chart')).toHaveLength(1);
      const rows = await page.$$eval('table.currencies tbody tr', (all) => all.map((row) => row.innerText));
      expect(rows.some((row) => row.includes('ARS'))).toBe(true);
      expect(rows.some((row) => row.includes('CLP'))).toBe(true);
      for (const colors of ['dark', 'light'] as const) {
        await useColors(page, colors);
        expect(await accessibilityFaults(page)).toEqual([]);
        await picture(page, `panel-home-operator-${language}-${colors}`);
      }
      await page.setViewport({ width: 360, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await picture(page, `panel-home-operator-${language}-narrow`);
      await page.setViewport({ width: 1280, height: 900 });
      await leave(page);
    },
  );

  it.concurrent('a bar tells its day and leads to the charges of it, and a report has the totals on top', async () => {
    const shop = await company('barras@example.test');
    await shop.charge({ amount: 44 });
    await shop.charge({ amount: 55 });
    const page = await signIn(shop.who);
    await find(page, 'heading', 'Waiting for you');
    const today = 'document.querySelector(".figures .chart svg a:last-of-type")';
    await until(page, today);
    await page.evaluate(`${today}.focus()`);
    await until(page, `document.querySelector('.chart figcaption').innerText.includes('until now: R$99.00')`);
    await page.evaluate(
      `${today}.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
    );
    await shows(page, '2 in all');
    expect(decodeURIComponent(page.url())).toContain('currency=BRL');
    await leave(page);
    const operator = await signIn(OPERATOR, `/reports?merchantId=${shop.id}&groupBy=status`);
    const table = '[aria-label=Figures] tbody';
    await until(operator, `document.querySelector('${table} tr')`);
    await untilUpToDate(operator);
    const first = await operator.$eval(`${table} tr`, (row) => row.innerText);
    expect(first).toMatch(/^Total\s+BRL\s/);
    const heads = await operator.$$eval('[aria-label=Figures] thead th', (all) =>
      all.map((head) => head.innerText),
    );
    expect(heads.slice(0, 3)).toEqual(['Period', 'Currency', 'Group']);
    expect(await operator.$$('.chart svg a')).toHaveLength(30);
    expect(await operator.$$eval('.chart thead th', (all) => all.map((head) => head.textContent))).toEqual([
      'Period',
      'Amount',
      'Period before',
    ]);
    await picture(operator, 'panel-report-light');
    await click(operator, 'button', '7 days');
    await operator.waitForFunction('location.search.includes("from=")');
    await untilUpToDate(operator);
    expect(await operator.$$('.chart svg a')).toHaveLength(7);
    await leave(operator);
  });

  it.concurrent('a list shows how many rows the days before had, and is found again as somebody left it', async () => {
    const shop = await company('visoes@example.test');
    await shop.charge({ reference: 'kept-by-view' });
    const page = await signIn(shop.who, '/charges');
    expect(await page.$('.views')).toBeNull();
    await click(page, 'button', 'Today');
    await shows(page, 'The day before: 0');
    await shows(page, '1 in all');
    await page.select('select[name=status]', 'paid');
    await page.waitForFunction('location.search.includes("status=paid")');
    await click(page, 'button', 'Save view…');
    await type(page, 'Name', 'Paid today');
    expect(await accessibilityFaults(page)).toEqual([]);
    await submit(page);
    await untilClosed(page);
    await find(page, 'link', 'Paid today');
    await page.click('.list .choice summary');
    await click(page, 'checkbox', 'Fee');
    await find(page, 'button', 'Save changes');
    await picture(page, 'panel-views');
    await click(page, 'link', 'Reset');
    await untilUpToDate(page);
    const columns = () => page.$$eval('.list thead th', (all) => all.map((head) => head.innerText.trim()));
    await until(
      page,
      `[...document.querySelectorAll('.list thead th')].some(({ innerText }) => innerText === 'Fee')`,
    );
    await click(page, 'link', 'All');
    await shows(page, 'kept-by-view');
    expect(page.url()).not.toContain('status=');
    await page.reload();
    await find(page, 'link', 'Paid today');
    await untilUpToDate(page);
    await until(
      page,
      `[...document.querySelectorAll('.list thead th')].some(({ innerText }) => innerText === 'Fee')`,
    );
    expect(await columns()).toContain('Fee');
    await page.setViewport({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await picture(page, 'panel-views-narrow');
    await page.setViewport({ width: 1280, height: 900 });
    await click(page, 'link', 'Paid today');
    await click(page, 'button', 'Remove view');
    await until(page, `!(${findNow('link', 'Paid today')})`);
    expect((await shop.key.get('/v1/charges?status=paid').expect(200)).body.total).toBe(1);
    await leave(page);
  });

  it.concurrent('the views of a list and their dialog are in Portuguese, too', async () => {
    const shop = await company('visao@example.test');
    await shop.charge();
    const page = await signIn(shop.who, '/charges?status=paid', { language: 'pt-BR' });
    await click(page, 'button', 'Salvar visão…');
    await type(page, 'Nome', 'Pagas');
    expect(await faultsInPortuguese(page, 'panel-view-dialog')).toEqual([]);
    await submit(page);
    await untilClosed(page);
    await find(page, 'button', 'Remover visão');
    expect(await faultsInPortuguese(page, 'panel-view')).toEqual([]);
    await leave(page);
  });

  it.concurrent('the menu of a screen copies what it shows for a terminal and for a program, and names the reference', async () => {
    const id = await charge();
    const page = await signIn(PAULA, `/charges/${id}`, { language: 'pt-BR' });
    await until(page, 'document.querySelector(".timeline [title]")');
    await page.click('main .api summary');
    await shows(page, 'Copiar como TypeScript');
    const shown = await page.$eval('main .api', (menu) => menu.innerText);
    expect(shown).toContain(`/v1/charges/${id}`);
    expect(shown).toContain('Referência: GET /v1/charges/{id}');
    expect(await page.$eval('main .api a', (link) => link.getAttribute('href'))).toBe('/docs#getCharge');
    await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text; }');
    await click(page, 'button', 'Copiar como TypeScript');
    await until(page, 'window.copied');
    expect(await page.evaluate('window.copied')).toContain('await portico.getCharge({');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'panel-api-menu-pt');
    const text = await page.$eval('.timeline', (list) => list.innerText);
    expect(text).toContain('Paga');
    expect(text).not.toMatch(/charge\.[a-z]/);
    await page.setViewport({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await picture(page, 'panel-api-menu-narrow');
    await page.setViewport({ width: 1280, height: 900 });
    await leave(page);
  });
};
