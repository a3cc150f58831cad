import fc from 'fast-check';
import { aMethodFee } from '../../../../test/builders.ts';
import { MAX_AMOUNT, percentOf } from '../../../kernel/money.ts';
import {
  type FeeDefinition,
  type MethodFee,
  type PayoutFee,
  replaceFeeDefinitions,
  type Spread,
  spreadOf,
} from './fees.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

const payoutFee = (variable = 1): PayoutFee => ({
  fee_type: 'payout',
  currency_code: 'BRL',
  definition: { fixed: 100, variable },
});
const defined = (fixed: number, ...percentages: number[]): MethodFee =>
  aMethodFee({ definition: { fixed, percentages } });

const charge = {
  livemode: true,
  paymentType: 'credit_card',
  currency: 'BRL',
  brand: 'visa',
  amount: 10_000,
  installments: 1,
} as const;
const spread = (
  definitions: readonly FeeDefinition[],
  fields: Partial<Parameters<typeof spreadOf>[0]> = {},
): Spread => spreadOf({ ...charge, definitions, ...fields });

describe('the spread of a charge', () => {
  it('is the fixed part and the percentage of its installments', () => {
    expect(spread([aMethodFee()])).toEqual({
      spread: 39 + 299,
      fixed: 39,
      percentage: 2.99,
      definition: aMethodFee(),
    });
    expect(spread([aMethodFee()], { installments: 3 }).spread).toBe(39 + 399);
  });

  it.each([
    [1, 0.5, 0],
    [10_050, 1, 101],
  ])('rounds half up, once: %d minor units at %d per cent give %d', (amount, percentage, expected) => {
    expect(spread([defined(0, percentage)], { amount }).spread).toBe(expected);
  });

  it('never exceeds the amount', () => {
    expect(spread([defined(10, 50)], { amount: 500 }).spread).toBe(500);
  });

  it("is the brand's where the brand has one, else the method's", () => {
    const ofVisa = aMethodFee({ brand: 'visa', definition: { fixed: 0, percentages: [1] } });
    expect(spread([aMethodFee(), ofVisa]).definition).toEqual(ofVisa);
    expect(spread([aMethodFee(), ofVisa], { brand: 'elo' }).definition).toEqual(aMethodFee());
    expect(spread([aMethodFee(), ofVisa], { brand: null }).definition).toEqual(aMethodFee());
  });

  it('is in the minor units of its currency', () => {
    const ofKuwait = aMethodFee({ currency_code: 'KWD', definition: { fixed: 0.125, percentages: [0] } });
    expect(spread([ofKuwait], { currency: 'KWD' }).spread).toBe(125);
    const ofChile = aMethodFee({ currency_code: 'CLP', definition: { fixed: 90, percentages: [0] } });
    expect(spread([ofChile], { currency: 'CLP' }).spread).toBe(90);
  });

  it("is not known for installments that the brand's definition does not offer", () => {
    const ofVisa = aMethodFee({ brand: 'visa', definition: { fixed: 0, percentages: [1] } });
    expect(() => spread([aMethodFee(), ofVisa], { installments: 2 })).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'INSTALLMENTS_NOT_OFFERED' }),
    );
  });

  it.each<[string, readonly FeeDefinition[]]>([
    ['there are none', []],
    ['they are for anticipation', [aMethodFee({ fee_type: 'anticipation' })]],
    ['they are for payouts', [payoutFee()]],
    ['they are for another method', [aMethodFee({ payment_method: 'pix' })]],
    ['they are for another currency', [aMethodFee({ currency_code: 'USD' })]],
    ['they are for another brand', [aMethodFee({ brand: 'elo' })]],
  ])(
    'without definitions, because %s, is 0 with a test key and refused with a live key',
    (_, definitions) => {
      expect(spread(definitions, { livemode: false })).toEqual({
        spread: 0,
        fixed: 0,
        percentage: 0,
        definition: null,
      });
      expect(() => spread(definitions)).toThrow(
        expect.objectContaining({ statusCode: 422, code: 'FEES_NOT_CONFIGURED' }),
      );
    },
  );

  it('lies between nothing and the amount, and follows the formula, for any fee', () => {
    const percentage = fc.integer({ min: 0, max: 1_000_000 }).map((scaled) => scaled / 10_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_AMOUNT }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.array(percentage, { minLength: 1, maxLength: 12 }),
        fc.nat(11),
        (amount, fixed, percentages, position) => {
          const installments = (position % percentages.length) + 1;
          const result = spread([defined(fixed / 100, ...percentages)], { amount, installments });
          const share = percentOf(amount, percentages[installments - 1] ?? 0);
          expect(result.spread).toBe(Math.min(amount, fixed + share));
          expect(Number.isSafeInteger(result.spread)).toBe(true);
          expect(result.spread).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('fee definitions', () => {
  const replace = (...definitions: readonly FeeDefinition[]) =>
    replaceFeeDefinitions('mer_1', definitions, NOW).data.definitions;

  it('are stored as given', () => {
    const definitions = [aMethodFee(), aMethodFee({ brand: 'visa' }), payoutFee()];
    expect(replace(...definitions)).toEqual(definitions);
  });

  it.each<[string, readonly FeeDefinition[], string]>([
    ['two of the same kind', [aMethodFee(), aMethodFee()], '1'],
    ['two for payouts', [payoutFee(), payoutFee()], '1'],
    ['more decimals than the currency has', [defined(0.001, 1)], '0.definition.fixed'],
    [
      'decimals in a currency without',
      [aMethodFee({ currency_code: 'CLP', definition: { fixed: 0.5, percentages: [1] } })],
      '0.definition.fixed',
    ],
    ['a fixed part beyond every charge', [defined(10_000_000_001, 1)], '0.definition.fixed'],
    ['a percentage with five decimals', [defined(0, 1, 1.00001)], '0.definition.percentages.1'],
    ['a payout percentage with five decimals', [payoutFee(0.00001)], '0.definition.variable'],
  ])('with %s are refused, and the fault is named', (_, definitions, path) => {
    expect(() => replace(...definitions)).toThrow(
      expect.objectContaining({ statusCode: 400, errors: [expect.objectContaining({ path })] }),
    );
  });

  it.each([
    [0.001, 'has more decimals than its currency, or is too large'],
    [10_000_000_001, 'is too large'],
  ])('with a fixed part of %d are refused with what is wrong about it', (fixed, problem) => {
    expect(() => replace(defined(fixed, 1))).toThrow(`0.definition.fixed ${problem}`);
  });
});
