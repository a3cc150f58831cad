import { toDecimal } from '../../../kernel/money.ts';
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
import type { Charge } from '../write/charge.ts';
import type { SplitPart } from '../write/split.ts';

type PublicMethod = Readonly<Record<string, unknown>> & { readonly type: string };

const publicMethod = ({ paymentMethod }: Charge): PublicMethod => paymentMethod;

/** Details of a card are known at once, those of other methods once the provider has answered. */
const paymentDetails = (charge: Charge): Readonly<Record<string, unknown>> | null => {
  if (charge.paymentMethod.type === 'credit_card') {
    const { type: _, brand: __, id: ___, initiator: ____, ...details } = charge.paymentMethod;
    const url = authenticationUrlOf(charge);
    return url === null ? details : { ...details, authenticationUrl: url };
  }
  if (charge.instructions === null) return null;
  const { type, ...details } = charge.instructions;
  return type === 'pix' ? { ...details, expiresAt: charge.expiresAt } : details;
};

const authenticationUrlOf = ({ status, instructions }: Charge): string | null =>
  status === 'authentication_required' && instructions?.type === 'credit_card'
    ? instructions.authenticationUrl
    : null;

const searchedWords = ({ customer, reference, metadata }: Charge): string =>
  [customer.name, customer.email, reference, ...(metadata ? leavesOf(JSON.parse(metadata)) : [])]
    .filter((word) => word !== null)
    .join(' ');

/** The values in free-form JSON, however deep; a loop and no recursion, for the depth is the client's choice. */
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
const endToEndIdOf = ({ instructions }: Charge): string | null =>
  instructions?.type === 'pix' ? instructions.endToEndId : null;

/** Numbers that people read off a card or a bank's statement. */
const readOff = (charge: Charge): readonly string[] => {
  const { paymentMethod } = charge;
  const endToEndId = endToEndIdOf(charge);
  return [
    ...(paymentMethod.type === 'credit_card' ? [paymentMethod.lastFour] : []),
    ...(endToEndId === null ? [] : [endToEndId]),
  ];
};

const shownSplit = (split: readonly SplitPart[] | null, currency: string) =>
  split?.map((part) => ({ ...part, amount: toDecimal(part.amount, currency) })) ?? null;

export const CHARGES_VIEW = defineView({
  name: 'charges',
  version: 8,
  source: CHARGES,
  shownKept: ['metadata'],
  tenants: 'routed',
  fields: {
    id: keyword(),
    status: keyword(),
    pspRefId: line(),
    amount: money(),
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
    /** Former versions stored blanks around it, without which it has to be found. */
    reference: from(line(), ({ reference }: Charge) => (reference === null ? null : tidy(reference))),
    postbackUrl: stored(),
    split: shown(stored(), shownSplit),
    /** Both are absent for a charge that no subscription made. */
    subscriptionId: from(keyword(), ({ cycle }: Charge) => cycle?.subscriptionId),
    cycleNumber: from(stored(), ({ cycle }: Charge) => cycle?.number),
    /** Absent for a charge that no checkout session made. */
    checkoutSessionId: keyword(),
    failureReason: stored(),
    expiresAt: stored(),
    paidAt: date(),
    refundedAt: stored(),
    ...timestamps,
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

/** A charge as commands and webhooks tell of it. Its items come from its document: lists can do without them. */
export type WholeChargeAnswer = ChargeAnswer & Pick<Charge, 'items'>;
export const presentStored = (charge: Charge): WholeChargeAnswer => {
  const shown = CHARGES_VIEW.present(CHARGES_VIEW.toDocument(charge));
  // Bodies have their members in the order of former versions.
  const { postbackUrl, split, failureReason, expiresAt, paidAt, refundedAt, createdAt, updatedAt, ...head } =
    shown;
  const rest = { postbackUrl, split, failureReason, expiresAt, paidAt, refundedAt, createdAt, updatedAt };
  return { ...head, items: charge.items, ...rest };
};
