import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialog, ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { accessibilityFaults } from '../../support/browser.ts';
import { OPERATOR } from '../../support/gateway.ts';
import {
  click,
  fill,
  find,
  press,
  shows,
  showsEvent,
  submit,
  until,
  untilClosed,
} from '../../support/panel-page.ts';
import { pdfOf } from '../../support/pdf.ts';
import { volume } from '../../support/volume.ts';
import { PAULA, type Panel, PICTURE } from './setting.ts';

/** Lists after an action, and reviews of sub-merchants. */
export const describeReviews = ({ made, charge, company, leave, signIn }: Panel): void => {
  it.concurrent('a list after an action has it, each time', async () => {
    const { who, key } = await company('elena@example.test');
    await key.post('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/closed', events: ['*'] }).expect(201);
    const page = await signIn(who, '/webhooks/endpoints');
    const actions = volume({ usual: 4, proof: 1_000 });
    for (let count = 1; count <= actions; count += 1) {
      const description = `action ${count} of ${actions}`;
      await click(page, 'button', 'Edit');
      await fill(page, 'description', description);
      await submit(page);
      await untilClosed(page);
      expect(await page.$eval('tbody', ({ innerText }) => innerText)).toContain(description);
    }
    await leave(page);
  });

  it.concurrent('an action before the screen is complete drops the answer that is older', async () => {
    const id = await charge({ paymentMethod: { type: 'pix', installments: 1 } });
    const older = (await made().key.get(`/v1/charges/${id}/timeline`).expect(200)).body;
    const page = await signIn(PAULA);
    const held: HTTPRequest[] = [];
    const hold = (request: HTTPRequest): void => {
      if (held.length === 0 && request.url().endsWith('/timeline')) held.push(request);
      else void request.continue();
    };
    await page.setRequestInterception(true);
    page.on('request', hold);
    await page.evaluate(`history.pushState(null, '', '/panel/charges/${id}')`);
    await click(page, 'button', 'Pay as a test');
    await submit(page);
    const isPaid = 'document.querySelector("main .heading .status")?.textContent === "paid"';
    await until(page, isPaid);
    // The window may have closed this request itself.
    await held[0]
      ?.respond({ contentType: 'application/json', body: JSON.stringify(older) })
      .catch(() => null);
    await showsEvent(page, 'charge.paid');
    page.off('request', hold);
    await page.setRequestInterception(false);
    await leave(page);
  });

  /** A sub-merchant with these documents. */
  const reviewed = async (documents: Readonly<Record<string, Buffer>>): Promise<string> => {
    const company = { legalName: 'Banca da Bia', email: 'bia@example.test' };
    const { id } = (await made().key.post('/v1/submerchants', company).expect(201)).body;
    for (const [fileName, bytes] of Object.entries(documents)) {
      const document = { type: 'identity', fileName, content: bytes.toString('base64') };
      await made().key.post(`/v1/submerchants/${id}/documents`, document).expect(201);
    }
    return id;
  };

  /** Has a document of the list shown, by keyboard. */
  const show = async (page: Page, fileName: string): Promise<void> => {
    const row = `[...document.querySelectorAll('.list tr')].find((row) => row.innerText.includes('${fileName}'))`;
    const button = await until(page, `${row}?.querySelector('td.actions button')`);
    await (button as ElementHandle).focus();
    await page.keyboard.press('Enter');
  };

  /** The page of a PDF has this colour in its middle. */
  const untilDrawn = (page: Page, color: string) =>
    page.waitForFunction(
      `((canvas) => canvas?.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1)
        .data.slice(0, 3).join() === '${color}')(document.querySelector('aside canvas'))`,
    );

  it.concurrent('a review shows a PDF beside the form page by page, scans included', async () => {
    const red = '1 0 0 rg 0 0 200 280 re f';
    // Eight white lines by fax (ITU-T T.6), painted in blue.
    const scan =
      '0 0 1 rg q 200 0 0 280 0 0 cm BI /IM true /W 8 /H 8 /BPC 1 /D [1 0] /F [/AHx /CCF]' +
      ' /DP [null << /K -1 /Columns 8 /Rows 8 >>] ID FF001001> EI Q';
    const id = await reviewed({ 'two.pdf': pdfOf({ pages: [red, scan] }) });
    const page = await signIn(OPERATOR, `/submerchants/${id}`);
    await show(page, 'two.pdf');
    await untilDrawn(page, '255,0,0');
    expect(await accessibilityFaults(page)).toEqual([]);
    const isBeside = `document.querySelector('aside').getBoundingClientRect().left >
      document.querySelector('.stack').getBoundingClientRect().right`;
    expect(await page.evaluate(isBeside)).toBe(true);
    await press(page, 'Next');
    await untilDrawn(page, '0,0,255');
    const name = await page.$eval('aside canvas', (canvas) => canvas.getAttribute('aria-label'));
    expect(name).toBe('two.pdf, Page 2 of 2');
    await page.setViewport({ width: 320, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await page.evaluate('window.noted')).toEqual([]);
    await leave(page);
  });

  it.concurrent('a review lets nothing in a PDF act, and has one saved that cannot be shown', async () => {
    const script = '<< /S /JavaScript /JS (app.alert\\(1\\); canary\\(\\)) >>';
    const link = `/Rect [0 0 200 280] /A << /S /URI /URI (javascript:canary\\(\\)) >>`;
    const acting = pdfOf({
      pages: ['0 1 0 rg 0 0 200 280 re f BT /F 12 Tf (<img src=x onerror=canary\\(\\)>) Tj ET'],
      catalog: `/OpenAction ${script} /Names << /JavaScript << /Names [(first) ${script}] >> >>`,
      page: `/AA << /O ${script} >> /Annots [<< /Type /Annot /Subtype /Link ${link} >>]`,
    });
    const broken = Buffer.from('%PDF-1.7 and nothing else');
    const id = await reviewed({ 'acting.pdf': acting, 'broken.pdf': broken });
    const page = await signIn(OPERATOR, `/submerchants/${id}`);
    const boxes: string[] = [];
    const note = (box: Dialog): void => {
      boxes.push(box.message());
      void box.dismiss();
    };
    page.on('dialog', note);
    await show(page, 'acting.pdf');
    await untilDrawn(page, '0,255,0');
    await page.click('aside canvas');
    await show(page, 'broken.pdf');
    await shows(page, 'This PDF cannot be shown here.');
    expect([boxes, await page.evaluate('window.noted')]).toEqual([[], []]);
    await page.evaluate('URL.createObjectURL = (file) => { window.saved = file.text(); return ""; }');
    await click(page, 'button', 'Save');
    expect(await (await until(page, 'window.saved')).jsonValue()).toBe(broken.toString());
    page.off('dialog', note);
    await leave(page);
  });

  it.concurrent('a review shows the document beside the form, and approves only the version that was seen', async () => {
    const page = await signIn(OPERATOR, `/submerchants/${made().sub.id}`);
    await click(page, 'button', 'Show');
    await page.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
    await click(page, 'button', 'Approve');
    await find(page, 'textbox', 'Reason');
    await made()
      .key.call('patch', `/v1/submerchants/${made().sub.id}`, { phone: '+5511999990000' })
      .expect(200);
    await submit(page);
    await shows(page, 'VERSION_CHANGED');
    await page.keyboard.press('Escape');
    await shows(page, '+5511999990000');
    await click(page, 'button', 'Approve');
    await submit(page);
    await find(page, 'button', 'Block');
    expect(await page.evaluate('window.noted')).toEqual([]);
    await leave(page);
  });

  it.concurrent('a merchant submits the evidence of a dispute, which an operator reads and decides on', async () => {
    const { who, key, charge: pay } = await company('davi@example.test');
    const id = await pay();
    await key.post(`/v1/test-helpers/charges/${id}/chargeback`).expect(200);
    const dispute = id.replace('chg_', 'dsp_');
    const page = await signIn(who, '/disputes');
    await click(page, 'link', 'Dispute');
    await shows(page, 'No evidence is attached.');
    await click(page, 'button', 'Attach evidence');
    const folder = mkdtempSync(join(tmpdir(), 'portico-evidence-'));
    writeFileSync(join(folder, 'receipt.png'), Buffer.from(PICTURE, 'base64'));
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('dialog input[type=file]')]);
    await chooser.accept([join(folder, 'receipt.png')]);
    await click(page, 'button', 'Upload');
    await untilClosed(page);
    await shows(page, 'receipt.png');
    rmSync(folder, { recursive: true });
    await click(page, 'button', 'Submit evidence');
    await submit(page);
    await untilClosed(page);
    await leave(page);

    const other = await signIn(OPERATOR, `/disputes/${dispute}`);
    await click(other, 'button', 'Show');
    await other.waitForFunction('document.querySelector("aside img")?.naturalWidth === 1');
    await click(other, 'button', 'Won');
    await submit(other);
    await untilClosed(other);
    await until(other, 'document.querySelector("main .heading .status")?.textContent === "won"');
    expect(await other.evaluate('window.noted')).toEqual([]);
    await leave(other);
  });
};
