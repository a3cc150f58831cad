import { KNOWN, PRESENT } from './currencies.ts';

/** An integer in the currency's minor unit (ISO 4217), never a fraction, at most 10^15. */
export type Minor = number;

/** The largest amount of one charge, in minor units. */
export const MAX_AMOUNT: Minor = 1_000_000_000_000;

/** Decimals that a percentage may have. */
export const PERCENTAGE_DECIMALS = 4;

/** ISO 4217 codes of the accepted currencies, in alphabetical order. */
export const CURRENCIES: readonly string[] = [...PRESENT.keys()].sort();

/** Whether requests may name the currency. */
export const isCurrency = (code: string): boolean => PRESENT.has(code);

/** Whether this is or was a currency: a provider may report one that was withdrawn since the charge. */
export const isKnownCurrency = (code: string): boolean => KNOWN.has(code);

/** The three-digit number of a currency in ISO 4217, such as `986` for BRL; null for an unknown one. */
export const numberOf = (currency: string): string | null => KNOWN.get(currency)?.number ?? null;

/** The number of decimals that most currencies have. */
const USUAL_DIGITS = 2;

/**
 * The number of decimals of a currency: BRL 2, CLP 0, KWD 3. An unknown currency, which a former version may have
 * stored, gets two, because stored amounts have to be shown.
 */
export const exponentOf = (currency: string): number => KNOWN.get(currency)?.digits ?? USUAL_DIGITS;

/**
 * Scales a decimal number to an integer of its last digit; null where it has more than `decimals` decimals, or the
 * result is no safe integer. Works on the shortest decimal notation and never on the float.
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

/** A decimal amount in minor units; null where it has more decimals than the currency allows. */
export const toMinor = (amount: number, currency: string): Minor | null => {
  if (!isKnownCurrency(currency)) throw new RangeError(`unknown currency ${currency}`);
  return scaleDecimal(amount, exponentOf(currency));
};

/**
 * The fault of an amount that `toMinor` has read, as the predicate of a sentence; null where the amount may be charged
 * or booked.
 */
export const amountProblem = (amount: Minor | null): string | null => {
  if (amount === null) return 'has more decimals than its currency, or is too large';
  return Math.abs(amount) > MAX_AMOUNT ? 'is too large' : null;
};

/** An amount as a decimal number, for answers, with the decimals of its currency. */
export const toDecimal = (amount: Minor, currency: string): number =>
  Number((amount / 10 ** exponentOf(currency)).toFixed(exponentOf(currency)));

/** `percentage` per cent of a non-negative amount, rounded half up once. */
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
