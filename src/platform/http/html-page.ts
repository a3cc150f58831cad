import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import accepts from 'accepts';
import { exponentOf, type Minor, toDecimal } from '../../kernel/money.ts';
import type { Reply } from './route.ts';

/** The style of every page for payers. */
export const PAGE_STYLE = `
  :root { color-scheme: light dark; --back: #f2f4f7; --card: #fff; --text: #1d2733; --soft: #55616e;
    --line: #d5dbe2; --go: var(--accent-ink, #0b6e4f); --go-fill: var(--accent, #0b6e4f); --go-text: var(--on-accent, #fff); }
  @media (prefers-color-scheme: dark) { :root { --back: #12171d; --card: #1c232b; --text: #e8edf2; --soft: #a9b4c0;
    --line: #36414d; --go: var(--accent-ink, #4cc79a); --go-fill: var(--accent, #4cc79a); --go-text: var(--on-accent, #06251a); } }
  * { box-sizing: border-box; }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: var(--back); color: var(--text); }
  main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--card); border-radius: .75rem; }
  @media (max-width: 32rem) { main { margin: 0; border-radius: 0; min-height: 100vh; } }
  h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
  .amount { font-size: 2rem; font-weight: 600; margin: .25rem 0 1rem; line-height: 1.2; overflow-wrap: anywhere; }
  .state { font-weight: 600; padding-left: .75rem; border-left: .25rem solid var(--line); }
  .state.paid { border-color: var(--go); }
  dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: .25rem 1rem; margin: 1rem 0; }
  dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
  @media (max-width: 22rem) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5rem; } }
  [role=timer] { font-variant-numeric: tabular-nums; }
  figure { margin: 1rem 0; }
  .code { background: #fff; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
  .code svg { display: block; width: 100%; height: 3.75rem; } .code img { display: block; width: 100%; max-width: 14rem; margin: auto; }
  figcaption { margin-top: .5rem; overflow-wrap: anywhere; } .digits { font-variant-numeric: tabular-nums; font-size: .9rem; overflow-wrap: anywhere; }
  .digits > span { display: inline-block; margin-right: .5em; }
  summary { padding: .5rem 0; cursor: pointer; } .copied { margin: 0 0 0 .5rem; padding: .25rem .75rem; min-height: 2rem; }
  form { display: inline; }
  button { font: inherit; min-height: 2.75rem; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0; border-radius: .5rem;
    border: 1px solid var(--soft); background: transparent; color: var(--text); cursor: pointer; }
  button.pay { background: var(--go-fill); border-color: var(--go); color: var(--go-text); }
  button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  .note { color: var(--soft); font-size: .875rem; }
  [hidden] { display: none; }
  @media print {
    :root { --back: #fff; --card: #fff; --text: #000; --soft: #000; --line: #000; }
    @page { margin: 15mm; }
    main { max-width: none; margin: 0; padding: 0; min-height: 0; }
    form, button, summary, .screen { display: none; }
    .code { border: 0; padding: 0; break-inside: avoid; }
    .code svg { width: 103mm; height: 13mm; } .code img { width: 50mm; margin: 0; }
  }
`;

/**
 * Code of a page without indentation and without comments that begin a line: pages go to slow phones, and one whose
 * address is a secret is not compressed. A text in the code has no line breaks.
 */
export const lean = (code: string): string =>
  code
    .replaceAll(/^\s*\/\*(?:(?!\*\/)[\s\S])*\*\//gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s+/gm, '');

/** A style sheet without the blanks that its rules do not need. No text in it contains a brace, colon or semicolon. */
export const leanStyle = (sheet: string): string =>
  lean(sheet)
    .replaceAll(/\s*([{};])\s*/g, '$1')
    .replaceAll(/([:,])\s+/g, '$1')
    .replaceAll(';}', '}');

/**
 * The hash by which a Content-Security-Policy, or somebody who monitors a page, identifies a script or style (W3C
 * Subresource Integrity).
 */
export const integrityOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

const sourceOf = (text: string): string => `'${integrityOf(text)}'`;

/**
 * Allows only the page's own style, script and images; forms and requests go back to the page's origin. Only pages of
 * `ancestors` may embed it; `*` stands for all.
 */
export const pagePolicy = (
  style: string,
  script: string | null = null,
  ancestors: readonly string[] = ["'none'"],
): string =>
  [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(script === null ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
  ].join('; ');

/** The policy of a page with a second style, which may be empty. */
export const alsoStyled = (policy: string, style: string): string =>
  style === '' ? policy : policy.replace('style-src ', `style-src ${sourceOf(style)} `);

/** A second style in the head of a page, which takes precedence over the page's own. */
export const styleTag = (style: string): string => (style === '' ? '' : `<style>${style}</style>`);

/** A language of the pages, with the region whose number and date formats apply: `pt-BR`. */
export type Locale = string;

/** The first language of `accepted` (best first) that the pages support; English where there is none. */
export const localeOf = (accepted: readonly string[]): Locale => {
  for (const tag of accepted) {
    const { language = '', region } = partsOf(tag);
    if (LANGUAGES.includes(language)) return region ? `${language}-${region}` : language;
  }
  return 'en';
};

const LANGUAGES: readonly (string | undefined)[] = ['pt', 'es', 'en'];

/** The language and region of a tag by BCP 47, such as `es-419` or `pt-Latn-BR`; none where it is no tag. */
const partsOf = (tag: string): { readonly language?: string; readonly region?: string | undefined } => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return {};
  }
};

/** The language that the reader of a page asks for. */
export const localeFor = (headers: IncomingHttpHeaders): Locale =>
  localeOf(accepts({ headers } as IncomingMessage).languages());

/** The chosen language, with the region of the reader's browser for numbers and dates. */
export const chosenLocale = (
  chosen: 'pt' | 'es' | 'en' | null | undefined,
  headers: IncomingHttpHeaders,
): Locale => {
  const asked = localeFor(headers);
  if (!chosen || asked.startsWith(chosen)) return asked;
  return localeOf([chosen === 'pt' ? 'pt-BR' : chosen]);
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text from outside, escaped for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (found) => ESCAPES[found] ?? found);

/** An amount as people write it, with the decimals that the currency has in ISO 4217. */
export const moneyIn = (amount: Minor, currency: string, locale: Locale): string => {
  const digits = exponentOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(toDecimal(amount, currency));
};

/** A text with its placeholders `{}` replaced by values. */
export const filled = (text: string, ...values: readonly string[]): string => {
  const left = [...values];
  return text.replaceAll('{}', () => left.shift() ?? '');
};

/** The name of a card's brand as people write it. */
export const brandOf = (brand: string): string =>
  brand
    .split('-')
    .map((word) => (word === 'jcb' ? 'JCB' : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))
    .join(' ');

/** The beginning of a page; `more` is HTML within its head. */
export const headOf = (locale: Locale, title: string, style: string, more = ''): string => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
${more}
</head>`;

/**
 * The answer for a page, in the page's language. It tells no other site the page's address, because that may be all
 * that it takes to pay.
 */
export const pageReply = (
  html: string,
  page: {
    readonly policy: string;
    readonly locale: Locale;
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Reply => ({
  status: page.status ?? 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': page.policy,
    'Referrer-Policy': 'no-referrer',
    'Content-Language': page.locale,
    Vary: 'Accept-Language',
    ...page.headers,
  },
  stream: Readable.from([html]),
});
