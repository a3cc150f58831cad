import { brandOf, escaped, filled, moneyIn } from '../../platform/http/html-page.ts';
import type { Charge } from '../charges/write/charge.ts';
import { barcodeSvg } from '../pay-pages/barcode.ts';
import { timeLeft } from '../pay-pages/time-left.ts';
import { type CheckoutWords, wordsOf } from './checkout-words.ts';
import type { Taken } from './page-content.ts';
import {
  amountOf,
  type CheckoutPage,
  type IconName,
  iconOf,
  type PageState,
  pathOf,
  timeOf,
} from './page-frame.ts';

/** The page while a charge is under way. */
export const waitForCharge = (page: CheckoutPage): PageState => {
  const words = wordsOf(page.locale);
  const { charge, method } = page;
  const url = method?.authenticationUrl ?? null;
  const state = url ? authentication(page, url, words) : charge && stateOf(page, charge, words);
  return { ...(state ?? checking(page, words)), waits: true };
};

const stateOf = (page: CheckoutPage, charge: Charge, words: CheckoutWords): PageState | null => {
  const { instructions } = charge;
  if (charge.status === 'authentication_required')
    return authentication(
      page,
      instructions?.type === 'credit_card' ? instructions.authenticationUrl : null,
      words,
    );
  if (charge.status === 'in_analysis')
    return {
      state: words.analysisTitle,
      html: `${outcome('clock', '', words.analysisTitle, words.analysisHelp)}${lookOf(page, words)}${playOf(page, words)}`,
    };
  if (charge.status !== 'pending') return null;
  switch (charge.instructions?.type) {
    case 'pix':
      return pix(page, charge, charge.instructions.copyPaste, words);
    case 'voucher':
      return voucher(page, charge, charge.instructions, words);
    case 'banktransfer':
      return transfer(page, charge.instructions.payUrl, words);
    case 'qrcode':
      return qrCode(page, charge, charge.instructions.payUrl, words);
    default:
      return null;
  }
};

const outcome = (icon: IconName, kind: string, title: string, ...sentences: readonly string[]): string =>
  `<div class="outcome"><div class="emblem ${kind}">${iconOf(icon, 32)}</div><h2>${title}</h2>
${sentences.map((sentence) => `<p>${sentence}</p>`).join('')}</div>`;

/** The provider has not answered, or its answer is on its way: nobody may pay again. */
const checking = (page: CheckoutPage, words: CheckoutWords): PageState => ({
  state: words.checkingTitle,
  html: `${outcome('clock', '', words.checkingTitle, words.checkingHelp)}${lookOf(page, words)}`,
});

const authentication = (page: CheckoutPage, url: string | null, words: CheckoutWords): PageState => {
  const link = url === null ? '' : `<a class="button" href="${escaped(url)}">${words.continueAtBank}</a>`;
  return {
    state: words.authenticateTitle,
    html: `${outcome('shield', '', words.authenticateTitle, words.authenticateHelp)}${link}
<p class="centre small soft">${words.neverPassword}</p>${playOf(page, words)}${changeOf(page, words)}`,
  };
};

const waitingLine = (
  page: CheckoutPage,
  { expiresAt }: Charge,
  help: string,
  words: CheckoutWords,
): string => {
  const timer =
    expiresAt === null
      ? ''
      : `<p class="timer">${words.validFor} <time role="timer" datetime="${expiresAt}">${timeLeft(Date.parse(expiresAt) - page.now.getTime(), page.locale)}</time> ${filled(words.until, timeOf(expiresAt, page, false))}</p>`;
  return `<div class="status"><span class="pulse"></span><p><strong>${words.waiting}</strong><small class="soft">${help}</small></p>${timer}</div>`;
};

/** A code with the button that copies it. Digits are in groups for the eye, and copied without spaces. */
const copyField = (id: string, label: string, value: string, button: string): string =>
  `<div class="copy"><div class="field"><label for="${id}">${label}</label>
<input id="${id}" type="text" readonly data-value="${escaped(value)}" value="${escaped(inGroups(value))}"></div>
<button type="button" class="button" data-copy="${id}" hidden>${button}</button></div>`;

const inGroups = (value: string): string =>
  /^\d+$/.test(value) ? (value.match(/.{1,4}/g) ?? []).join(' ') : value;

const imageOf = (image: string | null, label: string): string =>
  image === null ? '' : `<figure class="code qr"><img alt="${label}" src="${escaped(image)}"></figure>`;

