import { toDecimal } from '../../../kernel/money.ts';
import {
  date,
  decimal,
  from,
  hidden,
  keyword,
  money,
  ofMerchant,
  stored,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { ANTICIPATIONS, type Anticipation, type Quote } from '../write/anticipation.ts';

const countParts = ({ charges }: Anticipation): number =>
  charges.reduce((count, { anticipated }) => count + anticipated.length, 0);

/** Anticipations without their parts, of which there may be more than a page of a list can hold. */
export const ANTICIPATIONS_VIEW = defineView({
  name: 'anticipations',
  version: 3,
  source: ANTICIPATIONS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    chargeId: stored(),
    requestedAmount: decimal(),
    currency: keyword(),
    amount: money(),
    fee: money(),
    netAmount: money(),
    feeDefinitionVersion: from(stored(), ({ feeVersion }: Anticipation) => feeVersion),
    chargeIds: hidden(
      from(keyword(), ({ charges }: Anticipation) => charges.map(({ chargeId }) => chargeId)),
    ),
    chargeCount: from(stored(), ({ charges }: Anticipation) => charges.length),
    partCount: from(stored(), countParts),
    createdAt: date(),
  },
});

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
  ...ANTICIPATIONS_VIEW.present(ANTICIPATIONS_VIEW.toDocument(anticipation)),
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
