import { priceOf, sampleParts } from './price.ts';

const card = (brand: 'visa' | null, percentages: readonly number[]) => ({
  fee_type: 'tx_spread' as const,
  payment_method: 'credit_card' as const,
  currency_code: 'BRL' as const,
  brand,
  definition: { fixed: 0.39, percentages: [...percentages] },
});
const SAMPLE = {
  amount: 100,
  currency: 'BRL',
  paymentMethod: 'credit_card',
  brand: 'elo',
  installments: 1,
} as const;

describe('a sample charge', () => {
  it('has the price of its brand, else of every brand, rounded half up once', () => {
    const fees = [card(null, [2.99, 3.495]), card('visa', [1])];
    expect(priceOf(fees, SAMPLE)).toEqual({ kind: 'priced', spread: 3.38, net: 96.62 });
    expect(priceOf(fees, { ...SAMPLE, installments: 2 })).toEqual({
      kind: 'priced',
      spread: 3.89,
      net: 96.11,
    });
    expect(priceOf(fees, { ...SAMPLE, brand: 'visa' })).toEqual({ kind: 'priced', spread: 1.39, net: 98.61 });
    expect(priceOf(fees, { ...SAMPLE, amount: 0.2 })).toEqual({ kind: 'priced', spread: 0.2, net: 0 });
  });

  it('counts as nothing while its amount is half typed', () => {
    expect(priceOf([card(null, [2])], { ...SAMPLE, amount: Number('1e') })).toEqual({
      kind: 'priced',
      spread: 0,
      net: 0,
    });
  });

  it('has none without a fee, or with more installments than are offered', () => {
    const pix = { ...SAMPLE, paymentMethod: 'pix', brand: '', installments: 2 } as const;
    expect(priceOf([], pix)).toEqual({ kind: 'no fee' });
    const fee = { ...card(null, [1]), payment_method: 'pix' as const, brand: null };
    expect(priceOf([fee], pix)).toEqual({ kind: 'installments not offered' });
  });
});

describe('the parts of a sample charge', () => {
  const thirds = [33.3333, 33.3333].map((percentage) => ({ percentage }));

  it('make the whole with what stays, in the digits of the currency', () => {
    expect(sampleParts(100, 'BRL', thirds)).toEqual({ parts: [33.33, 33.33], own: 33.34 });
    expect(sampleParts(100, 'CLP', thirds)).toEqual({ parts: [33, 33], own: 34 });
  });

  it('count as nothing while a percentage is half typed', () => {
    expect(sampleParts(10, 'BRL', [{ percentage: Number.NaN }])).toEqual({ parts: [0], own: 10 });
  });

  it('are refused where they are more than the whole', () => {
    expect(sampleParts(1, 'BRL', [{ percentage: 60 }, { percentage: 40.0001 }])).toBeNull();
  });
});
