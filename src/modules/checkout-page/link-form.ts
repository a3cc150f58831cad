import type Joi from 'joi';
import { exponentOf, type Minor, toMinor } from '../../kernel/money.ts';
import { idProblem } from '../../kernel/national-id.ts';
import { email, text } from '../../platform/http/schemas.ts';
import { identifyTypesOf } from '../charges/write/identify-types.ts';
import type { SessionCustomer } from '../checkout/write/checkout-session.ts';
import { isInRange, OWN_ANSWER_LENGTH, type PaymentLink } from '../checkout/write/payment-link.ts';
import { isText, readDocument, shownAgain } from './typed-fields.ts';
import { writtenAmount } from './written-amount.ts';

/** Fields of the form of a payment link; `own0` to `own2` are the merchant's own. */
const LINK_FORM_FIELDS = [
  'amount',
  'name',
  'email',
  'documentType',
  'document',
  'phone',
  'country',
  'own0',
  'own1',
  'own2',
] as const;
export type LinkFormField = (typeof LINK_FORM_FIELDS)[number];

/** The part of a link that decides which fields its form has. */
type AskingLink = Pick<PaymentLink, 'amountRange' | 'currency' | 'fields' | 'ownFields'>;

export type LinkTyped = Readonly<Partial<Record<LinkFormField, string>>>;

/** A form as a payer has filled it in. */
type FilledLink = {
  readonly amount: Minor | null;
  readonly customer: SessionCustomer;
  readonly answers: readonly { readonly label: string; readonly value: string }[];
};

type LinkFormRead = { readonly typed: LinkTyped } & (
  | { readonly filled: FilledLink }
  | {
      readonly faults: readonly LinkFormField[];
      /** Whether there is an amount that the link does not allow. */
      readonly isOutOfRange: boolean;
    }
);

const SCHEMAS = {
  name: text(255).required(),
  email: email().required(),
  phone: text(32).required(),
  country: text(64).required(),
  own: text(OWN_ANSWER_LENGTH).required(),
};
const OWN_FIELDS = ['own0', 'own1', 'own2'] as const;

/** Reads the form of a link (`application/x-www-form-urlencoded`). No field takes a card number. */
export const readLinkForm = (body: Buffer, link: AskingLink): LinkFormRead => {
  const form = new URLSearchParams(body.toString('utf8'));
  const get = (field: LinkFormField): string => (form.get(field) ?? '').trim();
  const faults: LinkFormField[] = [];
  const take = (field: LinkFormField, schema: Joi.Schema): string => {
    if (!isText(schema, get(field))) faults.push(field);
    return get(field);
  };
  const ask = (field: 'name' | 'email' | 'phone'): string | null =>
    link.fields.includes(field) ? take(field, SCHEMAS[field]) : null;
  const chosen = link.amountRange === null ? null : readAmount(get('amount'), link);
  const amount = isInRange(link, chosen) ? chosen : null;
  if (link.amountRange !== null && amount === null) faults.push('amount');
  const customer = {
    name: ask('name'),
    email: ask('email'),
    phone: ask('phone'),
    document: link.fields.includes('document') ? documentIn(get, link, faults) : null,
    address: link.fields.includes('address') ? { country: take('country', SCHEMAS.country) } : null,
  };
  const answers = OWN_FIELDS.flatMap((field, index) => {
    const label = link.ownFields[index];
    return label === undefined ? [] : [{ label, value: take(field, SCHEMAS.own) }];
  });
  const typed = shownAgain(LINK_FORM_FIELDS, get);
  if (faults.length > 0) return { typed, faults, isOutOfRange: chosen !== null && amount === null };
  return { typed, filled: { amount, customer, answers } };
};

const readAmount = (typed: string, { currency }: AskingLink): Minor | null => {
  const amount = writtenAmount(typed, exponentOf(currency));
  return amount === null ? null : toMinor(amount, currency);
};

const documentIn = (
  get: (field: LinkFormField) => string,
  { currency }: AskingLink,
  faults: LinkFormField[],
): SessionCustomer['document'] => {
  const typed = { number: get('document'), type: get('documentType') };
  const { fault, ...document } = readDocument(identifyTypesOf(currency), typed);
  if (fault !== null) faults.push(fault);
  else if (idProblem(document.type, document.id) !== null) faults.push('document');
  return document;
};
