import { aCharge, later } from '../../../test/builders.ts';
import type { Charge } from '../charges/write/charge.ts';
import { PAGE_POLICY, payPageHtml, payUrlOf } from './pay-page.ts';

const aVoucher = (changes: Partial<Charge> = {}): Charge =>
  aCharge({
    currency: 'CLP',
    amount: 1_500,
    paymentMethod: { type: 'voucher', identifyType: 'dni', identifyNumber: '12345678' },
    instructions: {
      type: 'voucher',
      barcode: '0123456789',
      paymentCode: '<b>1</b>',
      paymentUrl: 'https://gateway.example.test/pay/chg_1/secret',
    },
    expiresAt: later(60).toISOString(),
    ...changes,
  });
const pageOf = (charge: Charge, merchantName = 'Loja'): string =>
  payPageHtml({ charge, merchantName, token: 'secret', qrCode: null });

describe('a payable page', () => {
  it('shows what is to be paid, with the decimals of the currency, and two buttons while it is pending', () => {
    const html = pageOf(aVoucher());
    expect(html).toContain('CLP 1500<');
    expect(html).toContain('<svg');
    expect(html.match(/<form method="post" action="secret\/(pay|fail)">/g)).toHaveLength(2);
  });

  it('escapes whatever others wrote', () => {
    const html = pageOf(aVoucher({ reference: `"><img src=x onerror='x'>` }), '<script>alert(1)</script>');
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('&#39;');
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
  });

  it('runs no script and loads nothing', () => {
    expect(PAGE_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:;/);
    expect(PAGE_POLICY).not.toMatch(/unsafe|script-src/);
  });

  it('has an address for each method but cards and Pix', () => {
    expect(payUrlOf(aVoucher())).toBe('https://gateway.example.test/pay/chg_1/secret');
    expect(payUrlOf(aCharge({ instructions: { type: 'qrcode', payUrl: 'https://x.test/1' } }))).toBe(
      'https://x.test/1',
    );
    expect(payUrlOf(aCharge())).toBeNull();
    expect(payUrlOf(aCharge({ instructions: { type: 'pix', endToEndId: 'E', copyPaste: '0' } }))).toBeNull();
  });
});
