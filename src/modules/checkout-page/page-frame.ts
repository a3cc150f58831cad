import type { Minor } from '../../kernel/money.ts';
import {
  escaped,
  filled,
  headOf,
  integrityOf,
  type Locale,
  moneyIn,
  pagePolicy,
  styleTag,
} from '../../platform/http/html-page.ts';
import { type CheckoutSession, priceOf } from '../checkout/write/checkout-session.ts';
import { wordsOf as portalWordsOf } from '../portal/page/portal-words.ts';
import type { Plan } from '../subscriptions/write/plan.ts';
import { CHECKOUT_SCRIPT } from './checkout-script.ts';
import { CHECKOUT_STYLE } from './checkout-style.ts';
import { type CheckoutWords, wordsOf } from './checkout-words.ts';
import type { PageContent } from './page-content.ts';
import type { FieldName, Typed } from './payment-form.ts';

export const CHECKOUT_POLICY = pagePolicy(CHECKOUT_STYLE, CHECKOUT_SCRIPT);

/** The code that the page runs in the browser of a payer, and why (PCI DSS 4.0.1, 6.4.3). */
export const CHECKOUT_PARTS = [
  {
    part: 'script',
    purpose:
      'Groups digits, names the brand of a card, checks what is typed, counts time down, copies, looks for the outcome, sends forms and proves work.',
    integrity: integrityOf(CHECKOUT_SCRIPT),
  },
  { part: 'style', purpose: 'The look of the page.', integrity: integrityOf(CHECKOUT_STYLE) },
] as const;

/** The outcome of a form that was just sent and led to no payment. */
export type Told = {
  readonly typed: Typed;
  readonly method: string;
  readonly problem:
    | 'faults'
    | 'brandNotTaken'
    | 'installmentsNotOffered'
    | 'proofNeeded'
    | 'tryAgain'
    | 'notNow'
    | 'taken'
    | 'cardRefused';
  readonly faults: readonly FieldName[];
};

/** Data of a page. */
export type CheckoutPage = PageContent & {
  readonly locale: Locale;
  /** Whether the payer chose that language at the page; the browser or the session otherwise. */
  readonly isChosen: boolean;
  readonly told: Told | null;
  readonly now: Date;
};

/** The frame of a page of a session or a link. */
export type PageFrame = Pick<CheckoutPage, 'merchant' | 'locale'> & {
  /** Path of the page, with the secret. */
  readonly path: string;
  readonly version: string;
  readonly order: Pick<CheckoutSession, 'currency' | 'items' | 'livemode'> & {
    readonly title: string | null;
    /** Null where the payer is still to choose it, or pays nothing. */
    readonly amount: Minor | null;
    /** The words in place of an amount that is not there, or below it. */
    readonly note: string;
  };
};

/** The frame of a session's page. */
export const frameOf = (page: CheckoutPage): PageFrame => {
  const { session, merchant, locale } = page;
  const { heading, note } = wordsOf(locale).setup;
  const title = session.description ?? page.plan?.name ?? session.reference;
  const order =
    session.mode === 'setup'
      ? { ...session, title: title ?? heading, note: filled(note, escaped(merchant.name)) }
      : { ...session, title, note: page.plan ? priceNote(locale, page.plan) : '' };
  return { merchant, locale, order, path: `/checkout/${session.token}`, version: versionOf(page) };
};

/** How often the price of a plan is paid, and from when. */
export const priceNote = (locale: Locale, { interval, intervalCount, trialDays }: Plan): string => {
  const [one, several] = portalWordsOf(locale).every[interval];
  const every = intervalCount === 1 ? one : filled(several, String(intervalCount));
  const { trial } = wordsOf(locale).subscription;
  return trialDays === 0 ? every : `${every}. ${filled(trial, String(trialDays))}`;
};

/** A part of a page for one state, with its text for screen readers. */
export type PageState = {
  readonly state: string;
  readonly html: string;
  /** Whether the page is to look for another state by itself. */
  readonly waits?: boolean;
};

const icon = (path: string, size: number): string =>
  `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;

const PATHS = {
  down: '<path d="m6 9 6 6 6-6"/>',
  card: '<rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="M2.5 9.5h19M6 15h4"/>',
  pix: '<path d="m12 3 9 9-9 9-9-9z"/><path d="m8 12 4-4 4 4-4 4z"/>',
  bars: '<path d="M3 5v14M6.5 5v14M9 5v14M13 5v14M16.5 5v14M18.5 5v14M21 5v14"/>',
  bank: '<path d="M3 10 12 4l9 6M5 10v8m4.7-8v8m4.6-8v8M19 10v8M3 20h18"/>',
  qr: '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2"/>',
  shield: '<path d="M12 3 5 5.5v6c0 4.5 3 7.7 7 9.5 4-1.8 7-5 7-9.5v-6z"/><path d="m9 12 2.2 2.2L15 10.5"/>',
  alert: '<path d="M12 8v5m0 3.5v.01"/><circle cx="12" cy="12" r="9"/>',
  done: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  cross: '<path d="M7 7l10 10M17 7 7 17"/>',
} as const;
export type IconName = keyof typeof PATHS;

export const iconOf = (name: IconName, size = 20): string => icon(PATHS[name], size);

/** The amount of a session as its page writes it, escaped. */
export const amountOf = ({ session, locale }: Pick<CheckoutPage, 'session' | 'locale'>): string =>
  escaped(moneyIn(priceOf(session), session.currency, locale));

/** The path of a session's page, in the language that the payer has chosen. */
export const pathOf = ({ session, locale, isChosen }: CheckoutPage, action = ''): string => {
  const query = isChosen ? `?lang=${locale.slice(0, 2)}` : '';
  return escaped(`/checkout/${session.token}${action}${query}`);
};

/** A time as people of the shop's zone write it. */
export const timeOf = (at: string, { locale, merchant }: CheckoutPage, isLong = true): string =>
  escaped(
    new Intl.DateTimeFormat(locale, {
      timeZone: merchant.timeZone,
      ...(isLong ? { day: 'numeric', month: 'long', year: 'numeric' } : {}),
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(at)),
  );

/** The state of a page: another one where the session or its charge has changed, or it is in another language. */
export const versionOf = ({ session, charge, method, taken, locale }: CheckoutPage): string =>
  `"${session.version}-${charge?.version ?? 0}-${method?.version ?? 0}-${taken ?? 'free'}-${locale}"`;

const LANGUAGES = [
  ['pt', 'Português'],
  ['es', 'Español'],
  ['en', 'English'],
] as const;

const footOf = ({ merchant, locale, path }: PageFrame, words: CheckoutWords): string => {
  const languages = LANGUAGES.map(([code, name]) =>
    locale.startsWith(code)
      ? `<li><span aria-current="true">${name}</span></li>`
      : `<li><a href="${escaped(path)}?lang=${code}" lang="${code}" hreflang="${code}">${name}</a></li>`,
  );
  return `<footer class="foot">
