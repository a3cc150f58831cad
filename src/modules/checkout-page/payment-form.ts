import Joi from 'joi';
import { compactId } from '../../kernel/national-id.ts';
import { holdsCardNumber } from '../../platform/http/card-numbers.ts';
import { email, text } from '../../platform/http/schemas.ts';
import type { ChargeBody } from '../charges/write/charge-request.ts';
import type { CheckoutSession, SessionCustomer } from '../checkout/write/checkout-session.ts';
import type { SessionOffer } from '../checkout/write/offers.ts';
import { cardMembers } from '../providers/card.schemas.ts';
import type { Card } from '../providers/provider.ts';

/** Fields of the forms by which a payer pays. */
export const FIELDS = [
  'name',
  'email',
  'documentType',
  'document',
  'bankName',
  'number',
  'expiry',
  'cvv',
  'holderName',
  'installments',
  'save',
] as const;
export type FieldName = (typeof FIELDS)[number];

/** The part of a form that a page may show again: neither the number of a card nor its code. */
export type Typed = Readonly<Partial<Record<Exclude<FieldName, 'number' | 'cvv'>, string>>>;

/** The facts that a page has to ask for beside the method, because nobody has told them. */
export type Asked = { readonly name: boolean; readonly email: boolean; readonly document: boolean };

/** A payment as a payer has filled it in. */
type Filled = {
  readonly payer: Pick<ChargeBody, 'customer' | 'customerId'>;
  readonly paymentMethod: ChargeBody['paymentMethod'];
  /** The solution of a challenge that the page had set; null without one. */
  readonly proof: string | null;
};

export type FormRead = { readonly typed: Typed } & (
  | { readonly filled: Filled }
  | { readonly faults: readonly FieldName[] }
);

/** Everything that decides which fields a form has. */
type FormContext = {
  readonly session: CheckoutSession;
  readonly known: SessionCustomer;
  readonly asked: Asked;
  readonly isLimited: boolean;
};

const card = Joi.object<Card>(cardMembers);
const nameField = text(255).required();
const emailField = email().required();
const bankField = text(100).required();

const isValid = (schema: Joi.Schema, value: string): boolean => schema.validate(value).error === undefined;

/** A text that people type. It holds no card number, which some type into the wrong field. */
const isText = (schema: Joi.Schema, value: string): boolean =>
  isValid(schema, value) && !holdsCardNumber(value);

/**
 * Reads the form of one method (`application/x-www-form-urlencoded`). Facts that are known are not taken from it. `known`
 * is the payer as far as the session or its customer tells.
 */
export const readPaymentForm = (body: Buffer, offer: SessionOffer, context: FormContext): FormRead => {
  const { session, known, asked } = context;
  const form = new URLSearchParams(body.toString('utf8'));
  const get = (field: FieldName): string => (form.get(field) ?? '').trim();
  const faults: FieldName[] = [];
  const need = (field: FieldName, isGood: boolean): void => {
    if (!isGood) faults.push(field);
  };
  if (asked.name) need('name', isText(nameField, get('name')));
  if (asked.email) need('email', isText(emailField, get('email')));
  const payer = payerOf(session, known, get);
  const paymentMethod = methodOf(offer, context, get, need);
  const typed = typedIn(get);
  const filled = { payer, paymentMethod, proof: form.get('proof') };
  return faults.length > 0 ? { typed, faults } : { typed, filled };
};

type Get = (field: FieldName) => string;
type Need = (field: FieldName, isGood: boolean) => void;

const payerOf = (session: CheckoutSession, known: SessionCustomer, get: Get): Filled['payer'] => {
  if (session.customerId !== null) return { customerId: session.customerId };
  const { name, email, ...others } = known;
  return { customer: { ...others, name: name ?? get('name'), email: email ?? get('email') } };
};

/** Seconds for which a code holds a place of a link that only so many can pay. */
const LIMITED_SECONDS = 900;

const methodOf = (
  offer: SessionOffer,
  { session, known, asked, isLimited }: FormContext,
  get: Get,
  need: Need,
): Filled['paymentMethod'] => {
  const { type } = offer;
  if (type === 'credit_card') return cardOf(offer, session, get, need);
  const hurried = isLimited ? { expiresIn: LIMITED_SECONDS } : {};
  if (type === 'pix') return { type, installments: 1, ...hurried };
  const document = asked.document
    ? typedDocument(offer, get, need)
    : { type: known.document?.type ?? '', id: known.document?.id ?? '' };
  const identified = { installments: 1, identifyType: document.type, identifyNumber: document.id };
  if (type !== 'banktransfer') return { type, ...identified, ...hurried };
  need('bankName', isText(bankField, get('bankName')));
  return { type, ...identified, bankName: get('bankName') };
};

/** A CPF has 11 characters and a CNPJ 14, so that nobody has to say which it is. */
const typedDocument = (offer: SessionOffer, get: Get, need: Need): { type: string; id: string } => {
  const id = compactId(get('document'));
  const isBrazilian = offer.identifyTypes.includes('cpf');
  const type = isBrazilian ? (id.length === 14 ? 'cnpj' : 'cpf') : get('documentType');
  need('documentType', offer.identifyTypes.includes(type));
  need('document', /^[0-9A-Z]{7,14}$/.test(id));
  return { type, id };
};

const cardOf = (
  offer: SessionOffer,
  { saveMethod }: CheckoutSession,
  get: Get,
  need: Need,
): Filled['paymentMethod'] => {
  // Browsers fill in `08/2030`, people type `8/30` and `0830`.
  const [, month = '', year = ''] = /^(\d{1,2}?)\s*[/-]?\s*(\d{2}|\d{4})$/.exec(get('expiry')) ?? [];
  const typed = {
    number: get('number').replaceAll(/\D/g, ''),
    holderName: get('holderName'),
    expirationMonth: month.padStart(2, '0'),
    expirationYear: year.length === 2 ? `20${year}` : year,
    cvv: get('cvv'),
  };
  const { value, error } = card.validate(typed, { abortEarly: false });
  for (const { path } of error?.details ?? []) need(fieldOf(String(path[0])) ?? 'number', false);
  const installments = Number(get('installments') || '1');
  need(
    'installments',
    Number.isInteger(installments) && installments >= 1 && installments <= offer.installments,
  );
  if (saveMethod === 'always') need('save', get('save') === 'yes');
  const save = saveMethod !== 'never' && get('save') === 'yes';
  return { type: 'credit_card', installments, ...(value ?? typed), ...(save ? { save } : {}) };
};

/** The field that a member of a charge request came from; null for one that no payer types. */
export const fieldOf = (path: string): FieldName | null => {
  const member = path.split('.').at(-1) ?? '';
  switch (member) {
    case 'expirationMonth':
    case 'expirationYear':
      return 'expiry';
    case 'identifyType':
    case 'identifyNumber':
    case 'id':
      return 'document';
    default:
      return FIELDS.find((field) => field === member) ?? null;
  }
};

/** A card number in the wrong field is not shown again either. */
const typedIn = (get: Get): Typed =>
  Object.fromEntries(
    FIELDS.filter((field) => field !== 'number' && field !== 'cvv')
      .map((field) => [field, get(field)] as const)
      .filter(([, value]) => value !== '' && !holdsCardNumber(value)),
  );
