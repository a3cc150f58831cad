import type { Response } from 'supertest';
import { aCardRequest, aDueRequest } from '../builders.ts';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { type Client, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
const browser = useBrowser();

let client: Client;
beforeAll(async () => {
  const merchant = await gateway().createMerchant({
    legalName: 'Loja & Café',
    timeZone: 'America/Sao_Paulo',
  });
  client = withKey(gateway, merchant.testKey);
});

type Method = 'voucher' | 'banktransfer' | 'qrcode' | 'pix';
const METHODS: readonly Method[] = ['voucher', 'banktransfer', 'qrcode', 'pix'];

const create = async (type: Method, changes: object = {}): Promise<Response['body']> => {
  const identified = { identifyType: 'dni', identifyNumber: '12345678' };
  const paymentMethod = {
    type,
    installments: 1,
    ...(type === 'pix' ? {} : identified),
    ...(type === 'banktransfer' ? { bankName: 'Banco Um' } : {}),
  };
  const request = { ...aCardRequest({ amount: 1250.5, currency: 'ARS' }), paymentMethod, ...changes };
  return (await client.post('/v1/charges', request).expect(201)).body;
};
const urlOf = ({ paymentDetails }: Response['body']): string =>
  paymentDetails.paymentUrl ?? paymentDetails.payUrl;
const help = (id: string, what: string) => client.post(`/v1/test-helpers/charges/${id}/${what}`).expect(200);

describe('a payable page in a browser', () => {
  it.each([
    ['pt-BR', 'light', 'R$ 1.250,50', 'Aguardando o seu pagamento'],
    ['es-AR', 'dark', 'BRL 1.250,50', 'Esperando su pago'],
    ['es-419', 'dark', 'BRL 1,250.50', 'Esperando su pago'],
    ['en-GB', 'light', 'R$1,250.50', 'Waiting for your payment'],
  ] as const)('speaks %s in %s colours, and axe finds no fault', async (language, colors, amount, state) => {
    for (const method of METHODS) {
      const page = await browser().open({ language, colors, width: 400 });
      await page.goto(urlOf(await create(method, { currency: 'BRL' })));
      const text = await page.$eval('main', (main) => main.innerText.replaceAll('\u00a0', ' '));
      expect(text).toContain(amount);
      expect(text).toContain(state);
      await picture(page, `${method}-${language}-${colors}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewport({ width: 320, height: 900 });
      await picture(page, `${method}-${language}-narrow`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.close();
    }
  });

  it.each(['pt-BR', 'es-AR', 'en-GB'])(
    'of a Pix with a due date has no fault in %s, and fits a phone',
    async (language) => {
      const charge = (await client.post('/v1/charges', aDueRequest(20)).expect(201)).body;
      const page = await browser().open({ language, width: 400 });
      await page.goto(urlOf(charge));
      const text = await page.$eval('main', (main) => main.innerText.replaceAll('\u00a0', ' '));
      expect(text).toMatch(/237[.,]50/);
      await picture(page, `due-${language}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewport({ width: 320, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await Promise.all([page.waitForNavigation(), page.click('button.pay')]);
      expect((await client.get(`/v1/charges/${charge.id}`).expect(200)).body).toMatchObject({
        status: 'paid',
        paidAmount: 237.5,
      });
      await page.close();
    },
  );

  it('copies a code whole, though its digits are in groups', async () => {
    const charge = await create('voucher');
    const page = await browser().open();
    await page.evaluateOnNewDocument(
      'navigator.clipboard.writeText = async (text) => { window.copied = text; };',
    );
    await page.goto(urlOf(charge));
    await page.click('figure [data-copy]');
    expect(await page.evaluate('window.copied')).toBe(charge.paymentDetails.barcode);
    expect(await page.$eval('figure [data-copy]', ({ textContent }) => textContent)).toBe('Copied');
    expect((await page.$$('figure .digits > span')).length).toBeGreaterThan(2);
    const pix = await create('pix', { currency: 'BRL' });
    await page.goto(urlOf(pix));
    await page.click('[data-copy]');
    expect(await page.evaluate('window.copied')).toBe(pix.paymentDetails.copyPaste);
    await page.close();
  });

  it('offers a phone its code first, and what another device scans folded', async () => {
    const charge = await create('pix', { currency: 'BRL' });
    const page = await browser().open({ width: 360, language: 'pt-BR' });
    const isOpen = () => page.$eval('details.scan', (scan) => scan.hasAttribute('open'));
    await page.goto(urlOf(charge));
    expect(await isOpen()).toBe(true);
    await page.setViewport({ width: 360, height: 740, isMobile: true, hasTouch: true });
    await page.goto(urlOf(charge));
    expect(await isOpen()).toBe(false);
    await picture(page, 'pix-phone');
    expect(await accessibilityFaults(page)).toEqual([]);
    await Promise.all([page.waitForNavigation(), page.click('button.pay')]);
    expect((await client.get(`/v1/charges/${charge.id}`).expect(200)).body.status).toBe('paid');
    await page.close();
  });

  it('counts down, and follows the charge by itself without being loaded again', async () => {
    const charge = await create('qrcode');
    const page = await browser().open();
    await page.goto(urlOf(charge));
    const shown = () => page.$eval('[role=timer]', ({ textContent }) => textContent);
    const first = await shown();
    expect(first).toMatch(/^00:59:\d\d$/);
    await pollUntil(shown, (now) => now !== first);
    await page.evaluate('window.isTheSame = true');
    await help(charge.id, 'pay');
    const state = () => page.$eval('[role=status]', ({ textContent }) => textContent);
    await pollUntil(state, (now) => now === 'Paid. Thank you!');
    expect(await page.evaluate('window.isTheSame')).toBe(true);
    expect(await page.$$('form, img, [role=timer]')).toEqual([]);
    await page.close();
  });

  it('follows the charge without JavaScript, too', async () => {
    const charge = await create('banktransfer');
    const page = await browser().open({ scripts: false, language: 'es' });
    await page.goto(urlOf(charge));
    await help(charge.id, 'refuse');
    await pollUntil(
      // There is nothing to read while the page loads itself anew.
      () => page.content().catch(() => ''),
      (content) => content.includes('El pago fue rechazado'),
    );
    await page.close();
  });

  it('is paid by its button', async () => {
    const charge = await create('voucher');
    const page = await browser().open({ language: 'pt' });
    await page.goto(urlOf(charge));
    await Promise.all([page.waitForNavigation(), page.click('button.pay')]);
    expect(await page.$eval('[role=status]', ({ textContent }) => textContent)).toBe('Pago. Obrigado!');
    expect((await client.get(`/v1/charges/${charge.id}`).expect(200)).body.status).toBe('paid');
    await picture(page, 'paid');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.close();
  });

  it('prints a voucher with what is scanned, in its size on paper, and without buttons', async () => {
    const page = await browser().open({ colors: 'dark' });
    await page.goto(urlOf(await create('voucher')));
    expect(await page.$eval('[data-print]', (button) => button.checkVisibility())).toBe(true);
    await page.emulateMediaType('print');
    const visible = await page.$$eval('button, form, [role=timer]', (elements) =>
      elements.filter((element) => element.checkVisibility()),
    );
    expect(visible).toEqual([]);
    const { width, height } = await page.$eval('figure svg', (svg) => {
      const box = svg.getBoundingClientRect();
      return { width: box.width, height: box.height };
    });
    // CSS has 96 pixels an inch.
    expect([width, height].map((pixels) => Math.round((pixels / 96) * 25.4))).toEqual([103, 13]);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    await picture(page, 'printed');
    await page.close();
  });

  it('shows what others wrote as text, in every field', async () => {
    const canary = (name: string): string => `'"><img src=x onerror=canary('${name}')><script>`;
    const merchant = await gateway().createMerchant({ legalName: canary('legalName') });
    const paymentMethod = {
      type: 'banktransfer',
      installments: 1,
      identifyType: 'dni',
      identifyNumber: '12345678',
      bankName: canary('bankName'),
    };
    const { body } = await withKey(gateway, merchant.testKey)
      .post('/v1/charges', {
        ...aCardRequest({ amount: 10, currency: 'BRL', reference: canary('reference') }),
        paymentMethod,
      })
      .expect(201);
    const page = await browser().open();
    const sung: unknown[] = [];
    await page.exposeFunction('canary', (name: unknown) => sung.push(name));
    await page.goto(urlOf(body));
    const text = await page.$eval('main', ({ textContent }) => textContent ?? '');
    for (const name of ['legalName', 'bankName', 'reference']) expect(text).toContain(canary(name));
    expect(await page.title()).toContain(canary('legalName'));
    expect(await page.$$('img')).toHaveLength(0);
    // A script that got in all the same would be held off by the policy.
    await page
      .evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(canary('policy'))}`)
      .catch(() => undefined);
    expect(sung).toEqual([]);
    await page.close();
  });
});
