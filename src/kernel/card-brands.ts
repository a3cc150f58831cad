import cardValidator from 'card-validator';

/** The first and last leading digits of a range of a brand's numbers, and the lengths that these numbers have. */
type Range = { readonly from: string; readonly to: string; readonly lengths: readonly number[] };

/** Leading digits: a single prefix, or the first and the last prefix of a range. */
type Pattern = number | readonly [number, number];

/** A brand that is issued in one country only, and that the npm package credit-card-type does not recognize. */
type LocalBrand = { readonly type: string; readonly patterns: readonly Pattern[] };

/**
 * Brands of Argentina and Brazil, with the ranges that checkout libraries in use there have. Their numbers have 16
 * digits, and their security codes three.
 */
export const LOCAL_BRANDS: readonly LocalBrand[] = [
  { type: 'cabal', patterns: [[604201, 604400], 589657, 603522, 627170] },
  { type: 'argencard', patterns: [501105] },
  { type: 'cencosud', patterns: [603493] },
  { type: 'tarjeta-shopping', patterns: [603488] },
  { type: 'banescard', patterns: [603182, 636117] },
];
const LOCAL_LENGTH = 16;

/** The local brand of a number by its leading digits and length; null for any other. */
export const localBrandOf = (number: string): string | null => {
  const start = Number(number.slice(0, 6));
  const isWithin = (pattern: Pattern): boolean =>
    typeof pattern === 'number' ? pattern === start : pattern[0] <= start && start <= pattern[1];
  if (number.length !== LOCAL_LENGTH) return null;
  return LOCAL_BRANDS.find(({ patterns }) => patterns.some(isWithin))?.type ?? null;
};

/**
 * Naranja's own numbers (589562) do not end with a Luhn check digit. Its Visa and Mastercard cards, which the package
 * counts as Naranja as well, follow the rules of those brands.
 */
const WITHOUT_LUHN = /^589562\d{10}$/;

/** Whether a number belongs to a brand whose numbers have no check digit. */
export const hasNoCheckDigit = (number: string): boolean => WITHOUT_LUHN.test(number);

/** Luhn's check of a text of ASCII digits (ISO/IEC 7812-1, annex B). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    sum += index % 2 === 0 ? digit : doubled;
  }
  return sum % 10 === 0;
};

/**
 * Brands as they are issued, where the package is more lenient: it accepts Visa's former lengths, JCB's former numbers
 * of 15 digits, and for Maestro nearly every number that begins with 5 or 6.
 */
const AS_ISSUED: Readonly<
  Record<string, { readonly patterns?: readonly Pattern[]; readonly lengths?: readonly number[] }>
> = {
  visa: { lengths: [16] },
  'diners-club': { patterns: [[300, 305], 3095, 36, 38, 39], lengths: [14, 16] },
  discover: { lengths: [16] },
  jcb: { patterns: [[3528, 3589]], lengths: [16] },
  maestro: { patterns: [5018, 5020, 5038, 5893, 6304, 6759, [6761, 6763]], lengths: [16, 18, 19] },
  mir: { lengths: [16] },
  unionpay: { lengths: [16, 17, 18, 19] },
};
/** The ranges of India's network RuPay, which the package does not know. */
const RUPAY: readonly Pattern[] = [
  [508500, 508999],
  [606985, 607984],
  [608001, 608500],
];

const rangesOf = (patterns: readonly Pattern[], lengths: readonly number[]): readonly Range[] =>
  patterns.map((pattern) => {
    const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : pattern;
    return { from: String(from), to: String(to), lengths };
  });

const { creditCardType } = cardValidator;
const ISSUED: readonly Range[] = [
  ...Object.values<string>(creditCardType.types).flatMap((brand) => {
    const known = creditCardType.getTypeInfo(brand);
    const { patterns = known.patterns as readonly Pattern[], lengths = known.lengths } =
      AS_ISSUED[brand] ?? {};
    return rangesOf(patterns, lengths);
  }),
  ...LOCAL_BRANDS.flatMap(({ patterns }) => rangesOf(patterns, [LOCAL_LENGTH])),
  ...rangesOf(RUPAY, [16]),
];

/** The ranges by the first two digits of a number. */
const BY_FIRST_TWO: readonly (readonly Range[])[] = Array.from({ length: 100 }, (_, two) => {
  const start = String(two).padStart(2, '0');
  return ISSUED.filter(
    ({ from, to }) =>
      from.slice(0, 2) <= start.slice(0, from.length) && start.slice(0, to.length) <= to.slice(0, 2),
  );
});

/** The lengths that issued numbers have. */
export const SHORTEST_ISSUED = Math.min(...ISSUED.flatMap(({ lengths }) => lengths));
export const LONGEST_ISSUED = Math.max(...ISSUED.flatMap(({ lengths }) => lengths));

/** Whether digits are a number that some brand issues today: its leading digits, its length and its check digit. */
export const isIssuedNumber = (digits: string): boolean =>
  (BY_FIRST_TWO[Number(digits.slice(0, 2))] ?? []).some(({ from, to, lengths }) => {
    const start = digits.slice(0, from.length);
    return from <= start && start <= to && lengths.includes(digits.length);
  }) &&
  (passesLuhn(digits) || hasNoCheckDigit(digits));
