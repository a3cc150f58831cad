import { createHash } from 'node:crypto';
import { exponentOf, toDecimal } from '../../kernel/money.ts';
import { type Charge, EXPIRED } from '../charges/write/charge.ts';
import { barcodeSvg } from './barcode.ts';

/** Where a charge's payable page is; null where it has none. */
export const payUrlOf = ({ instructions }: Charge): string | null => {
  if (instructions === null || instructions.type === 'pix') return null;
  return instructions.type === 'voucher' ? instructions.paymentUrl : instructions.payUrl;
};

/** What a page shows besides the charge. */
export type PayPage = {
  readonly charge: Charge;
  readonly merchantName: string;
  /** The last part of the page's address. */
  readonly token: string;
  /** The page's own address as an image to scan (a data URL); null but for QR codes. */
  readonly qrCode: string | null;
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (found) => ESCAPES[found] ?? found);

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f4f7; color: #1d2733; }
  main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border-radius: .75rem; }
  h1 { font-size: 1.1rem; margin: 0; } .amount { font-size: 2rem; font-weight: 600; margin: .25rem 0 1rem; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; } dt { color: #5b6876; }
  dd { margin: 0; overflow-wrap: anywhere; } svg, img { width: 100%; display: block; } img { max-width: 14rem; }
  form { display: inline-block; margin: 1rem .5rem 0 0; } .state { font-weight: 600; }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; cursor: pointer; }
  .pay { background: #0b6e4f; color: #fff; } .note { color: #5b6876; font-size: .875rem; }
`;

/** Nothing but the page's own style and images in it; forms go back to where the page came from. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const STATES: Readonly<Record<string, string>> = {
  pending: 'Waiting for your payment',
  paid: 'Paid. Thank you!',
  refused: 'The payment was refused',
  failed: 'The payment failed',
};

const METHODS: Readonly<Record<string, string>> = {
  voucher: 'Voucher',
  banktransfer: 'Bank transfer',
  qrcode: 'QR code',
};

/** The page on which a payer sees what to pay, and in the test environment pays it or lets it fail. */
export const payPageHtml = ({ charge, merchantName, token, qrCode }: PayPage): string => {
  const { currency, paymentMethod, instructions, status, failureReason } = charge;
  const amount = `${currency} ${toDecimal(charge.amount, currency).toFixed(exponentOf(currency))}`;
  const isExpired = failureReason === EXPIRED;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Method', METHODS[paymentMethod.type] ?? null],
    ['Bank', paymentMethod.type === 'banktransfer' ? paymentMethod.bankName : null],
    ['Ticket', instructions?.type === 'voucher' ? instructions.paymentCode : null],
    ['Reference', charge.reference],
    ['Pay until', charge.expiresAt],
  ];
  const form = (action: string, label: string): string =>
    `<form method="post" action="${escaped(`${token}/${action}`)}"><button class="${action}">${label}</button></form>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(amount)} to ${escaped(merchantName)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(merchantName)}</h1>
<p class="amount">${escaped(amount)}</p>
<p class="state">${isExpired ? 'The time to pay has passed' : (STATES[status] ?? escaped(status))}</p>
<dl>${facts.map(([name, value]) => (value === null ? '' : `<dt>${name}</dt><dd>${escaped(value)}</dd>`)).join('')}</dl>
${status === 'pending' && instructions?.type === 'voucher' ? `${barcodeSvg(instructions.barcode)}<p>${instructions.barcode}</p>` : ''}
${status === 'pending' && qrCode !== null ? `<img alt="QR code" src="${escaped(qrCode)}">` : ''}
${status === 'pending' ? form('pay', 'Pay') + form('fail', 'Let it fail') : ''}
${isExpired ? `${form('pay', 'Pay all the same')}<p class="note">What comes too late is given back at once.</p>` : ''}
<p class="note">Test environment: no money moves.</p>
</main>
</body>
</html>
`;
};
