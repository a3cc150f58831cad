import { brandOf, escaped, filled, moneyIn } from '../../platform/http/html-page.ts';
import { keepsCard, priceOf } from '../checkout/write/checkout-session.ts';
import type { SessionOffer } from '../checkout/write/offers.ts';
import { wordsOf as portalWordsOf } from '../portal/page/portal-words.ts';
import type { PaymentType } from '../providers/provider.ts';
import type { ActiveCard } from '../stored-methods/write/stored-methods.store.ts';
import { type CheckoutWords, wordsOf } from './checkout-words.ts';
import { amountOf, type CheckoutPage, type IconName, iconOf, type PageState, pathOf } from './page-frame.ts';
import type { Asked, FieldName } from './payment-form.ts';

/** Order of the methods on the page: the one that costs the payer least comes first. */
const ORDER: readonly PaymentType[] = ['pix', 'credit_card', 'voucher', 'banktransfer', 'qrcode'];

const ICONS: Readonly<Record<PaymentType, IconName>> = {
  pix: 'pix',
  credit_card: 'card',
  voucher: 'bars',
  banktransfer: 'bank',
  qrcode: 'qr',
};

/** The facts that the page asks for beside the method. */
export const askedOf = (
  { session, known }: Pick<CheckoutPage, 'session' | 'known'>,
  { identifyTypes }: SessionOffer,
): Asked => {
  const isKnown = known.document !== null && identifyTypes.includes(known.document.type);
  return {
    name: session.customerId === null && known.name === null,
    email: session.customerId === null && known.email === null,
    document: identifyTypes.length > 0 && !isKnown,
  };
};

/** The page on which the payer chooses how to pay. */
export const chooseMethod = (page: CheckoutPage): PageState => {
  const words = wordsOf(page.locale);
  const offers = ORDER.flatMap((type) => page.offers.filter((offer) => offer.type === type));
  if (offers.length === 0) {
    const [heading, advice] = words.notNow;
    return { state: heading, html: `${notice(heading, [advice])}${leaveOf(page, words)}` };
  }
  const before = page.told ? toldOf(page, words) : endedOf(page, words);
  const choices = choicesOf(page, offers, words);
  const open = page.told?.method ?? chosenBefore(page, choices);
  const legend = legendOf(page, before !== '', words);
  const isOnly = choices.length === 1;
  const html = `${before}<fieldset class="methods"><legend>${legend}</legend>
${choices.map((choice) => choiceHtml(choice, isOnly || choice.id === open, isOnly)).join('')}
</fieldset>${leaveOf(page, words)}`;
  return { state: legend, html };
};

const legendOf = ({ session }: CheckoutPage, isAgain: boolean, words: CheckoutWords): string => {
  if (keepsCard(session)) return words.setup.legend;
  return isAgain ? words.otherWay : words.howToPay;
};

/** One way to pay: a stored card, or a method of the shop. */
type Choice = {
  /** Id of the stored card, or the method. */
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly icon: IconName;
  readonly form: string;
};

/** Stored cards come first: they are the least work. */
const choicesOf = (
  page: CheckoutPage,
  offers: readonly SessionOffer[],
  words: CheckoutWords,
): readonly Choice[] => {
  const byCard = offers.find(({ type }) => type === 'credit_card');
  const saved = byCard ? page.saved.map((card) => savedChoice(page, byCard, card, words)) : [];
  return [...saved, ...offers.map((offer) => methodChoice(page, offer, words))];
};

const chosenBefore = ({ charge }: CheckoutPage, choices: readonly Choice[]): string | undefined => {
  const method = charge?.paymentMethod;
  const former = method?.type === 'credit_card' ? (method.id ?? method.type) : method?.type;
  return (choices.find(({ id }) => id === former) ?? choices[0])?.id;
};

const leaveOf = ({ session, merchant }: CheckoutPage, words: CheckoutWords): string =>
  session.cancelUrl === null
    ? ''
    : `<p class="centre"><a class="link" href="${escaped(session.cancelUrl)}">${filled(words.backWithoutPaying, escaped(merchant.name))}</a></p>`;

