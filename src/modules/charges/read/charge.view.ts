import { type Minor, toDecimal } from '../../../kernel/money.ts';
import { tidy } from '../../../kernel/text.ts';
import {
  date,
  emailAddress,
  from,
  hidden,
  json,
  keyword,
  line,
  money,
  name,
  object,
  ofMerchant,
  shown,
  stored,
  timestamps,
  words,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { CHARGES } from '../write/charge.store.ts';
import { type Charge, dueTermsOfCharge, grossOf } from '../write/charge.ts';
import type { SplitPart } from '../write/split.ts';
import { shownPix } from './due-answer.ts';

type PublicMethod = Readonly<Record<string, unknown>> & { readonly type: string };

const publicMethod = ({ paymentMethod }: Charge): PublicMethod =>
  paymentMethod.type === 'pix' ? shownPix(paymentMethod) : paymentMethod;

/** Details of a card are known at once, those of other methods once the provider has answered. */
const paymentDetails = (charge: Charge): Readonly<Record<string, unknown>> | null => {
  if (charge.paymentMethod.type === 'credit_card') {
    const { type: _, brand: __, id: ___, initiator: ____, ...details } = charge.paymentMethod;
    const url = authenticationUrlOf(charge);
    return url === null ? details : { ...details, authenticationUrl: url };
  }
  // The payer of a charge under a mandate has nothing to do.
  if (charge.instructions === null || charge.instructions.type === 'pix_automatic') return null;
  const { type, ...details } = charge.instructions;
  const page = charge.payUrl === undefined ? {} : { payUrl: charge.payUrl };
  return type === 'pix' ? { ...details, ...page, expiresAt: charge.expiresAt } : details;
};

const authenticationUrlOf = ({ status, instructions }: Charge): string | null =>
  status === 'authentication_required' && instructions?.type === 'credit_card'
    ? instructions.authenticationUrl
    : null;

const searchedWords = ({ customer, reference, metadata }: Charge): string =>
  [customer.name, customer.email, reference, ...(metadata ? leavesOf(JSON.parse(metadata)) : [])]
    .filter((word) => word !== null)
    .join(' ');

/**
 * The values in free-form JSON, at any depth. This loops instead of recursing, because the client decides how deep the
 * JSON is.
 */
const leavesOf = (root: unknown): string[] => {
  const leaves: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
    else if (value !== null) leaves.push(String(value));
  }
  return leaves;
};

/** The identifier of a Pix payment between banks; null for other methods, and while the institution does not know it. */
export const endToEndIdOf = ({ instructions }: Charge): string | null =>
  instructions?.type === 'pix' || instructions?.type === 'pix_automatic' ? instructions.endToEndId : null;

/** Numbers that people read off a card or a bank's statement. */
const readOff = (charge: Charge): readonly string[] => {
  const { paymentMethod } = charge;
  const endToEndId = endToEndIdOf(charge);
  return [
    ...(paymentMethod.type === 'credit_card' ? [paymentMethod.lastFour] : []),
    ...(endToEndId === null ? [] : [endToEndId]),
  ];
};

/** Absent for a charge without a due date, which is paid in full. */
const paidAmountOf = (charge: Charge): Minor | null | undefined =>
  dueTermsOfCharge(charge) ? (charge.paidAmount ?? null) : undefined;

const shownPaidAmount = (amount: Minor | null | undefined, currency: string): number | null | undefined =>
  typeof amount === 'number' ? toDecimal(amount, currency) : amount;

const shownSplit = (split: readonly SplitPart[] | null, currency: string) =>
  split?.map((part) => ({ ...part, amount: toDecimal(part.amount, currency) })) ?? null;

export const CHARGES_VIEW = defineView({
  name: 'charges',
  version: 9,
  source: CHARGES,
  shownKept: ['metadata'],
  tenants: 'routed',
  fields: {
    id: keyword(),
    status: keyword(),
    pspRefId: line(),
    amount: money(),
    paidAmount: shown(from(stored(), paidAmountOf), shownPaidAmount),
    currency: keyword(),
    spread: money(),
    net: money(),
    customer: from(
      object({ id: keyword(), name: name(), email: emailAddress(), document: line() }),
      ({ customer }: Charge) => ({ ...customer, document: customer.document?.id ?? null }),
    ),
    paymentMethod: from(object({ type: keyword() }), publicMethod),
    ...ofMerchant,
    paymentDetails: from(stored(), paymentDetails),
    metadata: json(),
    /** Former versions stored it with blanks around it. A search has to find such a charge without them. */
    reference: from(line(), ({ reference }: Charge) => (reference === null ? null : tidy(reference))),
    postbackUrl: stored(),
    split: shown(stored(), shownSplit),
    /** Both are absent for a charge that was not made by a subscription. */
    subscriptionId: from(keyword(), ({ cycle }: Charge) => cycle?.subscriptionId),
    cycleNumber: from(stored(), ({ cycle }: Charge) => cycle?.number),
    /** Absent for a charge that was not made in a checkout session. */
    checkoutSessionId: keyword(),
    failureReason: stored(),
    expiresAt: stored(),
    paidAt: date(),
    refundedAt: stored(),
    ...timestamps,
    /** The amount that was paid, or that is to be paid. Reports add these amounts up. */
    gross: hidden(from(money(), grossOf)),
    endToEndId: hidden(from(keyword(), endToEndIdOf)),
    /** Last four digits of the card, or the end-to-end identifier of a Pix payment. */
    readOff: hidden(from(keyword(), readOff)),
    /** Customer, reference and the values in `metadata`. */
    words: hidden(from(words(), searchedWords)),
  },
});

/** The index document of a charge: amounts are minor units. */
export type ChargeDocument = ReturnType<typeof CHARGES_VIEW.toDocument>;

/** A charge as lists answer it. */
export type ChargeAnswer = ReturnType<typeof CHARGES_VIEW.present>;

/**
 * A charge in the answers of commands and in webhooks. Its items are read from its document, because lists do without
 * them.
 */
export type WholeChargeAnswer = ChargeAnswer & Pick<Charge, 'items'>;
export const presentStored = (charge: Charge): WholeChargeAnswer => {
  const shown = CHARGES_VIEW.present(CHARGES_VIEW.toDocument(charge));
  // Bodies have their members in the order of former versions.
  const { postbackUrl, split, failureReason, expiresAt, paidAt, refundedAt, createdAt, updatedAt, ...head } =
    shown;
  const rest = { postbackUrl, split, failureReason, expiresAt, paidAt, refundedAt, createdAt, updatedAt };
  return { ...head, items: charge.items, ...rest };
};
