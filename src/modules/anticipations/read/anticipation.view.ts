import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { ANTICIPATIONS, type Anticipation, type Quote } from '../write/anticipation.ts';

/** The index document: without the parts, of which there may be more than a page of a list can hold. */
export type AnticipationDocument = Omit<Anticipation, 'version' | 'charges'> & {
  readonly chargeIds: readonly string[];
  readonly partCount: number;
  /** With the same number of decimals for every currency, to compare and sort by. */
  readonly comparable: { readonly amount: number; readonly fee: number; readonly netAmount: number };
};

export const ANTICIPATIONS_VIEW: View<Anticipation, AnticipationDocument> = {
  name: 'anticipations',
  version: 1,
  source: ANTICIPATIONS,
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    chargeIds: { type: 'keyword' },
    currency: { type: 'keyword' },
    comparable: {
      properties: { amount: { type: 'long' }, fee: { type: 'long' }, netAmount: { type: 'long' } },
    },
    createdAt: { type: 'date' },
  },
  toDocument: ({ version: _, charges, ...anticipation }) => {
    const { amount, fee, netAmount, currency } = anticipation;
    const comparable = (figure: number): number =>
      figure * 10 ** (COMPARABLE_DECIMALS - exponentOf(currency));
    return {
      ...anticipation,
      chargeIds: charges.map(({ chargeId }) => chargeId),
      partCount: charges.reduce((count, { anticipated }) => count + anticipated.length, 0),
      comparable: {
        amount: comparable(amount),
        fee: comparable(fee),
        netAmount: comparable(netAmount),
      },
    };
  },
};

/** An anticipation as lists show it; amounts are decimal. */
export const presentListed = (document: AnticipationDocument) => ({
  id: document.id,
  merchantId: document.merchantId,
  livemode: document.livemode,
  chargeId: document.chargeId,
  requestedAmount:
    document.requestedAmount === null ? null : toDecimal(document.requestedAmount, document.currency),
  currency: document.currency,
  amount: toDecimal(document.amount, document.currency),
  fee: toDecimal(document.fee, document.currency),
  netAmount: toDecimal(document.netAmount, document.currency),
  feeDefinitionVersion: document.feeVersion,
  chargeCount: document.chargeIds.length,
  partCount: document.partCount,
  createdAt: document.createdAt,
});
export type ListedAnticipation = ReturnType<typeof presentListed>;

const presentCharges = ({ charges, currency }: Pick<Quote, 'charges' | 'currency'>) =>
  charges.map((charge) => ({
    chargeId: charge.chargeId,
    amount: toDecimal(charge.amount, currency),
    fixedFee: toDecimal(charge.fixedFee, currency),
    fee: toDecimal(charge.fee, currency),
    parts: charge.anticipated.map(({ part, dueAt, days, percentage, amount, fee }) => ({
      part,
      of: charge.parts,
      dueAt,
      days,
      percentage,
      amount: toDecimal(amount, currency),
      fee: toDecimal(fee, currency),
    })),
  }));

/** An anticipation with its parts. */
export const presentAnticipation = (anticipation: Anticipation) => ({
  ...presentListed(ANTICIPATIONS_VIEW.toDocument(anticipation)),
  charges: presentCharges(anticipation),
});

export const presentQuote = (quote: Quote) => ({
  currency: quote.currency,
  amount: toDecimal(quote.amount, quote.currency),
  fee: toDecimal(quote.fee, quote.currency),
  netAmount: toDecimal(quote.netAmount, quote.currency),
  feeDefinitionVersion: quote.feeVersion,
  charges: presentCharges(quote),
});