<p><span class="mark">Portico</span> ${filled(words.processedBy, escaped(merchant.legalName))}</p>
${merchant.companyTaxId ? `<p class="num">${escaped(merchant.companyTaxId)}</p>` : ''}
<ul>${languages.join('')}</ul>
</footer>`;
};

const shopOf = ({ merchant: { name, logo } }: PageFrame): string => {
  const sign = logo
    ? `<img class="shop-image" alt="" src="${escaped(logo)}">`
    : `<span class="shop-logo shop-letter" aria-hidden="true">${escaped([...name][0] ?? '')}</span>`;
  return `<div class="shop">${sign}
<p class="shop-name">${escaped(name)}</p></div>`;
};

const itemsOf = ({ order, locale }: PageFrame, words: CheckoutWords): string => {
  const { items, currency, amount } = order;
  const lines = (items ?? []).filter(({ title, description }) => title || description);
  if (lines.length === 0) return '';
  const rows = lines.map(({ title, description, quantity, unit_price: price }) => {
    const each = price === null ? '' : escaped(priceIn(price, currency, locale));
    const times = quantity !== null && quantity !== 1 ? ` × ${escaped(String(quantity))}` : '';
    const more = title && description ? `<small>${escaped(description)}</small>` : '';
    return `<li><span>${escaped(title ?? description ?? '')}${times}${more}</span><span class="num nowrap">${each}</span></li>`;
  });
  const total =
    amount === null
      ? ''
      : `<li class="total"><span>${words.total}</span><span class="num nowrap">${escaped(moneyIn(amount, currency, locale))}</span></li>`;
  return `<details class="items"><summary>${words.items}${iconOf('down', 18)}</summary>
<ul class="lines">${rows.join('')}${total}</ul></details>`;
};

/** An item's price is the merchant's own figure and may have more digits than the currency. */
const priceIn = (price: number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(price);

const orderHtml = (frame: PageFrame, words: CheckoutWords): string => {
  const { title, amount, currency } = frame.order;
  const money = amount === null ? '' : escaped(moneyIn(amount, currency, frame.locale));
  return `<section class="order" aria-labelledby="order">${shopOf(frame)}
<h1 id="order"${amount === null ? ' class="alone"' : ''}>${title ? escaped(title) : filled(words.pay, money)}</h1>
${amount === null ? `<p class="soft">${frame.order.note}</p>` : `<p class="amount">${money}</p>${frame.order.note ? `<p class="soft">${frame.order.note}</p>` : ''}`}
${itemsOf(frame, words)}</section>`;
};

/** The whole page around one state. */
export const framed = (frame: PageFrame, { state, html, waits = false }: PageState): string => {
  const { locale, merchant, order } = frame;
  const words = wordsOf(locale);
  const sum = order.amount === null ? '' : moneyIn(order.amount, order.currency, locale);
  const title = filled(words.payTo, escaped(sum || (order.title ?? '')), escaped(merchant.name));
  const refresh = waits ? '<noscript><meta http-equiv="refresh" content="15"></noscript>' : '';
  const said = {
    state,
    sending: words.sending,
    preparing: words.preparing,
    offline: words.offline,
    copied: words.copied,
  };
  const data = Object.entries(said)
    .map(([name, value]) => ` data-${name}="${escaped(value)}"`)
    .join('');
  return `${headOf(locale, title, CHECKOUT_STYLE, `${styleTag(merchant.accentStyle)}${refresh}`)}
<body>
${order.livemode ? '' : `<header class="test">${words.testNote}</header>`}
<p class="visually-hidden" role="status"></p>
<main class="page two" data-version="${escaped(frame.version)}"${waits ? ' data-waits="yes"' : ''}${data}>
${orderHtml(frame, words)}
<div class="sheet stack">
${html}
</div>
</main>
${footOf(frame, words)}
<script>${CHECKOUT_SCRIPT}</script>
</body>
</html>
`;
};

/** The page of an address that opens nothing. */
export const goneHtml = (locale: Locale): string => {
  const words = wordsOf(locale);
  return `${headOf(locale, words.goneTitle, CHECKOUT_STYLE)}
<body>
<main class="page narrow"><div class="sheet stack outcome">
<div class="emblem warn">${iconOf('cross', 32)}</div>
<h1>${words.goneTitle}</h1><p>${words.goneHelp}</p>
</div></main>
</body>
</html>
`;
};
