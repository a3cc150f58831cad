import { aCharge, later, NOW } from '../../../test/builders.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { localeOf } from '../../platform/http/html-page.ts';
import { CHARGE_STATUSES, type Charge } from '../charges/write/charge.ts';
import { type PayPage, payPageHtml, payUrlOf } from './pay-page.ts';
import { PAGE_POLICY } from './pay-page-assets.ts';
import { wordsOf } from './pay-page-words.ts';
import { timeLeft } from './time-left.ts';

const aVoucher = (changes: Partial<Charge> = {}): Charge =>
  aCharge({
    currency: 'CLP',
    amount: 1_500_000,
    paymentMethod: { type: 'voucher', identifyType: 'dni', identifyNumber: '12345678' },
    instructions: {
      type: 'voucher',
      barcode: '0123456789',
      paymentCode: '<b>1</b>',
      paymentUrl: 'https://gateway.example.test/pay/chg_1/secret',
    },
    expiresAt: later(2 * 86_400 + 60).toISOString(),
    ...changes,
  });
const pageOf = (charge: Charge, changes: Partial<PayPage> = {}): string =>
  payPageHtml({
    charge,
    merchant: { legalName: 'Loja', timeZone: 'America/Sao_Paulo' },
    token: 'secret',
    qrCode: null,
    locale: 'en',
    now: NOW,
    ...changes,
  }).replaceAll(/[\u00a0\u202f]/g, ' ');

