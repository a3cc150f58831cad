import type { PaymentMethodId } from '../../kernel/ids.ts';
import { email, text } from '../../platform/http/schemas.ts';
import type { ChargeBody } from '../charges/write/charge-request.ts';
import type { CheckoutSession, SessionCustomer } from '../checkout/write/checkout-session.ts';
import type { SessionOffer } from '../checkout/write/offers.ts';
import type { Payer } from '../checkout/write/set-up-card.ts';
import { cvvSizeOf } from '../providers/card.ts';
import type { Card } from '../providers/provider.ts';
import { cardFieldOf, readTypedCard } from '../providers/typed-card.ts';
import type { ActiveCard } from '../stored-methods/write/stored-methods.store.ts';
import { isText, readDocument, shownAgain } from './typed-fields.ts';

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
const SHOWN_FIELDS = FIELDS.filter((field) => field !== 'number' && field !== 'cvv');

/** The facts that a page has to ask for beside the method, because nobody has told them. */
export type Asked = { readonly name: boolean; readonly email: boolean; readonly document: boolean };

/** A payment with a stored card. */
export type SavedPayment = { readonly id: PaymentMethodId; readonly cvv: string };

/** A payment as a payer has filled it in. */
type Filled = {
  readonly payer: Pick<ChargeBody, 'customer' | 'customerId'>;
  /** The payer, as far as it is known and filled in. */
  readonly facts: Payer;
  /** The card that was typed; null for every other payment. */
  readonly card: Card | null;
  /** Whether the payer has agreed that the card is kept. */
  readonly consents: boolean;
  readonly paymentMethod: ChargeBody['paymentMethod'];
  /** The stored card that is paid with, and its security code; null for every other payment. */
  readonly saved: SavedPayment | null;
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
  /** The stored card that the payer has chosen; null for every other payment. */
  readonly chosen: ActiveCard | null;
};

const nameField = text(255).required();
const emailField = email().required();
const bankField = text(100).required();

/**
 * Reads the form of one method (`application/x-www-form-urlencoded`). Facts that are known are not taken from it.
 * `known` is the payer as far as the session or its customer tells.
 */
export const readPaymentForm = (body: Buffer, offer: SessionOffer, context: FormContext): FormRead => {
  const { session, known, asked, chosen } = context;
  const form = new URLSearchParams(body.toString('utf8'));
  const get = (field: FieldName): string => (form.get(field) ?? '').trim();
  const faults: FieldName[] = [];
  const need = (field: FieldName, isGood: boolean): void => {
    if (!isGood) faults.push(field);
  };
  if (asked.name) need('name', isText(nameField, get('name')));
  if (asked.email) need('email', isText(emailField, get('email')));
  const facts = { ...known, name: known.name ?? get('name'), email: known.email ?? get('email') };
  const payer = session.customerId === null ? { customer: facts } : { customerId: session.customerId };
  const saved = chosen && savedOf(chosen, get, need);
  const paymentMethod = chosen
    ? { type: 'credit_card' as const, id: chosen.id, installments: installmentsOf(offer, get, need) }
    : methodOf(offer, context, get, need);
  const typed = shownAgain(SHOWN_FIELDS, get);
  const typedCard = 'number' in paymentMethod ? readTypedCard(get).card : null;
  const consents = 'save' in paymentMethod && paymentMethod.save === true;
  const filled = { payer, facts, paymentMethod, card: typedCard, consents, saved, proof: form.get('proof') };
  return faults.length > 0 ? { typed, faults } : { typed, filled };
};

type Get = (field: FieldName) => string;
type Need = (field: FieldName, isGood: boolean) => void;

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

const typedDocument = (
  { identifyTypes }: SessionOffer,
  get: Get,
  need: Need,
): NonNullable<SessionCustomer['document']> => {
  const { fault, ...document } = readDocument(identifyTypes, {
    number: get('document'),
    type: get('documentType'),
  });
  need(fault ?? 'document', fault === null);
  return document;
};

const cardOf = (
  offer: SessionOffer,
  { saveMethod }: CheckoutSession,
  get: Get,
  need: Need,
): Filled['paymentMethod'] => {
  const { card, faults } = readTypedCard(get);
  for (const fault of faults) need(fault, false);
  const installments = installmentsOf(offer, get, need);
  if (saveMethod === 'always') need('save', get('save') === 'yes');
  const save = saveMethod !== 'never' && get('save') === 'yes';
  return { type: 'credit_card', installments, ...card, ...(save ? { save } : {}) };
};

const installmentsOf = (offer: SessionOffer, get: Get, need: Need): number => {
  const installments = Number(get('installments') || '1');
  need(
    'installments',
    Number.isInteger(installments) && installments >= 1 && installments <= offer.installments,
  );
  return installments;
};

const savedOf = ({ id, card }: ActiveCard, get: Get, need: Need): SavedPayment => {
  const cvv = get('cvv');
  need('cvv', /^\d+$/.test(cvv) && cvv.length === cvvSizeOf(card.brand));
  return { id, cvv };
};

/** The field that a member of a charge request came from; null for one that no payer types. */
export const fieldOf = (path: string): FieldName | null => {
  const member = path.split('.').at(-1) ?? '';
  if (['identifyType', 'identifyNumber', 'id'].includes(member)) return 'document';
  return cardFieldOf(member) ?? FIELDS.find((field) => field === member) ?? null;
};
