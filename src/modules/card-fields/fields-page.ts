import { escaped, headOf, integrityOf, type Locale, pagePolicy } from '../../platform/http/html-page.ts';
import { type CheckoutWords, wordsOf } from '../checkout-page/checkout-words.ts';
import { FIELDS_SCRIPT } from './fields-script.ts';

const STYLE = `
  :root { color-scheme: light; --ground: #fff; --text: #14211e; --soft: #56655f; --field: #fff; --border: #7a8985;
    --border-width: 1px; --radius: .625rem; --pad: .625rem .875rem; --size: 1rem; --weight: 600; --focus: #1a55c2; --bad: #a9221b; }
  @media (prefers-color-scheme: dark) { [data-scheme=auto] { color-scheme: dark; --ground: #172120; --text: #e8efed;
    --soft: #a8b7b2; --field: #1b2625; --border: #7b8d88; --focus: #93bcff; --bad: #ffa299; } }
  [data-scheme=dark] { color-scheme: dark; --ground: #172120; --text: #e8efed; --soft: #a8b7b2; --field: #1b2625;
    --border: #7b8d88; --focus: #93bcff; --bad: #ffa299; }
  *, ::before, ::after { box-sizing: border-box; }
  body { margin: 0; padding: .25rem; background: var(--ground); color: var(--text);
    font: var(--size)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
  h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  form { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .875rem; }
  @media (max-width: 14rem) { form { grid-template-columns: minmax(0, 1fr); } }
  .wide { grid-column: 1 / -1; }
  label { display: block; font-size: .875rem; font-weight: var(--weight); margin-bottom: .25rem; }
  #brand { float: right; color: var(--soft); }
  input { appearance: none; width: 100%; min-height: 3rem; padding: var(--pad); font: inherit; font-variant-numeric: tabular-nums;
    color: var(--text); background: var(--field); border: var(--border-width) solid var(--border); border-radius: var(--radius); }
  input::placeholder { color: var(--soft); opacity: 1; }
  input:focus-visible { outline: 3px solid var(--focus); outline-offset: -1px; }
  [aria-invalid=true] { border: 2px solid var(--bad); }
  .fault { margin: .25rem 0 0; color: var(--bad); font-size: .875rem; font-weight: 600; }
  [hidden] { display: none; }
`;

/** The code that the page runs in the browser of a payer, and why (PCI DSS 4.0.1, 6.4.3). */
export const FIELDS_PARTS = [
  {
    part: 'script',
    purpose:
      'Checks what is typed, sends the card to the gateway, answers the shop with a token and proves work.',
    integrity: integrityOf(FIELDS_SCRIPT),
  },
  { part: 'style', purpose: 'The look of the fields.', integrity: integrityOf(STYLE) },
] as const;

/** The Content-Security-Policy of the page, which pages of these origins may embed. */
export const fieldsPolicy = (ancestors: readonly string[]): string =>
  pagePolicy(STYLE, FIELDS_SCRIPT, ancestors);

const fieldHtml = (
  words: CheckoutWords,
  name: 'number' | 'expiry' | 'cvv' | 'holderName',
  attributes: string,
): string => `<div class="${name === 'number' || name === 'holderName' ? 'wide' : ''}"><label for="${name}">${words.fields[name]}${name === 'number' ? ' <span id="brand"></span>' : ''}</label>
<input id="${name}" required ${attributes}>
<p class="fault" id="${name}-fault" hidden>${words.faults[name]}</p></div>`;

const wholeCard = (words: CheckoutWords, code: string): readonly string[] => [
  fieldHtml(
    words,
    'number',
    'inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000"',
  ),
  fieldHtml(
    words,
    'expiry',
    `inputmode="numeric" autocomplete="cc-exp" maxlength="7" placeholder="${words.expiryFormat}"`,
  ),
  code,
  fieldHtml(
    words,
    'holderName',
    'autocomplete="cc-name" autocapitalize="characters" spellcheck="false" maxlength="100"',
  ),
];

/** A page with the fields of a card, or of its security code alone, for an iframe in a shop's page. */
export const fieldsHtml = (page: {
  readonly locale: Locale;
  readonly publicKey: string;
  /** Origin of the shop's page. */
  readonly parent: string;
  /** The stored card whose security code is asked for; null for the fields of a whole card. */
  readonly paymentMethodId: string | null;
}): string => {
  const words = wordsOf(page.locale);
  const [title] = words.methods.credit_card;
  const code = fieldHtml(words, 'cvv', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"');
  const fields = page.paymentMethodId === null ? wholeCard(words, code) : [code];
  return `${headOf(page.locale, title, STYLE)}
<body data-parent="${escaped(page.parent)}" data-key="${escaped(page.publicKey)}"${page.paymentMethodId ? ` data-method="${escaped(page.paymentMethodId)}"` : ''}>
<main>
<h1>${title}</h1>
<form>
${fields.join('\n')}
</form>
</main>
<script>${FIELDS_SCRIPT}</script>
</body>
</html>
`;
};