describe('a payable page', () => {
  it('shows what is to be paid, and two buttons while it is pending', () => {
    const html = pageOf(aVoucher());
    expect(html).toContain('CLP 1,500,000<');
    expect(html).toContain('<svg');
    expect(html.match(/<form method="post" action="secret\/(pay|fail)">/g)).toHaveLength(2);
  });

  it.each([
    ['en', 'The last day to pay is over', '2026-06-30T12:00:00.000Z', 'Waiting for your payment', 'R$102.29'],
    ['pt-BR', 'O último dia para pagar passou', '2026-07-02T12:00:00.000Z', 'Aguardando', 'R$ 102,29'],
    ['es-AR', 'El último día para pagar pasó', '2026-07-05T12:00:00.000Z', 'Esperando', 'BRL 102,29'],
  ])(
    'says in %s that the last day is over, with the amount of that day',
    (locale, over, at, waiting, amount) => {
      const terms = {
        ...{ dueDate: '2026-06-19', daysAfterDue: 10, discounts: null, rebate: null },
        fine: { type: 'percentage', value: 2_00 },
        interest: { type: 'percentage', value: 87, per: 'month', days: 'calendar' },
      } as const;
      const charge = aCharge({
        paymentMethod: { type: 'pix', due: terms },
        instructions: { type: 'pix', endToEndId: null, copyPaste: '0002' },
      });
      const page = (now: string): string =>
        pageOf(charge, { locale, now: new Date(now), qrCode: 'data:image/png,' });
      const before = page('2026-06-29T12:00:00.000Z');
      expect(before).toContain(`<p class="amount">${amount}</p>`);
      expect([before.includes(waiting), before.includes('<h2>')]).toEqual([true, true]);
      const after = page(at);
      expect(after).toContain(`<p class="amount">${amount}</p>`);
      expect(after).toContain(over);
      expect([after.includes(waiting), after.includes('<h2>'), after.includes('0002')]).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  it.each([
    ['pt-BR', 'BRL', 123_456, 'R$ 1.234,56'],
    ['es-AR', 'ARS', 123_456, '$ 1.234,56'],
    ['en', 'KWD', 1_234_567, 'KWD 1,234.567'],
    // Two digits by ISO 4217; people leave them out, and the payer has to know.
    ['en', 'COP', 150_050, 'COP 1,500.50'],
    ['pt', 'JPY', 1_500, 'JP¥ 1.500'],
  ])('writes amounts as people do in %s: %s', (locale, currency, amount, shown) => {
    expect(pageOf(aVoucher({ currency, amount }), { locale })).toContain(`<p class="amount">${shown}</p>`);
  });

  it.each([
    ['pt-BR', 'quarta-feira, 17 de junho de 2026 às 09:01 BRT', '2 dias, 00:01:00'],
    ['es-AR', 'miércoles, 17 de junio de 2026, 9:01 a. m. GMT-3', '2 días, 00:01:00'],
    ['en-US', 'Wednesday, June 17, 2026 at 9:01 AM GMT-3', '2 days, 00:01:00'],
  ])('says in the words of %s until when there is time, by the merchant’s clock', (locale, until, left) => {
    const html = pageOf(aVoucher(), { locale });
    expect(html).toContain(`<html lang="${locale}">`);
    expect(html).toContain(`<time datetime="2026-06-17T12:01:00.000Z">${until}</time>`);
    expect(html).toContain(`<time role="timer" datetime="2026-06-17T12:01:00.000Z">${left}</time>`);
  });

  it('escapes what others wrote, in every field', () => {
    const canary = `"'><img src=x onerror='x'><script>alert(1)</script>`;
    const charge = aVoucher({
      reference: canary,
      paymentMethod: { type: 'banktransfer', bankName: canary, identifyType: canary, identifyNumber: canary },
    });
    const html = pageOf(charge, {
      merchant: { legalName: canary, timeZone: 'UTC' },
      token: canary,
      qrCode: canary,
    });
    expect(html.match(/<(script|img|b)\b/g)).toEqual(['<script']);
    const escapedOnce = html.split('&quot;&#39;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;').length - 1;
    // Title, heading, bank, reference, and two forms.
    expect(escapedOnce).toBe(6);
    const image = pageOf({ ...charge, instructions: null }, { qrCode: canary });
    expect(image.match(/<img/g)).toHaveLength(1);
    expect(image).not.toContain(canary);
  });

  it.each([
    ['paid', null, 'Paid', 0],
    ['refused', 'card_declined', 'was refused', 0],
    ['failed', 'failed_by_payer', 'failed', 0],
    ['failed', 'expired', 'time to pay has passed', 1],
  ] as const)('says of a %s charge (%s): %s', (status, failureReason, text, forms) => {
    const html = pageOf(aVoucher({ status, failureReason }));
    expect(html).toContain(text);
    expect(html.match(/<form/g) ?? []).toHaveLength(forms);
    expect(html).not.toContain('<svg');
    expect(html).not.toContain('<time role="timer"');
  });

  it.each(CHARGE_STATUSES)('is looked at again where a %s charge may change without the payer', (status) => {
    const html = pageOf(aVoucher({ status }));
    const isOpen = ['pending', 'in_analysis', 'authentication_required'].includes(status);
    expect(html.includes('<noscript><meta http-equiv="refresh"')).toBe(isOpen);
    expect(html.includes('data-final')).toBe(!isOpen);
  });

  it('runs no script but its own, and loads nothing from elsewhere', () => {
    const source = "'sha256-[\\w+/]{43}='";
    expect(PAGE_POLICY).toMatch(
      new RegExp(
        `^default-src 'none'; style-src ${source}; script-src ${source}; connect-src 'self'; img-src data:;`,
      ),
    );
    expect(PAGE_POLICY).not.toContain('unsafe');
    expect(pageOf(aVoucher())).not.toMatch(/\bon\w+=|style=|src="http/);
  });

  it('copies a code whole, and shows its digits in groups', () => {
    const html = pageOf(aVoucher());
    expect(html).toContain('<span>0123</span><span>4567</span><span>89</span>');
    expect(html).toContain('data-copy="0123456789"');
  });

  it('has an address for each method but cards', () => {
    expect(payUrlOf(aVoucher())).toBe('https://gateway.example.test/pay/chg_1/secret');
    expect(payUrlOf(aCharge({ instructions: { type: 'qrcode', payUrl: 'https://x.test/1' } }))).toBe(
      'https://x.test/1',
    );
    expect(payUrlOf(aCharge())).toBeNull();
    const pix = { type: 'pix', endToEndId: 'E', copyPaste: '0' } as const;
    expect(payUrlOf(aCharge({ instructions: pix, payUrl: 'https://x.test/2' }))).toBe('https://x.test/2');
    expect(payUrlOf(aCharge({ instructions: pix }))).toBeNull();
  });
});

describe('the language of a page', () => {
  it.each([
    [['pt-BR', 'en'], 'pt-BR'],
    [['de-DE', 'es-ar', 'en'], 'es-AR'],
    [['fr', 'pt'], 'pt'],
    [['zh-Hans-CN', '*'], 'en'],
    [[], 'en'],
    [['en-u-nu-thai', 'es-419'], 'en'],
    [['es-419', 'en'], 'es-419'],
    [['fr-FR', 'pt-Latn-BR'], 'pt-BR'],
    [['not a tag', 'ES-mx'], 'es-MX'],
  ])('is, of %j, %s', (accepted, locale) => {
    expect(localeOf(accepted)).toBe(locale);
    expect(wordsOf(localeOf(accepted)).pay).not.toBe('');
  });
});

describe('the time that is left', () => {
  it.each([
    [-5_000, '00:00:00'],
    [0, '00:00:00'],
    [59_999, '00:00:59'],
    [3_599_000, '00:59:59'],
    [86_399_000, '23:59:59'],
    [DAY_MS, '1 day, 00:00:00'],
    [3 * DAY_MS, '3 days, 00:00:00'],
  ])('of %d milliseconds is %s', (milliseconds, text) => {
    expect(timeLeft(milliseconds, 'en')).toBe(text);
  });
});
