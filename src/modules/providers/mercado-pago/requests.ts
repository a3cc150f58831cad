import { timeOfId } from '../../../kernel/ids.ts';
import { toDecimal } from '../../../kernel/money.ts';
import { compactId, idProblem } from '../../../kernel/national-id.ts';
import { maskedCard } from '../card.ts';
import type { AuthorizeRequest, Card, Payer, PaymentOrder, PaymentState } from '../provider.ts';
import { VOUCHER } from './answers.ts';

/** The bodies that Mercado Pago is sent, and the names by which it knows payments of this gateway. */

/** A Pix or a boleto may be paid for so long at least, whatever less is asked for. */
const MIN_EXPIRY_MS = 30 * 60_000;
/** Accounts of Brazil take payments in this currency only; a request names none. */
export const CURRENCY = 'BRL';
/** Member of the metadata of a payment that stands for another one, which must not arrive any more. */
export const PLACEHOLDER = 'portico_placeholder';
/** Nobody reads mail at this address (RFC 2606): a payment that stands for another one has no payer. */
const NOBODY = 'nobody@example.com';

/** The header takes a UUID, and each id of this gateway holds one. */
export const keyOf = (reference: string): string =>
  reference.slice(reference.indexOf('_') + 1).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const ageOf = (reference: string, now: Date): number => now.getTime() - timeOfId(reference).getTime();

export const CARD_NOT_SUPPORTED = 'card_not_supported';

/** Names of card brands at Mercado Pago, by the ids of credit-card-type. */
const METHODS: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'master',
  // Numbers that the package counts as Maestro and Mercado Pago as Mastercard, such as that of its card for tests.
  maestro: 'master',
  'american-express': 'amex',
  elo: 'elo',
  hipercard: 'hipercard',
};

/** The payment method of a card's brand; null for a brand that Mercado Pago takes none of. */
export const methodOf = (card: Card): string | null => METHODS[maskedCard(card).brand] ?? null;

/** A card that was made a token, with its payment method: nobody can tell that by the token alone. */
export type CardToken = { readonly method: string; readonly token: string };

export const writeToken = ({ method, token }: CardToken): string => `${method}:${token}`;

export const parseToken = (providerToken: string): CardToken => {
  const [method = '', token = ''] = providerToken.split(':');
  return { method, token };
};

/** A card as it is made a token. */
export const cardBody = (card: Card, payer: Payer | null) => ({
  card_number: card.number,
  expiration_month: Number(card.expirationMonth),
  expiration_year: Number(card.expirationYear),
  security_code: card.cvv,
  cardholder: { name: card.holderName, ...identificationOf(payer?.document ?? null) },
});

type Document = { readonly type: string; readonly id: string };

/** The tax number, where it is one of Brazil: Mercado Pago refuses the whole request for a wrong one. */
const identificationOf = (document: Document | null) => {
  const type = document?.type.toLowerCase();
  if (document === null || (type !== 'cpf' && type !== 'cnpj')) return {};
  const number = compactId(document.id);
  // A newer CNPJ may have letters, which the API does not take.
  if (idProblem(type, document.id) !== null || !/^\d+$/.test(number)) return {};
  return { identification: { type: type.toUpperCase(), number } };
};

/** Given name and the rest: boletos have the two apart, and both have to be there. */
const namesOf = (name: string) => {
  const [first = name, ...others] = name.trim().split(/\s+/);
  return { first_name: first, last_name: others.join(' ') || first };
};

const amountAndName = ({ reference, amount, currency }: PaymentOrder) => ({
  transaction_amount: toDecimal(amount, currency),
  external_reference: reference,
});

/** With an offset, as the API has every time. */
const expiryOf = (expiresAt: string, now: Date): string =>
  new Date(Math.max(Date.parse(expiresAt), now.getTime() + MIN_EXPIRY_MS))
    .toISOString()
    .replace('Z', '+00:00');

/** The body of `POST /v1/payments`; `card` is the token of a card payment. */
export const paymentBody = (request: AuthorizeRequest, card: CardToken | null, now: Date): object => {
  const { instrument, payer, merchantName } = request;
  const base = { ...amountAndName(request), description: merchantName };
  const { email } = payer;
  if (instrument.type === 'credit_card')
    return {
      ...base,
      payment_method_id: card?.method,
      token: card?.token,
      installments: instrument.installments,
      payer: { email, ...identificationOf(payer.document) },
    };
  const date_of_expiration = expiryOf(instrument.expiresAt, now);
  if (instrument.type === 'pix')
    return {
      ...base,
      payment_method_id: 'pix',
      date_of_expiration,
      payer: { email, ...identificationOf(payer.document) },
    };
  const document = { type: instrument.identifyType, id: instrument.identifyNumber };
  return {
    ...base,
    payment_method_id: VOUCHER,
    date_of_expiration,
    payer: { email, ...namesOf(payer.name), ...identificationOf(document) },
  };
};

/** A payment that nobody is told of, in place of one whose call may still be on its way. */
export const placeholderBody = (order: PaymentOrder): object => ({
  ...amountAndName(order),
  payment_method_id: 'pix',
  metadata: { [PLACEHOLDER]: true },
  payer: { email: NOBODY },
});

/** Why this connector takes no such payment; null where it does. */
export const unsupported = ({ instrument, currency }: AuthorizeRequest): string | null => {
  if (currency !== CURRENCY) return 'currency_not_supported';
  if (instrument.type === 'credit_card') {
    const { card } = instrument;
    if ('cryptogram' in card) return 'wallet_not_supported';
    if ('providerMethod' in card) return 'stored_card_not_supported';
    return 'number' in card && methodOf(card) === null ? CARD_NOT_SUPPORTED : null;
  }
  if (instrument.type !== 'voucher') return instrument.type === 'pix' ? null : 'method_not_supported';
  const document = { type: instrument.identifyType, id: instrument.identifyNumber };
  return 'identification' in identificationOf(document) ? null : 'document_not_supported';
};

/** A payment that Mercado Pago has none of. */
export const neverMade = (
  { reference, amount, currency }: PaymentOrder,
  { status, reason }: { readonly status: 'failed' | 'refused'; readonly reason: string },
): PaymentState => ({
  status,
  pspRefId: reference,
  failureReason: reason,
  paidAt: null,
  instructions: null,
  echo: { amount, currency },
});
