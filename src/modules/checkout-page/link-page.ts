import { exponentOf, toDecimal } from '../../kernel/money.ts';
import { escaped, filled, type Locale, moneyIn } from '../../platform/http/html-page.ts';
import { identifyTypesOf } from '../charges/write/identify-types.ts';
import type { PaymentLink } from '../checkout/write/payment-link.ts';
import type { Plan } from '../subscriptions/write/plan.ts';
import { type CheckoutWords, wordsOf } from './checkout-words.ts';
import { checked } from './choose-method.ts';
import type { LinkFormField, LinkTyped } from './link-form.ts';
import type { PageContent, Taken } from './page-content.ts';
import { framed, iconOf, type PageFrame, type PageState, priceNote } from './page-frame.ts';
import { takenState } from './payment-states.ts';

/** Data of a link's page. */
type LinkPage = {
  readonly link: PaymentLink;
  readonly merchant: PageContent['merchant'];
  /** The plan that the link sells; null where each payer pays once. */
  readonly plan: Plan | null;
  readonly taken: Taken | null;
  readonly locale: Locale;
  readonly isChosen: boolean;
  /** The form that was just sent and opened no session; null where none was. */
  readonly told: LinkTold | null;
};

/** The outcome of a form that opened no session. */
type LinkTold = {
  readonly typed: LinkTyped;
  readonly faults: readonly LinkFormField[];
  readonly isTooOften: boolean;
};

/** The state of a link's page: another one where the link has changed or is taken, or in another language. */
export const linkVersionOf = ({ link, taken, locale }: Omit<LinkPage, 'told'>): string =>
  `"${link.version}-${taken ?? 'free'}-${locale}"`;

/** The page of a link. It stores nothing: previews of chats open links. */
export const linkHtml = (page: LinkPage): string => {
  const { link, merchant, locale, taken, plan } = page;
  const note = plan ? priceNote(locale, plan) : wordsOf(locale).links.chooseAmount;
  const frame: PageFrame = {
    merchant,
    locale,
    path: `/link/${link.token}`,
    version: linkVersionOf(page),
    order: { ...link, title: link.description, note: link.amount === null || plan ? note : '' },
  };
  return framed(frame, taken === null ? formOf(page) : takenState(taken, page, link.returnUrl));
};

const formOf = (page: LinkPage): PageState => {
  const words = wordsOf(page.locale);
  const { link, told } = page;
  const query = page.isChosen ? `?lang=${page.locale.slice(0, 2)}` : '';
  const [title, help] = words.links.tooMany;
  const tooOften = told?.isTooOften
    ? `<section class="notice bad" role="alert" tabindex="-1"><div><h2>${title}</h2><p>${help}</p></div></section>`
    : '';
  const fields = fieldsOf(page, words);
  const heading = fields.length > 0 ? `<h2>${words.links.yourData}</h2>` : '';
  return {
    state: words.howToPay,
    html: `${tooOften}<form class="stack" method="post" action="${escaped(`/link/${link.token}/start${query}`)}">
${amountField(page, words)}${heading}<div>${fields.join('')}</div>
<button class="button">${words.links.choose}</button>
<p class="centre small soft">${words.links.nothingYet}</p></form>`,
  };
};

const amountField = (page: LinkPage, words: CheckoutWords): string => {
  const { link, locale } = page;
  if (link.amountRange === null) return '';
  const { currency, amountRange } = link;
  const { min, max } = amountRange;
  const range = [min, max].map((minor) => escaped(moneyIn(minor, currency, locale)));
  const fault = filled(words.links.amountFault, ...range);
  const check = `data-check="amount" data-fault="${fault}" data-digits="${exponentOf(currency)}"`;
  const allowed = `data-min="${toDecimal(min, currency)}" data-max="${toDecimal(max, currency)}"`;
  return field(page, words, {
    name: 'amount',
    label: `${words.links.amount} (${escaped(currency)})`,
    attributes: `inputmode="decimal" autocomplete="off" maxlength="20" ${check} ${allowed}`,
    hint: filled(words.links.range, ...range),
    fault,
  });
};

type Field = {
  readonly name: LinkFormField;
  readonly label: string;
  readonly attributes: string;
  readonly fault: string;
  readonly hint?: string;
};

const field = (
  { told }: LinkPage,
  words: CheckoutWords,
  { name, label, attributes, fault, hint }: Field,
): string => {
  const isWrong = told?.faults.includes(name) ?? false;
  const value = told?.typed[name];
  const described = [...(isWrong ? [`${name}-fault`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
  return `<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes}${value === undefined ? '' : ` value="${escaped(value)}"`}${isWrong ? ' aria-invalid="true"' : ''}${described ? ` aria-describedby="${described}"` : ''}>
${isWrong ? `<p class="error" id="${name}-fault">${fault || words.links.missing}</p>` : ''}${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}</div>`;
};

const fieldsOf = (page: LinkPage, words: CheckoutWords): readonly string[] => {
  const { link } = page;
  const one = (name: LinkFormField, label: string, attributes: string, fault = ''): string =>
    field(page, words, { name, label, attributes, fault });
  const { fields, faults, links } = words;
  const standard = {
    name: () => one('name', fields.name, 'autocomplete="name" maxlength="255"', faults.name),
    email: () =>
      one(
        'email',
        fields.email,
        `type="email" inputmode="email" autocomplete="email" maxlength="254" ${checked('email', words)}`,
        faults.email,
      ),
    document: () => documentFields(page, words, one),
    phone: () => one('phone', links.phone, 'type="tel" autocomplete="tel" maxlength="32"'),
    address: () => one('country', links.country, 'autocomplete="country-name" maxlength="64"'),
  };
  const own = ['own0', 'own1', 'own2'] as const;
  return [
    ...link.fields.map((name) => standard[name]()),
    ...link.ownFields.map((label, index) =>
      one(own[index] ?? 'own0', escaped(label), 'autocomplete="off" maxlength="200"'),
    ),
  ];
};

const documentFields = (
  { link, told }: LinkPage,
  words: CheckoutWords,
  one: (name: LinkFormField, label: string, attributes: string, fault?: string) => string,
): string => {
  const types = identifyTypesOf(link.currency);
  const attributes = 'autocomplete="off" maxlength="20"';
  if (types.includes('cpf'))
    return one(
      'document',
      words.cpfOrCnpj,
      `inputmode="numeric" ${attributes} ${checked('document', words)}`,
      words.faults.document,
    );
  const options = types.map(
    (type) =>
      `<option value="${type}"${told?.typed.documentType === type ? ' selected' : ''}>${type.toUpperCase()}</option>`,
  );
  return `<div class="field"><label for="documentType">${words.fields.documentType}</label>
<span class="with"><select id="documentType" name="documentType">${options.join('')}</select>${iconOf('down')}</span></div>
${one('document', words.fields.document, attributes, words.faults.document)}`;
};