const pix = (page: CheckoutPage, charge: Charge, code: string, words: CheckoutWords): PageState => {
  const [first = '', second = '', third = ''] = words.pixSteps;
  const steps = [first, second, filled(third, escaped(page.merchant.name), amountOf(page))];
  const image =
    page.image === null
      ? ''
      : `<details class="more"><summary>${iconOf('qr', 22)}${words.withCamera}${iconOf('down', 18)}</summary>
<div class="more-body">${imageOf(page.image, words.pixImage)}</div></details>`;
  return {
    state: words.pixTitle,
    html: `<h2>${words.pixTitle}</h2>${waitingLine(page, charge, words.followsByItself, words)}
${copyField('pix-code', words.pixCode, code, words.copyPix)}
<ol class="steps">${steps.map((step) => `<li>${step}</li>`).join('')}</ol>
${image}${lookOf(page, words)}${playOf(page, words)}${changeOf(page, words)}`,
  };
};

const voucher = (
  page: CheckoutPage,
  charge: Charge,
  { barcode, paymentUrl }: { readonly barcode: string; readonly paymentUrl: string },
  words: CheckoutWords,
): PageState => {
  const { merchant } = page;
  const payUntil = charge.expiresAt === null ? '' : fact(words.payUntil, timeOf(charge.expiresAt, page));
  return {
    state: words.voucherTitle,
    html: `<h2>${words.voucherTitle}</h2>${waitingLine(page, { ...charge, expiresAt: null }, words.voucherHelp, words)}
<dl class="facts">${payUntil}${fact(words.beneficiary, escaped(merchant.legalName))}</dl>
${copyField('line', words.voucherLine, barcode, words.copyLine)}
<figure class="code bars">${barcodeSvg(barcode, words.barcode)}</figure>
<a class="button button-plain no-print" href="${escaped(paymentUrl)}">${words.openVoucher}</a>
<button type="button" class="button button-plain no-print" data-print hidden>${words.print}</button>
${lookOf(page, words)}${playOf(page, words)}${changeOf(page, words)}`,
  };
};

const transfer = (page: CheckoutPage, payUrl: string, words: CheckoutWords): PageState => ({
  state: words.transferTitle,
  html: `${outcome('bank', '', words.transferTitle, words.transferHelp)}
<a class="button" href="${escaped(payUrl)}">${words.toBank}</a>
<p class="centre small soft">${words.neverPassword}</p>${playOf(page, words)}${changeOf(page, words)}`,
});

const qrCode = (page: CheckoutPage, charge: Charge, payUrl: string, words: CheckoutWords): PageState => ({
  state: words.qrTitle,
  html: `<h2>${words.qrTitle}</h2>${waitingLine(page, charge, words.followsByItself, words)}
<details class="more" data-scan open><summary>${iconOf('qr', 22)}${words.withCamera}${iconOf('down', 18)}</summary>
<div class="more-body"><p>${words.qrHelp}</p>${imageOf(page.image, words.qrImage)}</div></details>
<a class="button button-plain" href="${escaped(payUrl)}">${words.openPage}</a>
${lookOf(page, words)}${playOf(page, words)}${changeOf(page, words)}`,
});

/** Without scripts this is how the page looks again. */
const lookOf = (page: CheckoutPage, words: CheckoutWords): string =>
  `<form method="get" action="${pathOf(page)}" class="no-print">${page.isChosen ? `<input type="hidden" name="lang" value="${page.locale.slice(0, 2)}">` : ''}<button class="button button-plain">${words.lookNow}</button></form>`;

const changeOf = (page: CheckoutPage, words: CheckoutWords): string =>
  `<form method="post" action="${pathOf(page, '/change')}" class="centre no-print"><button class="link">${words.change}</button><p class="small soft">${words.changeNote}</p></form>`;

/** In the test environment nobody pays, so that the page plays the payer and the bank. */
const playOf = (page: CheckoutPage, words: CheckoutWords): string => {
  if (page.session.livemode || page.charge === null) return '';
  const form = (outcome: string, label: string): string =>
    `<form method="post" action="${pathOf(page, '/simulate')}"><input type="hidden" name="outcome" value="${outcome}"><button class="button button-plain">${label}</button></form>`;
  return `<div class="section stack no-print">${form('paid', words.simulatePaid)}${form('failed', words.simulateFailed)}</div>`;
};

const fact = (term: string, html: string): string => `<div><dt>${term}</dt><dd>${html}</dd></div>`;

/** The page of a session that is paid. */
export const receipt = (page: CheckoutPage): PageState => {
  const words = wordsOf(page.locale);
  const { charge, merchant } = page;
  const leave = leaveOf(page, words);
  const facts = charge ? factsOf(page, charge, words) : '';
  return {
    state: words.paidTitle,
    html: `${outcome('done', 'ok', words.paidTitle)}${charge?.refundedAt ? `<p class="notice warn">${words.refunded}</p>` : ''}${leave}
<section class="section" aria-labelledby="facts"><h2 id="facts">${words.receipt}</h2><dl class="facts">${facts}
${fact(words.soldBy, `${escaped(merchant.legalName)}${merchant.companyTaxId ? `<br><span class="small soft">${escaped(merchant.companyTaxId)}</span>` : ''}`)}</dl></section>
<button type="button" class="button button-plain no-print" data-print hidden>${words.print}</button>
<p class="small soft centre">${words.receiptNote}</p>`,
  };
};