const notice = (heading: string, sentences: readonly string[]): string =>
  `<section class="notice bad" role="alert" aria-labelledby="told" tabindex="-1">${iconOf('alert', 24)}<div>
<h2 id="told">${heading}</h2>${sentences.map((sentence) => `<p>${sentence}</p>`).join('')}</div></section>`;

/** The outcome of a form that led to no payment. */
const toldOf = ({ told }: CheckoutPage, words: CheckoutWords): string => {
  switch (told?.problem) {
    case 'faults':
      return notice(words.checkFields, [words.nothingCharged]);
    case 'brandNotTaken':
    case 'installmentsNotOffered':
      return notice(words[told.problem], [words.nothingCharged]);
    case 'cardRefused':
      return notice(words.refused[0], [words.nothingCharged, words.refused[1]]);
    case 'taken':
    case 'proofNeeded':
    case 'tryAgain':
    case 'notNow':
      return notice(words[told.problem][0], [words.nothingCharged, words[told.problem][1]]);
    default:
      return '';
  }
};

/** Reasons by which the bank tells that the money does not suffice. */
const NO_FUNDS: readonly string[] = ['insufficient_funds', 'no_funds'];

/** How the charge before ended; a card that is stolen is refused without a reason, which is not for whoever holds it. */
const endedOf = ({ charge, session }: CheckoutPage, words: CheckoutWords): string => {
  if (charge === null)
    return session.refusals === 0 ? '' : notice(words.refused[0], [words.nothingCharged, words.refused[1]]);
  const { status, failureReason, paymentMethod } = charge;
  if (status === 'failed' && paymentMethod.type !== 'credit_card')
    return failureReason === 'cancelled'
      ? ''
      : notice(words.ended[0], [words.nothingCharged, words.ended[1]]);
  if (failureReason === 'cancelled') return '';
  const [heading, advice] = NO_FUNDS.includes(failureReason ?? '')
    ? words.insufficientFunds
    : failureReason?.startsWith('authentication')
      ? words.notAuthenticated
      : words.refused;
  const card =
    paymentMethod.type === 'credit_card'
      ? ` ${escaped(brandOf(paymentMethod.brand))} ···· ${paymentMethod.lastFour}`
      : '';
  return notice(heading, [`<strong>${words.nothingCharged}</strong>${card}`, advice]);
};

const choiceHtml = ({ id, name, hint, icon, form }: Choice, isOpen: boolean, isOnly: boolean): string => {
  const radio = `<input type="radio" name="method" id="m-${id}" value="${id}"${isOpen ? ' checked' : ''}${isOnly ? ' class="visually-hidden"' : ''}>`;
  return `<div class="method">${radio}
<label for="m-${id}"><span class="method-name">${name}${hint ? `<small>${hint}</small>` : ''}</span>${iconOf(icon, 24)}</label>
<div class="method-body">${form}</div></div>`;
};

const methodChoice = (page: CheckoutPage, offer: SessionOffer, words: CheckoutWords): Choice => {
  const { type, installments } = offer;
  const [name, plainHint] = words.methods[type];
  const isInParts = type === 'credit_card' && installments > 1;
  const hint = keepsCard(page.session)
    ? ''
    : isInParts
      ? filled(words.upTo, String(installments))
      : plainHint;
  return { id: type, name, hint, icon: ICONS[type], form: formOf(page, offer, words) };
};

/** A stored card, of which the payer types the security code: whoever finds the page open has not the card. */
const savedChoice = (
  page: CheckoutPage,
  offer: SessionOffer,
  { id, card }: ActiveCard,
  words: CheckoutWords,
): Choice => {
  const field = fieldsIn(page, id, words);
  const code = field('cvv', CODE_ATTRIBUTES, undefined, words.codeHint);
  const fields = `${code}${installmentsField(page, id, offer, words)}`;
  const form = payForm(
    page,
    'credit_card',
    `<input type="hidden" name="saved" value="${id}">${fields}`,
    words,
  );
  const expiry = `${card.expirationMonth}/${card.expirationYear.slice(2)}`;
  return {
    id,
    name: filled(words.cardEnding, escaped(brandOf(card.brand)), card.lastFour),
    hint: filled(words.validUntil, expiry),
    icon: 'card',
    form,
  };
};

