import { dateOfDay, dayOf } from '../../kernel/business-days.ts';
import { escaped, headOf, type Locale, moneyIn, PAGE_STYLE } from '../../platform/http/html-page.ts';
import {
  CANCELLED,
  type Charge,
  dueTermsOfCharge,
  EXPIRED,
  grossOf,
  isOver,
} from '../charges/write/charge.ts';
import { amountDueOn, duePeriods, lastPayableDay, pixDayOf } from '../providers/pix/due-terms.ts';
import { barcodeSvg } from './barcode.ts';
import { SCRIPT } from './pay-page-assets.ts';
import { type Words, wordsOf } from './pay-page-words.ts';
import { timeLeft } from './time-left.ts';

/** Where a charge's payable page is; null where it has none. */
export const payUrlOf = ({ instructions, payUrl }: Charge): string | null => {
  switch (instructions?.type) {
    case 'voucher':
      return instructions.paymentUrl;
    case 'banktransfer':
    case 'qrcode':
      return instructions.payUrl;
    default:
      return payUrl ?? null;
  }
};

/** Data of a page besides the charge. */
export type PayPage = {
  readonly charge: Charge;
  readonly merchant: { readonly legalName: string; readonly timeZone: string };
  /** The last part of the page's address. */
  readonly token: string;
  /** An image to scan (a data URL): of the page's own address, or of the code of a Pix; null without one. */
  readonly qrCode: string | null;
  readonly locale: Locale;
  readonly now: Date;
};

/**
 * The state of a page: another one where the charge has changed, or is shown in another language; with a due date also
 * on another day.
 */
export const versionOf = (charge: Charge, locale: Locale, now: Date): string => {
  const day = dueTermsOfCharge(charge) ? `-${dateOfDay(pixDayOf(now))}` : '';
  return `"${charge.version}-${locale}${day}"`;
};

/** A day of the calendar in words. */
const dateIn = (date: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(date),
  );

/** The amount that the payer has to pay now, or has paid. */
const amountOf = (charge: Charge, now: Date): number => {
  const terms = charge.status === 'pending' ? dueTermsOfCharge(charge) : null;
  // After the last payable day only a bank knows of a day more, on which it is no less than on that one.
  return terms
    ? amountDueOn(charge.amount, terms, Math.min(pixDayOf(now), lastPayableDay(terms))).amount
    : grossOf(charge);
};

/** Whether the last day to pay is over, and a holiday of the payer's town may have moved it all the same. */
const isLastDayOver = (charge: Charge, now: Date): boolean => {
  const terms = charge.status === 'pending' ? dueTermsOfCharge(charge) : null;
  return terms !== null && pixDayOf(now) > lastPayableDay(terms);
};

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
  const { charge, merchant, locale, now } = page;
  const words = wordsOf(locale);
  const amount = escaped(moneyIn(amountOf(charge, now), charge.currency, locale));
  const name = escaped(merchant.legalName);
  const state = isLastDayOver(charge, now) ? words.lastDayOver : stateOf(charge, words);
  const refresh = isOpen(charge) ? '<noscript><meta http-equiv="refresh" content="15"></noscript>' : '';
  return `${headOf(locale, `${amount} – ${name}`, PAGE_STYLE, refresh)}
<body>
<main data-version="${escaped(versionOf(charge, locale, now))}"${isOpen(charge) ? '' : ' data-final="true"'}>
<h1>${name}</h1>
<p class="amount">${amount}</p>
<p class="state ${charge.status}" role="status">${state}</p>
<div class="details">
<dl>${factsOf(page, words)}</dl>
${charge.status === 'pending' ? codeOf(page, words) + amountsDueOf(page, words) : ''}
${charge.livemode ? '' : `${buttonsOf(page, words)}\n<p class="note">${words.testNote}</p>`}
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
  const terms = dueTermsOfCharge(charge);
  const day = (date: string): string => `<time datetime="${date}">${escaped(dateIn(date, locale))}</time>`;
  if (terms)
    return [
      fact(words.method, words.methods.pix),
      fact(words.reference, text(reference)),
      fact(words.dueDate, day(terms.dueDate)),
      fact(words.lastDay, day(dateOfDay(lastPayableDay(terms)))),
    ].join('');
  return [
    fact(words.method, words.methods[method.type as keyof Words['methods']]),
    fact(words.bank, method.type === 'banktransfer' ? text(method.bankName) : null),
    fact(words.ticket, instructions?.type === 'voucher' ? copied(instructions.paymentCode, words) : null),
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
<figcaption>${copied(instructions.barcode, words)}<br><span class="note screen">${words.voucherHelp}</span></figcaption></figure>
<button type="button" data-print hidden>${words.print}</button>`;
  if (qrCode === null) return '';
  if (instructions?.type === 'pix')
    return `<p class="note">${words.pixCopyHelp}</p><p>${copied(instructions.copyPaste, words)}</p>
${scanned(qrCode, words.pixImage, words.pixHelp, words)}
<button type="button" data-print hidden>${words.print}</button>`;
  return scanned(qrCode, words.qrCode, words.qrCodeHelp, words);
};

const DIGITS_OF_A_GROUP = 4;

/** A code with the button that copies it. Digits are in groups for the eye, and copied without spaces. */
const copied = (code: string, words: Words): string => {
  const groups = /^\d+$/.test(code) ? (code.match(new RegExp(`.{1,${DIGITS_OF_A_GROUP}}`, 'g')) ?? []) : null;
  const shown = groups ? groups.map((group) => `<span>${group}</span>`).join('') : escaped(code);
  return `<span class="digits">${shown}</span><button type="button" class="copied" data-copy="${escaped(code)}" data-done="${words.copied}" hidden><span aria-live="polite">${words.copy}</span></button>`;
};

/** A code that another device scans; the script folds it away on a phone, which cannot scan itself. */
const scanned = (image: string, label: string, help: string, words: Words): string =>
  `<details class="scan" open><summary>${words.otherDevice}</summary>
<figure><div class="code"><img alt="${label}" src="${escaped(image)}"></div>
<figcaption class="note">${help}</figcaption></figure></details>`;

/** The amounts that are due on each day, from today on. */
const amountsDueOf = ({ charge, locale, now }: PayPage, words: Words): string => {
  const terms = dueTermsOfCharge(charge);
  if (!terms || isLastDayOver(charge, now)) return '';
  const rows = duePeriods(charge.amount, terms, pixDayOf(now)).map(({ from, until, amount }) => {
    const days = dayOf(from) === dayOf(until) ? [from] : [from, until];
    const term = days.map((date) => escaped(dateIn(date, locale))).join(' – ');
    return `<dt>${term}</dt><dd>${escaped(moneyIn(amount, charge.currency, locale))}</dd>`;
  });
  return `<h2>${words.amountsDue}</h2><dl>${rows.join('')}</dl><p class="note">${words.amountsDueNote}</p>`;
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
