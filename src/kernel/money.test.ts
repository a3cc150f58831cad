import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { projectFolder } from '../platform/project-folder.ts';
import {
  CURRENCIES,
  exponentOf,
  isCurrency,
  isKnownCurrency,
  MAX_AMOUNT,
  numberOf,
  percentOf,
  scaleDecimal,
  sum,
  toDecimal,
  toMinor,
} from './money.ts';

/** One currency for each number of decimals in ISO 4217. */
const BY_EXPONENT = [
  ['CLP', 0],
  ['BRL', 2],
  ['KWD', 3],
  ['CLF', 4],
] as const;
const anyCurrency = fc.constantFrom(...BY_EXPONENT.map(([currency]) => currency));
const anyAmount = fc.integer({ min: 1, max: MAX_AMOUNT });

/** A decimal number of at most 15 significant digits, as its digits and the number of decimals among them. */
const decimals = fc.record({
  digits: fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }),
  places: fc.integer({ min: 0, max: 8 }),
});

/** `digits × 10^(to - places)`, or null where that is no whole number: the result that scaleDecimal has to give. */
const oracle = (digits: bigint, places: number, to: number): number | null => {
  const raised = digits * 10n ** BigInt(to);
  const divisor = 10n ** BigInt(places);
  const scaled = raised / divisor;
  return raised % divisor === 0n && Number.isSafeInteger(Number(scaled)) ? Number(scaled) : null;
};

describe('a decimal number scaled to an integer', () => {
  it('is exact, or null where it has too many digits', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 4 }), ({ digits, places }, to) => {
        expect(scaleDecimal(Number(`${digits}e-${places}`), to)).toEqual(oracle(digits, places, to));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the one integer that stands for the number, whatever the number is', () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 0, max: 4 }), (value, to) => {
        const scaled = scaleDecimal(value, to);
        if (scaled !== null) expect(Number(`${scaled}e-${to}`)).toBe(value + 0);
        const near = Math.round(value * 10 ** to);
        const candidates = [near - 1, near, near + 1].filter((candidate) => Math.abs(candidate) < 10 ** 15);
        if (scaled === null)
          for (const candidate of candidates) expect(Number(`${candidate}e-${to}`)).not.toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [0.1 + 0.2, 2, null],
    [1.005, 2, null],
    [1.005, 3, 1005],
    [4.35, 2, 435],
    [1e-7, 2, null],
    [1e-7, 7, 1],
    [1.5e-7, 8, 15],
    [9_007_199_254_740_991, 0, 9_007_199_254_740_991],
    [9_007_199_254_740_992, 0, null],
    [1e21, 2, null],
    [5e-324, 4, null],
    [1.7976931348623157e308, 0, null],
    [-2.5, 1, -25],
    [-0, 2, 0],
    [Number.NaN, 2, null],
    [Number.POSITIVE_INFINITY, 2, null],
  ])('of %d with %d digits is %d', (value, to, expected) => {
    expect(scaleDecimal(value, to)).toBe(expected);
  });
});

describe('an amount', () => {
  it.each(BY_EXPONENT)('in %s has %d digits after the point', (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
    expect(toMinor(1, currency)).toBe(10 ** exponent);
    expect(toDecimal(1, currency)).toBe(Number(`1e-${exponent}`));
    expect(toMinor(Number(`1e-${exponent}`), currency)).toBe(1);
    expect(toMinor(Number(`1e-${exponent + 1}`), currency)).toBeNull();
  });

  it('comes back as it was after a way out and in, up to the largest balance', () => {
    fc.assert(
      fc.property(anyCurrency, fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), (currency, amount) => {
        expect(toMinor(toDecimal(amount, currency), currency)).toBe(amount);
      }),
      { numRuns: 2_000 },
    );
  });

  it('goes out as the shortest decimal that a client would write', () => {
    fc.assert(
      fc.property(anyCurrency, anyAmount, (currency, amount) => {
        const exponent = exponentOf(currency);
        const digits = String(amount).padStart(exponent + 1, '0');
        const written =
          exponent === 0
            ? digits
            : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`.replace(/\.?0+$/, '');
        expect(JSON.stringify(toDecimal(amount, currency))).toBe(written);
      }),
    );
  });

  it('in a currency that does not exist is a bug', () => {
    expect(() => toMinor(1, 'ABC')).toThrow(RangeError);
  });

  it('in a currency that does not exist is shown with two digits where it is stored', () => {
    expect(toDecimal(12_345, 'ZZZ')).toBe(123.45);
  });
});

describe('the list of currencies', () => {
  /** Code, number and decimals of each currency as ISO's maintenance agency published them (`list-one.xml`). */
  const published = readFileSync(projectFolder('test/iso-4217-2026-01-01.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));

  it('has the codes, numbers and digits of the table that ISO publishes', () => {
    const isMoney = (code: string): boolean => !/^X(?!AF|CD|CG|OF|PF)/.test(code);
    const money = published.filter(([code = '']) => isMoney(code));
    expect(money.length).toBeGreaterThan(160);
    expect(CURRENCIES.map((code) => [code, numberOf(code), String(exponentOf(code))])).toEqual(money);
  });

  it.each(['ANG', 'BGN', 'CUC'])('takes the withdrawn %s no longer, and still shows it', (code) => {
    expect([isCurrency(code), isKnownCurrency(code), toDecimal(150, code)]).toEqual([false, true, 1.5]);
  });

  it('has money only, each with 0 to 4 digits', () => {
    expect(CURRENCIES).toEqual(expect.arrayContaining(['BRL', 'USD', 'EUR', 'CLP', 'KWD', 'JPY', 'XOF']));
    for (const currency of CURRENCIES) expect([0, 2, 3, 4]).toContain(exponentOf(currency));
  });

  it.each(['XAU', 'XTS', 'XXX', 'XDR', 'brl', 'BR', '', 'constructor', '__proto__'])(
    'does not have %j',
    (code) => {
      expect(isCurrency(code)).toBe(false);
    },
  );
});

describe('a percentage of an amount', () => {
  const anyPercentage = fc.integer({ min: 0, max: 1_000_000 });

  it('is rounded half up, once, with exact arithmetic', () => {
    fc.assert(
      fc.property(anyAmount, anyPercentage, (amount, scaled) => {
        const exact = BigInt(amount) * BigInt(scaled) * 10n;
        const unit = 10_000_000n;
        const half = exact % unit >= unit / 2n ? 1n : 0n;
        expect(percentOf(amount, scaled / 10_000)).toBe(Number(exact / unit + half));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [50, 1, 1],
    [49, 1, 0],
    [150, 1, 2],
    [100, 2.5, 3],
    [1, 50, 1],
    [1, 49.9999, 0],
    [100_00, 2.99, 299],
    [333, 33.3333, 111],
    [MAX_AMOUNT, 100, MAX_AMOUNT],
    [MAX_AMOUNT, 0.0001, 1_000_000],
    [0, 12.5, 0],
  ])('of %d at %d %% is %d', (amount, percentage, expected) => {
    expect(percentOf(amount, percentage)).toBe(expected);
  });

  it('with five decimals is a bug, and no approximation', () => {
    expect(() => percentOf(100, 1.00001)).toThrow(RangeError);
  });
});

describe('a sum', () => {
  it('adds what may be positive or negative', () => {
    expect(sum([])).toBe(0);
    expect(sum([5, -7, 2])).toBe(0);
  });

  it('that no integer can hold is a bug', () => {
    expect(() => sum([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
    expect(() => sum([0.5, 0.5])).toThrow(RangeError);
  });
});