const CODE_ATTRIBUTES = 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"';

const formOf = (page: CheckoutPage, offer: SessionOffer, words: CheckoutWords): string => {
  const { type } = offer;
  const asked = askedOf(page, offer);
  const field = fieldsIn(page, type, words);
  const fields = [
    ...(asked.email
      ? [
          field(
            'email',
            `type="email" inputmode="email" autocomplete="email" maxlength="254" ${checked('email', words)}`,
          ),
        ]
      : []),
    ...(asked.name ? [field('name', 'autocomplete="name" maxlength="255"')] : []),
    ...(type === 'pix' ? [`<p>${words.pixHelp}</p>`] : []),
    ...(asked.document ? documentFields(page, offer, field, words) : []),
    ...(type === 'banktransfer' ? [field('bankName', 'autocomplete="off" maxlength="100"')] : []),
    ...(type === 'credit_card' ? cardFields(page, offer, field, words) : []),
  ];
  return payForm(page, type, fields.join(''), words);
};

const payForm = (page: CheckoutPage, type: PaymentType, fields: string, words: CheckoutWords): string => {
  const name = escaped(page.merchant.name);
  const assure =
    type === 'credit_card'
      ? `<p class="assure">${iconOf('shield', 18)}<span>${filled(words.assure, name)}</span></p>`
      : '';
  return `<form method="post" action="${pathOf(page, '/pay')}" data-pay="yes">
<input type="hidden" name="method" value="${type}">
${fields}
<button class="button">${buttonOf(page, type, words)}</button>${assure}</form>`;
};

const buttonOf = (page: CheckoutPage, type: PaymentType, words: CheckoutWords): string => {
  switch (page.session.mode) {
    case 'setup':
      return words.setup.button;
    case 'subscription':
      return words.subscription.button;
    default:
      return filled(words.begin[type], amountOf(page));
  }
};

type Field = (name: FieldName, attributes: string, label?: string, hint?: string) => string;

/** Has the script of the page check a field as soon as the payer leaves it. */
export const checked = (name: 'document' | 'email' | 'expiry' | 'number', words: CheckoutWords): string =>
  `data-check="${name}" data-fault="${escaped(words.faults[name])}"`;

/** A field of the form of one choice, with its fault where the form was sent. */
const fieldsIn =
  ({ told }: CheckoutPage, choice: string, words: CheckoutWords): Field =>
  (name, attributes, label = words.fields[name], hint = '') => {
    const id = `${choice}-${name}`;
    const isSent = told?.method === choice;
    const isWrong = isSent && told.faults.includes(name);
    const value = isSent && name !== 'number' && name !== 'cvv' ? told.typed[name] : undefined;
    const described = [...(isWrong ? [`${id}-fault`] : []), ...(hint ? [`${id}-hint`] : [])].join(' ');
    return `<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" required ${attributes}${value === undefined ? '' : ` value="${escaped(value)}"`}${isWrong ? ' aria-invalid="true"' : ''}${described ? ` aria-describedby="${described}"` : ''}>
${isWrong ? `<p class="error" id="${id}-fault">${words.faults[name]}</p>` : ''}${hint ? `<p class="hint" id="${id}-hint">${hint}</p>` : ''}</div>`;
  };

const documentFields = (
  { told }: CheckoutPage,
  { type, identifyTypes }: SessionOffer,
  field: Field,
  words: CheckoutWords,
): readonly string[] => {
  const attributes = 'autocomplete="off" maxlength="20"';
  if (identifyTypes.includes('cpf'))
    return [
      field(
        'document',
        `inputmode="numeric" ${attributes} ${checked('document', words)}`,
        words.cpfOrCnpj,
        words.documentWhy,
      ),
    ];
  const id = `${type}-documentType`;
  const options = identifyTypes.map((one) => {
    const isChosen = told?.typed.documentType === one;
    return `<option value="${one}"${isChosen ? ' selected' : ''}>${one.toUpperCase()}</option>`;
  });
  const select = `<div class="field"><label for="${id}">${words.fields.documentType}</label>
<span class="with"><select id="${id}" name="documentType">${options.join('')}</select>${iconOf('down')}</span></div>`;
  return [select, field('document', attributes, words.fields.document, words.documentWhy)];
};

