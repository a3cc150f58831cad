import Joi from 'joi';
import { exponentOf, type Minor, toMinor } from '../../kernel/money.ts';
import { compactId, idProblem } from '../../kernel/national-id.ts';
import { holdsCardNumber } from '../../platform/http/card-numbers.ts';
import { email, text } from '../../platform/http/schemas.ts';
import { identifyTypesOf } from '../charges/write/identify-types.ts';
import type { SessionCustomer } from '../checkout/write/checkout-session.ts';
import type { PaymentLink } from '../checkout/write/payment-link.ts';

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

export type LinkTyped = Readonly<Partial<Record<LinkFormField, string>>>;

/** A form as a payer has filled it in. */
type FilledLink = {
  readonly amount: Minor | null;
  readonly customer: SessionCustomer;
  readonly answers: readonly { readonly label: string; readonly value: string }[];
};

type LinkFormRead = { readonly typed: LinkTyped } & (
  | { readonly filled: FilledLink }
  | { readonly faults: readonly LinkFormField[] }
);

const SCHEMAS: Readonly<Partial<Record<LinkFormField, Joi.Schema>>> = {
  name: text(255).required(),
  email: email().required(),
  phone: text(32).required(),
  country: text(64).required(),
};
const ownSchema = text(200).required();

/** Reads the form of a link (`application/x-www-form-urlencoded`). No field takes a card number. */
export const readLinkForm = (body: Buffer, link: PaymentLink): LinkFormRead => {
  const form = new URLSearchParams(body.toString('utf8'));
  const get = (field: LinkFormField): string => (form.get(field) ?? '').trim();
  const faults: LinkFormField[] = [];
  const taken = (field: LinkFormField, schema: Joi.Schema): string => {
    const value = get(field);
    if (schema.validate(value).error || holdsCardNumber(value)) faults.push(field);
    return value;
  };
  const asked = (field: 'name' | 'email' | 'phone'): string | null =>
    link.fields.includes(field) ? taken(field, SCHEMAS[field] ?? Joi.any()) : null;
  const amount = link.amountRange === null ? null : chosenAmount(get('amount'), link);
  if (link.amountRange !== null && amount === null) faults.push('amount');
  const customer = {
    name: asked('name'),
    email: asked('email'),
    phone: asked('phone'),
    document: link.fields.includes('document') ? documentIn(get, link, faults) : null,
    address: link.fields.includes('address') ? { country: taken('country', text(64).required()) } : null,
  };
  const answers = link.ownFields.map((label, index) => ({
    label,
    value: taken(LINK_FORM_FIELDS[LINK_FORM_FIELDS.indexOf('own0') + index] ?? 'own0', ownSchema),
  }));
  const typed = Object.fromEntries(
    LINK_FORM_FIELDS.map((field) => [field, get(field)] as const).filter(
      ([, value]) => value !== '' && !holdsCardNumber(value),
    ),
  );
  return faults.length > 0 ? { typed, faults } : { typed, filled: { amount, customer, answers } };
};

/** An amount within the range, as people of any of the languages write it: `1.234,50`, `1,234.50`, `60`. */
const chosenAmount = (typed: string, { amountRange, currency }: PaymentLink): Minor | null => {
  // Nothing but a sign of the currency may stand beside the digits.
  if (!/^[^\d.,-]*[\d.,\s]+[^\d.,-]*$/.test(typed)) return null;
  const bare = typed.replaceAll(/[^\d.,]/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const decimals = last < 0 ? 0 : bare.length - last - 1;
  // A sign with as many digits behind it as the currency has divides the parts; any other one groups thousands.
  const divides = decimals > 0 && decimals <= exponentOf(currency);
  const whole = (divides ? bare.slice(0, last) : bare).replaceAll(/[.,]/g, '');
  const plain = divides ? `${whole || '0'}.${bare.slice(last + 1)}` : whole;
  const amount = plain === '' ? null : toMinor(Number(plain), currency);
  const isWithin =
    amount !== null && amountRange !== null && amount >= amountRange.min && amount <= amountRange.max;
  return isWithin ? amount : null;
};

const documentIn = (
  get: (field: LinkFormField) => string,
  { currency }: PaymentLink,
  faults: LinkFormField[],
): SessionCustomer['document'] => {
  const id = compactId(get('document'));
  const types = identifyTypesOf(currency);
  const type = types.includes('cpf') ? (id.length === 14 ? 'cnpj' : 'cpf') : get('documentType');
  if (!types.includes(type)) faults.push('documentType');
  else if (!/^[0-9A-Z]{7,14}$/.test(id) || idProblem(type, id) !== null) faults.push('document');
  return { type, id };
};
