import type { Schemas } from '../../../client/client.ts';
import { digitsOf } from '../../format.ts';

/** Percentages have at most four decimals, so that 100 % is a million of their units. */
const WHOLE = 1_000_000n;
/** A text that is half typed counts as nothing. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
const scaled = (percentage: number): bigint => BigInt(Math.round(finite(percentage) * 10_000));

/** Decimal amounts as integers of the currency's last digit, and back. */
const toUnits = (amount: number, currency: string): bigint =>
  BigInt(Math.round(finite(amount) * 10 ** digitsOf(currency)));
const toAmount = (units: bigint, currency: string): number => Number(units) / 10 ** digitsOf(currency);

export type Sample = {
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly brand: string;
  readonly installments: number;
};

/** Price of a sample charge, or why it has none. */
export type Price =
  | { readonly kind: 'priced'; readonly spread: number; readonly net: number }
  | { readonly kind: 'no fee' | 'installments not offered' };

type Fee = Schemas['FeeDefinition'];

/** The price by the gateway's rule: fixed + amount × percentage, rounded half up once, never above the amount. */
export const priceOf = (fees: readonly Fee[], sample: Sample): Price => {
  const { amount, currency, paymentMethod, brand, installments } = sample;
  const candidates = fees.filter(
    (fee) =>
      fee.fee_type === 'tx_spread' && fee.payment_method === paymentMethod && fee.currency_code === currency,
  ) as Exclude<Fee, Schemas['PayoutFee']>[];
  const fee =
    candidates.find((one) => one.brand !== null && one.brand === brand) ??
    candidates.find((one) => one.brand === null);
  if (!fee) return { kind: 'no fee' };
  const percentage = fee.definition.percentages[installments - 1];
  if (percentage === undefined) return { kind: 'installments not offered' };
  const units = toUnits(amount, currency);
  const share = (units * scaled(percentage) + WHOLE / 2n) / WHOLE;
  const asked = toUnits(fee.definition.fixed, currency) + share;
  const spread = asked > units ? units : asked;
  return { kind: 'priced', spread: toAmount(spread, currency), net: toAmount(units - spread, currency) };
};

type Entry = { readonly merchantId: string; readonly percentage: number };

/**
 * Parts of a net amount by the gateway's rule, and the rest for the seller. The rule is the largest remainder, ties in
 * the order of the entries, the seller last. Null where the entries make more than 100 %.
 */
export const divide = (
  net: number,
  currency: string,
  entries: readonly Entry[],
): { readonly parts: readonly number[]; readonly own: number } | null => {
  const shares = entries.map(({ percentage }) => scaled(percentage));
  const own = shares.reduce((left, share) => left - share, WHOLE);
  if (own < 0n) return null;
  const units = toUnits(net, currency);
  const products = [...shares, own].map((share) => units * share);
  const amounts = products.map((product) => product / WHOLE);
  const left = Number(amounts.reduce((rest, amount) => rest - amount, units));
  const favoured = products
    .map((product, index) => ({ index, remainder: product % WHOLE }))
    // A stable sort leaves ties in their order.
    .sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
    .slice(0, left);
  for (const { index } of favoured) amounts[index] = (amounts[index] ?? 0n) + 1n;
  const shown = amounts.map((amount) => toAmount(amount, currency));
  return { parts: shown.slice(0, -1), own: shown.at(-1) ?? 0 };
};