const cardFields = (
  page: CheckoutPage,
  offer: SessionOffer,
  field: Field,
  words: CheckoutWords,
): readonly string[] => {
  const badges = offer.brands
    .map((brand) => `<span class="badge">${escaped(brandOf(brand))}</span>`)
    .join(' ');
  return [
    field(
      'number',
      `inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" ${checked('number', words)}`,
      `${words.fields.number} <span class="soft" data-brand></span>`,
    ),
    `<p class="badges">${badges}</p>`,
    `<div class="field pair">${field('expiry', `inputmode="numeric" autocomplete="cc-exp" maxlength="7" placeholder="${words.expiryFormat}" ${checked('expiry', words)}`)}
${field('cvv', CODE_ATTRIBUTES, undefined, words.codeHint)}</div>`,
    field(
      'holderName',
      'autocomplete="cc-name" autocapitalize="characters" spellcheck="false" maxlength="100"',
    ),
    installmentsField(page, offer.type, offer, words),
    saveField(page, words),
  ];
};

const installmentsField = (
  page: CheckoutPage,
  choice: string,
  { installments }: SessionOffer,
  words: CheckoutWords,
): string => {
  if (installments === 1) return '';
  const told = page.told?.method === choice ? page.told : null;
  const chosen = Number(told?.typed.installments ?? 1);
  const options = Array.from({ length: installments }, (_, index) => {
    const count = index + 1;
    return `<option value="${count}"${count === chosen ? ' selected' : ''}>${installmentText(page, count, words)}</option>`;
  });
  const id = `${choice}-installments`;
  const isWrong = told?.faults.includes('installments') ?? false;
  return `<div class="field"><label for="${id}">${words.fields.installments}</label>
<span class="with"><select id="${id}" name="installments"${isWrong ? ` aria-invalid="true" aria-describedby="${id}-fault"` : ''}>${options.join('')}</select>${iconOf('down')}</span>${isWrong ? `<p class="error" id="${id}-fault">${words.faults.installments}</p>` : ''}</div>`;
};

/** Equal parts; the first has what the division leaves over. */
const installmentText = ({ session, locale }: CheckoutPage, count: number, words: CheckoutWords): string => {
  const { currency } = session;
  const amount = priceOf(session);
  const each = Math.floor(amount / count);
  const first = amount - each * (count - 1);
  const money = (minor: number): string => escaped(moneyIn(minor, currency, locale));
  if (count === 1) return filled(words.oneInstallment, money(amount));
  return first === each
    ? filled(words.installments, String(count), money(each))
    : filled(words.installmentsFirst, String(count), money(each), money(first));
};

/** The words by which the payer agrees that a card is kept, and that the session keeps. */
export const consentTextOf = ({
  session,
  merchant,
  locale,
}: Pick<CheckoutPage, 'session' | 'merchant' | 'locale'>): string => {
  const words = wordsOf(locale);
  const text = session.saveMethod === 'always' ? words.saved : words.fields.save;
  switch (session.mode) {
    case 'setup':
      return filled(words.setup.consent, merchant.name);
    case 'subscription':
      return filled(portalWordsOf(locale).consent, merchant.name);
    default:
      return filled(text, merchant.name);
  }
};

/** The text is what the payer agrees to; nobody has ticked it for him. */
const saveField = (page: CheckoutPage, words: CheckoutWords): string => {
  const { session, told } = page;
  if (session.saveMethod === 'never') return '';
  const isWrong = told?.faults.includes('save') ?? false;
  const required = session.saveMethod === 'always' ? ' required' : '';
  const text = escaped(consentTextOf(page));
  return `<label class="check"><input type="checkbox" name="save" value="yes"${required}${isWrong ? ' aria-invalid="true"' : ''}>
<span>${text}</span></label>${isWrong ? `<p class="error">${words.faults.save}</p>` : ''}`;
};
