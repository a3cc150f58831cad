import { accessibilityFaults, picture } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import { click, fill, find, shows, submit, untilClosed, untilUpToDate } from '../../support/panel-page.ts';
import { faultsInPortuguese } from './looks.ts';
import type { Panel } from './setting.ts';

/** Notes for colleagues. */
export const describeNotes = ({ made, company, leave, signIn }: Panel): void => {
  it.concurrent('a note is written beside a charge, stands in its timeline, is found by its words, and is deleted', async () => {
    const shop = await company('notes@example.test');
    const id = await shop.charge();
    const page = await signIn(shop.who, `/charges/${id}`);
    await find(page, 'heading', 'Timeline');
    await click(page, 'button', 'Add note');
    await shows(page, 'Your colleagues and the people of the gateway can read it.');
    await fill(page, 'text', 'Waits for the green umbrella');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'panel-note-dialog');
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Waits for the green umbrella');
    await shows(page, 'by you');
    await picture(page, 'panel-note-timeline');
    await page.evaluate(`history.pushState(null, '', '/panel/search?q=green umbrella')`);
    await click(page, 'link', 'Waits for the green umbrella');
    await find(page, 'heading', 'Timeline');
    await click(page, 'button', 'Delete note');
    await shows(page, 'The text is gone for everybody.');
    await submit(page);
    await untilClosed(page);
    await untilUpToDate(page);
    expect(await page.$eval('main', (main) => main.innerText)).not.toContain('green umbrella');
    await leave(page);
  });

  it.concurrent('operators write about merchants, where the merchant does not see it', async () => {
    const page = await signIn(OPERATOR, `/merchants/${made().merchant.id}`, { language: 'pt-BR' });
    await click(page, 'button', 'Anotar');
    await shows(page, 'Só as pessoas do gateway podem ler.');
    await fill(page, 'text', 'Paga sempre no dia dez');
    expect(await faultsInPortuguese(page, 'panel-note-dialog')).toEqual([]);
    await submit(page);
    await untilClosed(page);
    await shows(page, 'Paga sempre no dia dez');
    expect(await faultsInPortuguese(page, 'panel-note-merchant')).toEqual([]);
    await click(page, 'button', 'Excluir anotação');
    await shows(page, 'O texto some para todos.');
    expect(await faultsInPortuguese(page, 'panel-note-delete')).toEqual([]);
    await page.keyboard.press('Escape');
    const { body } = await made().key.getAfter('latest', '/v1/search?q=sempre no dia');
    expect(body.data).toEqual([]);
    await leave(page);
  });
};