/** The page of a session on which a card was kept, or a subscription began whose first payment lies ahead. */
export const begunWithoutPayment = (page: CheckoutPage): PageState => {
  const words = wordsOf(page.locale);
  const { method, merchant, session } = page;
  const { done, note } = session.mode === 'subscription' ? words.subscription : words.setup;
  const name = escaped(merchant.name);
  const card = method?.card
    ? filled(words.cardEnding, escaped(brandOf(method.card.brand)), escaped(method.card.lastFour))
    : '';
  return {
    state: done,
    html: `${outcome('done', 'ok', done, card, filled(note, name))}${leaveOf(page, words)}`,
  };
};

/** The way back to the shop, by itself after a while. */
const leaveOf = ({ session, merchant }: CheckoutPage, words: CheckoutWords): string => {
  const name = escaped(merchant.name);
  const back = session.returnUrl && escaped(returnUrlOf(session.returnUrl, session.id));
  if (!back) return toShop(merchant, null, words);
  return `<a class="button no-print" href="${back}">${filled(words.backTo, name)}</a>
<div class="status no-print" data-back="${back}" hidden><p>${filled(words.backIn, '<time role="timer"></time>')}</p><button type="button" class="link" data-stay>${words.stay}</button></div>`;
};

/** The way to the shop from a page on which there is nothing to pay. */
const toShop = (
  { name, website }: CheckoutPage['merchant'],
  url: string | null,
  words: CheckoutWords,
): string => {
  const address = url ?? website;
  return address === null
    ? ''
    : `<a class="button no-print" href="${escaped(address)}">${filled(words.toShop, escaped(name))}</a>`;
};

const factsOf = (page: CheckoutPage, charge: Charge, words: CheckoutWords): string => {
  const { paymentMethod: method, paidAt, id } = charge;
  const card =
    method.type === 'credit_card'
      ? filled(words.cardEnding, escaped(brandOf(method.brand)), escaped(method.lastFour))
      : words.methods[method.type][0];
  const parts =
    method.type === 'credit_card' && method.installments > 1
      ? fact(
          words.installmentsTerm,
          escaped(
            `${method.installments} × ${moneyIn(Math.floor(charge.amount / method.installments), charge.currency, page.locale)}`,
          ),
        )
      : '';
  return [
    fact(words.method, card),
    parts,
    paidAt ? fact(words.date, timeOf(paidAt, page)) : '',
    fact(words.payment, escaped(id)),
  ].join('');
};

/** The address to which the shop wants its payer back, which then tells the session; it proves nothing. */
const returnUrlOf = (returnUrl: string, id: string): string => {
  const url = new URL(returnUrl);
  url.searchParams.set('checkout', id);
  return url.href;
};

/** The page of a session in which nobody can pay any more. */
export const ended = (page: CheckoutPage): PageState => {
  const words = wordsOf(page.locale);
  const { session, merchant } = page;
  const [icon, title, help] = endOf(page, words);
  const leave = toShop(merchant, session.cancelUrl ?? session.returnUrl, words);
  return {
    state: title,
    html: `${outcome(icon, 'warn', title, `<strong>${words.nothingCharged}</strong>`, help)}${leave}`,
  };
};

const endOf = ({ session }: CheckoutPage, words: CheckoutWords): readonly [IconName, string, string] => {
  if (session.status !== 'cancelled') return ['clock', words.expiredTitle, words.expiredHelp];
  return session.cancelReason === 'too_many_refusals' || session.cancelReason === 'too_many_charges'
    ? ['alert', words.tooManyTitle, words.tooManyHelp]
    : ['cross', words.cancelledTitle, words.cancelledHelp];
};

const TAKEN_ICONS: Readonly<Record<Taken, readonly [IconName, string]>> = {
  paid: ['done', 'ok'],
  held: ['clock', 'warn'],
  inactive: ['cross', 'warn'],
};

/**
 * The page of a link, or of a session of it, that nobody can pay at the moment; one that others hold may become free.
 */
export const takenState = (
  taken: Taken,
  { locale, merchant }: Pick<CheckoutPage, 'locale' | 'merchant'>,
  url: string | null,
): PageState => {
  const words = wordsOf(locale);
  const [title, help] = words.links[taken];
  const [icon, kind] = TAKEN_ICONS[taken];
  return {
    state: title,
    html: `${outcome(icon, kind, title, `<strong>${words.nothingCharged}</strong>`, help)}${toShop(merchant, url, words)}`,
    waits: taken === 'held',
  };
};
