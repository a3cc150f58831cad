import { escaped, headOf, type Locale, moneyIn, PAGE_STYLE } from '../../platform/http/html-page.ts';
import { CANCELLED, type Charge, EXPIRED, isOver } from '../charges/write/charge.ts';
import { barcodeSvg } from './barcode.ts';
import { SCRIPT } from './pay-page-assets.ts';
import { type Words, wordsOf } from './pay-page-words.ts';
import { timeLeft } from './time-left.ts';

/** Where a charge's payable page is; null where it has none. */
export const payUrlOf = ({ instructions }: Charge): string | null => {
  switch (instructions?.type) {
    case 'voucher':
      return instructions.paymentUrl;
    case 'banktransfer':
    case 'qrcode':
      return instructions.payUrl;
    default:
      return null;
  }
};

/** Data of a page besides the charge. */
export type PayPage = {
  readonly charge: Charge;
  readonly merchant: { readonly legalName: string; readonly timeZone: string };
  /** The last part of the page's address. */
  readonly token: string;
  /** The page's own address as an image to scan (a data URL); null but for QR codes. */
  readonly qrCode: string | null;
  readonly locale: Locale;
  readonly now: Date;
};

/** The state of a page: another one where the charge has changed, or is shown in another language. */
export const versionOf = ({ version }: Charge, locale: Locale): string => `"${version}-${locale}"`;

const timeOf = (at: string, locale: Locale, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at));

/** Whether something may still happen to the charge without the payer. */
const isOpen = ({ status }: Charge): boolean =>
  ['pending', 'in_analysis', 'authentication_required'].includes(status);

/** The page on which a payer sees what to pay. In the test environment the payer pays it or lets it fail. */
export const payPageHtml = (page: PayPage): string => {
  const { charge, merchant, locale } = page;
  const words = wordsOf(locale);
  const amount = escaped(moneyIn(charge.amount, charge.currency, locale));
  const name = escaped(merchant.legalName);
  const state = stateOf(charge, words);
  const refresh = isOpen(charge) ? '<noscript><meta http-equiv="refresh" content="15"></noscript>' : '';
  return `${headOf(locale, `${amount} – ${name}`, PAGE_STYLE, refresh)}
<body>
<main data-version="${escaped(versionOf(charge, locale))}"${isOpen(charge) ? '' : ' data-final="true"'}>
<h1>${name}</h1>
<p class="amount">${amount}</p>
<p class="state ${charge.status}" role="status">${state}</p>
<div class="details">
<dl>${factsOf(page, words)}</dl>
${charge.status === 'pending' ? codeOf(page, words) : ''}
${buttonsOf(page, words)}
<p class="note">${words.testNote}</p>
</div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
};

/** The page to which a payer comes back from the bank where the charge names no other. */
export const returnPageHtml = (locale: Locale): string => {
  const words = wordsOf(locale);
  return `${headOf(locale, words.returned, PAGE_STYLE)}
<body>
<main data-final="true">
<h1>${words.returned}</h1>
<p>${words.returnedNote}</p>
</main>
</body>
</html>
`;
};

const factsOf = ({ charge, merchant, locale, now }: PayPage, words: Words): string => {
  const { paymentMethod: method, instructions, expiresAt, reference } = charge;
  const fact = (term: string, html: string | null | undefined, classes = ''): string =>
    html ? `<dt${classes}>${term}</dt><dd${classes}>${html}</dd>` : '';
  const text = (value: string | null): string | null => (value === null ? null : escaped(value));
  const timer = (deadline: string): string =>
    `<time role="timer" datetime="${deadline}">${timeLeft(Date.parse(deadline) - now.getTime(), locale)}</time>`;
  return [
    fact(words.method, words.methods[method.type as keyof Words['methods']]),
    fact(words.bank, method.type === 'banktransfer' ? text(method.bankName) : null),
    fact(words.ticket, instructions?.type === 'voucher' ? text(instructions.paymentCode) : null),
    fact(words.reference, text(reference)),
    fact(
      words.payUntil,
      expiresAt &&
        `<time datetime="${expiresAt}">${escaped(timeOf(expiresAt, locale, merchant.timeZone))}</time>`,
    ),
    // Printed, it would stand still.
    fact(
      words.timeLeft,
      charge.status === 'pending' && expiresAt ? timer(expiresAt) : null,
      ' class="screen"',
    ),
  ].join('');
};

/** Codes for the counter or a phone. */
const codeOf = ({ charge: { instructions }, qrCode }: PayPage, words: Words): string => {
  if (instructions?.type === 'voucher')
    return `<figure><div class="code">${barcodeSvg(instructions.barcode, words.barcode)}</div>
<figcaption><span class="digits">${instructions.barcode}</span><br><span class="note screen">${words.voucherHelp}</span></figcaption></figure>
<button type="button" data-print hidden>${words.print}</button>`;
  if (qrCode === null) return '';
  return `<figure><div class="code"><img alt="${words.qrCode}" src="${escaped(qrCode)}"></div>
<figcaption class="note">${words.qrCodeHelp}</figcaption></figure>`;
};

const stateOf = ({ failureReason, status }: PayPage['charge'], words: Words): string => {
  if (failureReason === EXPIRED) return words.expired;
  return failureReason === CANCELLED ? words.cancelled : words.states[status];
};

const buttonsOf = ({ charge, token }: PayPage, words: Words): string => {
  const form = (action: string, label: string): string =>
    `<form method="post" action="${escaped(`${token}/${action}`)}"><button class="${action}">${label}</button></form>`;
  if (charge.status === 'pending') return form('pay', words.pay) + form('fail', words.fail);
  if (isOver(charge)) return `${form('pay', words.payLate)}<p class="note screen">${words.payLateNote}</p>`;
  return '';
};
