import { KNOWN, PRESENT } from './currencies.ts';

/** An integer in the currency's minor unit (ISO 4217 exponent). Never a fraction, at most 10^15. */
export type Minor = number;

/** The largest amount of one charge, in minor units. */
export const MAX_AMOUNT: Minor = 1_000_000_000_000;

/** Digits that a percentage may have after the point. */
export const PERCENTAGE_DECIMALS = 4;

/** ISO 4217 codes of money, in their order. */
export const CURRENCIES: readonly string[] = [...PRESENT.keys()].sort();

/** Whether a request may name it. */
export const isCurrency = (code: string): boolean => PRESENT.has(code);

/** Whether it is or was money: a provider may report a currency that was withdrawn since the charge. */
export const isKnownCurrency = (code: string): boolean => KNOWN.has(code);

/** The three digits of a currency in ISO 4217: BRL `986`. Null for an unknown one. */
export const numberOf = (currency: string): string | null => KNOWN.get(currency)?.number ?? null;

/** Most currencies have so many. */
const USUAL_DIGITS = 2;

/**
 * Digits after the point of a currency: BRL 2, CLP 0, KWD 3. An unknown one, which a former version may have stored,
 * has two, because what is stored has to be shown.
 */
export const exponentOf = (currency: string): number => KNOWN.get(currency)?.digits ?? USUAL_DIGITS;

/**
 * A decimal number with at most `decimals` digits after the point as an integer of its last digit; null where it
 * has more digits than that or is no safe integer then. Works on the shortest decimal form, never on the float.
 */
export const scaleDecimal = (value: number, decimals: number): number | null => {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = decimals - fraction.length + Number(exponent);
  if (shift < 0 || shift > 30) return null;
  const scaled = Number(`${sign}${whole}${fraction}${'0'.repeat(shift)}`);
  return Number.isSafeInteger(scaled) ? scaled : null;
};

/** A decimal amount in minor units; null where it has more decimals than the currency. */
export const toMinor = (amount: number, currency: string): Minor | null => {
  if (!isKnownCurrency(currency)) throw new RangeError(`unknown currency ${currency}`);
  return scaleDecimal(amount, exponentOf(currency));
};

/** Predicate of a sentence about an amount of `toMinor` that no charge, fee or booking may have; null for others. */
export const amountProblem = (amount: Minor | null): string | null => {
  if (amount === null) return 'has more decimals than its currency, or is too large';
  return Math.abs(amount) > MAX_AMOUNT ? 'is too large' : null;
};

/** The decimal number that stands for an amount at the edge, with the currency's digits. */
export const toDecimal = (amount: Minor, currency: string): number =>
  Number((amount / 10 ** exponentOf(currency)).toFixed(exponentOf(currency)));

/** `percentage` per cent of an amount that is not negative, rounded half up once. */
export const percentOf = (amount: Minor, percentage: number): Minor => {
  const scaled = scaleDecimal(percentage, PERCENTAGE_DECIMALS);
  if (scaled === null) throw new RangeError(`percentage ${percentage} has too many decimals`);
  const divisor = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS);
  return Number((BigInt(amount) * BigInt(scaled) + divisor / 2n) / divisor);
};

export const sum = (amounts: readonly Minor[]): Minor => {
  const total = amounts.reduce((left, right) => left + right, 0);
  if (![...amounts, total].every(Number.isSafeInteger))
    throw new RangeError('sum of amounts is out of range');
  return total;
};
