import type { Page } from 'puppeteer-core';
import { TOLERATED_MS } from '../../src/platform/write-store/store-clock.ts';
import { aPixRequest } from '../builders.ts';
import { accessibilityFaults, useBrowser } from '../support/browser.ts';
import { operator, PATIENT, withKey } from '../support/client.ts';
import { OPERATOR, useGateway } from '../support/gateway.ts';
import { click, find, PATIENCE_MS, shows } from '../support/panel-page.ts';
import { buildProgram } from '../support/program.ts';
import { faultsInPortuguese } from './panel/looks.ts';
import { fillIn } from './panel/setting.ts';

// The panel is built before the gateway looks for it.
beforeAll(buildProgram, 180_000);
const gateway = useGateway({ ...PATIENT, TEST_CLOCK: '1' });
const browser = useBrowser();

const signIn = async (language: string): Promise<Page> => {
  const page = await browser().open({ language, width: 1280 });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluateOnNewDocument(
    `Object.defineProperty(navigator, 'language', { value: ${JSON.stringify(language)} });`,
  );
  await page.goto(`${gateway().url}/panel`);
  await fillIn(page, OPERATOR);
  await page.waitForSelector('nav');
  return page;
};
const timeOf = async (): Promise<number> => {
  const by = await operator(gateway, 'test');
  return Date.parse((await by.get('/v1/test-helpers/clock').expect(200)).body.now);
};
const DAY_MS = 86_400_000;

describe('the test clock in the panel', () => {
  it('is shown and moved, and says what has happened', async () => {
    const merchant = await gateway().createMerchant();
    await withKey(gateway, merchant.testKey).post('/v1/charges', aPixRequest()).expect(201);
    const before = await timeOf();
    const page = await signIn('en-US');
    await shows(page, 'Test clock');
    await click(page, 'button', 'Move the clock');
    await shows(page, 'Everything that falls due until then happens');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.select('select[name=by]', 'P7D');
    // The last button of the dialog sends it; the button behind has the same name.
    await page.click('dialog[open] button[type=submit]');
    await find(page, 'heading', 'This has happened');
    await shows(page, 'charge');
    expect(await accessibilityFaults(page)).toEqual([]);
    await click(page, 'button', 'Close');
    expect((await timeOf()) - before).toBeGreaterThanOrEqual(7 * DAY_MS - TOLERATED_MS);
    await page.close();
  });

  it('is shown in Portuguese', async () => {
    const page = await signIn('pt-BR');
    await shows(page, 'Relógio de teste');
    await click(page, 'button', 'Adiantar o relógio');
    await shows(page, 'O relógio nunca volta.');
    expect(await faultsInPortuguese(page, 'panel-clock')).toEqual([]);
    await page.select('select[name=by]', 'PT1H');
    await page.click('dialog[open] button[type=submit]');
    await find(page, 'heading', 'Isto aconteceu');
    expect(await faultsInPortuguese(page, 'panel-clock-moved')).toEqual([]);
    await page.close();
  });
});
