import type { Schemas } from '../../../client/client.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import { type Minor, PERCENTAGE_DECIMALS, sum, toDecimal, toMinor } from '../../../kernel/money.ts';
import { divide as divideMinor } from '../../../modules/charges/write/split.ts';
import { type FeeDefinition, spreadOf } from '../../../modules/merchants/write/fees.ts';
import { digitsOf } from '../../format.ts';

/** A number of so many decimals at most; a text that is half typed counts as nothing. */
const rounded = (value: number, decimals: number): number =>
  Number.isFinite(value) ? Number(value.toFixed(decimals)) : 0;

const minorOf = (amount: number, currency: string): Minor =>
  toMinor(rounded(amount, digitsOf(currency)), currency) ?? 0;

export type Sample = {
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethod: Schemas['MethodFee']['payment_method'] | 'credit_card';
  readonly brand: string;
  readonly installments: number;
};

/** Price of a sample charge, or why it has none. */
export type Price =
  | { readonly kind: 'priced'; readonly spread: number; readonly net: number }
  | { readonly kind: 'no fee' | 'installments not offered' };

const REASONS: Readonly<Record<string, 'no fee' | 'installments not offered'>> = {
  FEES_NOT_CONFIGURED: 'no fee',
  INSTALLMENTS_NOT_OFFERED: 'installments not offered',
};

/** The price of a sample charge, by the rule that charges of live keys have. */
export const priceOf = (fees: readonly Schemas['FeeDefinition'][], sample: Sample): Price => {
  const definitions = fees.map(
    (fee): FeeDefinition => ('payment_method' in fee ? { ...fee, brand: fee.brand ?? null } : fee),
  );
  const { currency, brand, installments } = sample;
  const amount = minorOf(sample.amount, currency);
  try {
    const { spread } = spreadOf({
      definitions,
      livemode: true,
      paymentType: sample.paymentMethod,
      currency,
      brand,
      amount,
      installments,
    });
    return {
      kind: 'priced',
      spread: toDecimal(spread, currency),
      net: toDecimal(amount - spread, currency),
    };
  } catch (refusal) {
    const kind = refusal instanceof GatewayError ? REASONS[refusal.code ?? ''] : undefined;
    if (!kind) throw refusal;
    return { kind };
  }
};

type Entry = { readonly percentage: number };

/** Parts of a net amount as a charge books them, and the rest for the seller; null where they make more than 100 %. */
export const sampleParts = (
  net: number,
  currency: string,
  entries: readonly Entry[],
): { readonly parts: readonly number[]; readonly own: number } | null => {
  const exact = entries.map((entry) => ({
    ...entry,
    percentage: rounded(entry.percentage, PERCENTAGE_DECIMALS),
  }));
  const units = exact.reduce(
    (total, { percentage }) => total + Math.round(percentage * 10 ** PERCENTAGE_DECIMALS),
    0,
  );
  if (units > 100 * 10 ** PERCENTAGE_DECIMALS) return null;
  const whole = minorOf(net, currency);
  const parts = divideMinor(whole, exact).map(({ amount }) => amount);
  return {
    parts: parts.map((amount) => toDecimal(amount, currency)),
    own: toDecimal(whole - sum(parts), currency),
  };
};
