import { aCardRequest } from '../../builders.ts';
import { accessibilityFaults, picture, useColors } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import { click, find, shows, untilUpToDate } from '../../support/panel-page.ts';
import { faultsInPortuguese } from './looks.ts';
import { PAULA, type Panel } from './setting.ts';

/** The requests of keys. */
export const describeLogs = ({ made, leave, signIn }: Panel): void => {
  it.concurrent('a request that was refused is found in the log, with its fault and without a value of its payer', async () => {
    const { headers } = await made()
      .key.post('/v1/charges', { ...aCardRequest(), currency: 'real' })
      .expect(400);
    const id = headers['x-request-id'];
    const page = await signIn(PAULA, `/logs?requestId=${id}`);
    await shows(page, 'HTTP 400');
    await click(page, 'button', 'Details');
    const text = await shows(page, '"currency": "real"');
    expect(text).toContain('"number": "***"');
    expect(text).toContain('currency must be');
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const colors of ['dark', 'light'] as const) {
      await useColors(page, colors);
      await picture(page, `panel-log-entry-${colors}`);
    }
    await click(page, 'button', 'Close');
    await page.evaluate(`history.pushState(null, '', '/panel/logs')`);
    await untilUpToDate(page);
    // Failed requests come first, whenever they were.
    const first = await page.$eval('tbody tr', (row) => row.innerText);
    expect(first).toMatch(/HTTP 4\d\d/);
    await page.select('select[name=failed]', 'false');
    await shows(page, 'HTTP 201');
    await picture(page, 'panel-logs');
    await leave(page);
    const operator = await signIn(OPERATOR, `/logs?requestId=${id}`, { language: 'pt-BR' });
    await find(operator, 'heading', 'Registro de requisições');
    await shows(operator, 'HTTP 400');
    await click(operator, 'button', 'Detalhes');
    await shows(operator, '"currency": "real"');
    expect(await faultsInPortuguese(operator, 'panel-log-entry')).toEqual([]);
    await click(operator, 'button', 'Fechar');
    await leave(operator);
  });
};
