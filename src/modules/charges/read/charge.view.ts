import type { Timestamp } from '../../../kernel/clock.ts';
import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { CHARGES } from '../write/charge.store.ts';
import type { Charge, Customer, Item } from '../write/charge.ts';

/** The index document of a charge: the shape of the API (specification 2.1) with money in minor units. */
export type ChargeDocument = {
  readonly id: string;
  readonly status: string;
  readonly pspRefId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly spread: number;
  readonly net: number;
  /** Amounts with the same number of decimals for every currency, to compare and sort by. */
  readonly comparable: { readonly amount: number; readonly spread: number; readonly net: number };
  readonly customer: Omit<Customer, 'document'> & {
    readonly document: string | null;
  };
  readonly paymentMethod: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly merchantId: string;
  readonly masterId: string | null;
  readonly livemode: boolean;
  readonly paymentDetails: Readonly<Record<string, unknown>> | null;
  readonly metadata: string | null;
  readonly reference: string | null;
  readonly items: readonly Item[] | null;
  readonly postbackUrl: string | null;
  readonly split:
    | readonly { readonly merchantId: string; readonly percentage: number; readonly amount: number }[]
    | null;
  readonly failureReason: string | null;
  readonly expiresAt: Timestamp | null;
  readonly paidAt: Timestamp | null;
  readonly refundedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Words to search by: customer, reference and the values in `metadata`. */
  readonly words: string;
};

export const CHARGES_VIEW: View<Charge, ChargeDocument> = {
  name: 'charges',
  version: 2,
  source: CHARGES,
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    status: { type: 'keyword' },
    pspRefId: { type: 'keyword', ignore_above: 256 },
    reference: { type: 'keyword', ignore_above: 256 },
    currency: { type: 'keyword' },
    amount: { type: 'long' },
    spread: { type: 'long' },
    net: { type: 'long' },
    comparable: {
      properties: { amount: { type: 'long' }, spread: { type: 'long' }, net: { type: 'long' } },
    },
    customer: {
      properties: {
        name: { type: 'keyword', ignore_above: 256 },
        email: { type: 'keyword', ignore_above: 256, normalizer: 'lowercase' },
        document: { type: 'keyword', ignore_above: 256 },
      },
    },
    paymentMethod: { properties: { type: { type: 'keyword' } } },
    paidAt: { type: 'date' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
    words: { type: 'text', analyzer: 'words', norms: false, index_options: 'docs' },
  },
  toDocument: (charge) => ({
    id: charge.id,
    status: charge.status,
    pspRefId: charge.pspRefId,
    amount: charge.amount,
    currency: charge.currency,
    spread: charge.spread,
    net: charge.net,
    comparable: {
      amount: comparable(charge.amount, charge.currency),
      spread: comparable(charge.spread, charge.currency),
      net: comparable(charge.net, charge.currency),
    },
    customer: { ...charge.customer, document: charge.customer.document?.id ?? null },
    paymentMethod: publicMethod(charge),
    merchantId: charge.merchantId,
    masterId: charge.masterId,
    livemode: charge.livemode,
    paymentDetails: paymentDetails(charge),
    metadata: charge.metadata,
    reference: charge.reference,
    items: charge.items,
    postbackUrl: charge.postbackUrl,
    split: charge.split,
    failureReason: charge.failureReason,
    expiresAt: charge.expiresAt,
    paidAt: charge.paidAt,
    refundedAt: charge.refundedAt,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
    words: words(charge),
  }),
};

const comparable = (amount: number, currency: string): number =>
  amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(currency));

/** Specification 2.2; the brand of a card is kept for the fees and not among the fields there. */
const publicMethod = ({ paymentMethod }: Charge): ChargeDocument['paymentMethod'] => {
  if (paymentMethod.type !== 'credit_card') return paymentMethod;
  const { brand: _, ...shown } = paymentMethod;
  return shown;
};

/** Specification 2.3; of a card known at once, of the other methods once the provider has answered. */
const paymentDetails = (charge: Charge): ChargeDocument['paymentDetails'] => {
  if (charge.paymentMethod.type === 'credit_card') {
    const { type: _, brand: __, ...details } = charge.paymentMethod;
    return details;
  }
  if (charge.instructions === null) return null;
  const { type, ...details } = charge.instructions;
  return type === 'pix' ? { ...details, expiresAt: charge.expiresAt } : details;
};

const words = ({ customer, reference, metadata }: Charge): string =>
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

/** A charge as the API answers it (specification 2.1, decisions 3). */
export const presentCharge = (document: ChargeDocument) => {
  const { comparable: _comparable, masterId: _masterId, words: _words, ...rest } = document;
  const { currency } = document;
  return {
    ...rest,
    amount: toDecimal(document.amount, currency),
    spread: toDecimal(document.spread, currency),
    net: toDecimal(document.net, currency),
    metadata: document.metadata === null ? null : (JSON.parse(document.metadata) as unknown),
    split: document.split?.map((part) => ({ ...part, amount: toDecimal(part.amount, currency) })) ?? null,
  };
};
export type PublicCharge = ReturnType<typeof presentCharge>;
