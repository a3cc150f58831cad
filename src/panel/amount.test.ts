import { asTyped, readAmount } from './amount.ts';

describe('an amount that is typed', () => {
  it.each([
    ['12', 2, 12],
    ['12.5', 2, 12.5],
    ['12,5', 2, 12.5],
    ['12.50', 2, 12.5],
    ['12,50', 2, 12.5],
    ['0,05', 2, 0.05],
    ['0.500', 2, 0.5],
    ['1,234.56', 2, 1234.56],
    ['1.234,56', 2, 1234.56],
    ['1 234,56', 2, 1234.56],
    ['1\u00a0234\u202f567.8', 2, 1234567.8],
    ['1.234.567', 2, 1234567],
    ['1,234,567', 2, 1234567],
    // The cents of BRL have two digits, so that nothing else can be meant.
    ['1.234', 2, 1234],
    ['1,234', 2, 1234],
    ['1.234', 0, 1234],
    ['1234.500', 3, 1234.5],
    ['1.2345', 4, 1.2345],
    ['-12,50', 2, -12.5],
    ['−3', 2, -3],
    ['+3', 2, 3],
    [' 7 ', 2, 7],
    ['007', 2, 7],
  ])('%j with %i digits is %d', (text, digits, amount) => {
    expect(readAmount(text, digits)).toEqual({ kind: 'amount', amount });
  });

  it.each([
    ['1.000', 2, [1, 1000]],
    ['1,000', 2, [1, 1000]],
    ['12.500', 2, [12.5, 12500]],
    ['1.000', 0, [1, 1000]],
    ['1.234', 3, [1.234, 1234]],
    ['-1.000', 2, [-1000, -1]],
  ])('%j with %i digits has two meanings', (text, digits, readings) => {
    expect(readAmount(text, digits)).toEqual({ kind: 'ambiguous', readings });
  });

  it.each([
    ['12,3456', 2],
    ['1234.567', 2],
    ['0.125', 2],
    ['1.5', 0],
    ['1,234.567', 2],
  ])('%j has more digits than %i', (text, digits) => {
    expect(readAmount(text, digits)).toEqual({ kind: 'too exact' });
  });

  it.each([
    '',
    '-',
    '.',
    ',',
    '12.',
    ',5',
    '1.2.3',
    '1,23,456',
    '1.234.56',
    '12 50',
    '1 00',
    'R$ 5',
    '5e3',
    '1,2.3,4',
    '١٢',
    'NaN',
    '--1',
  ])('%j is none', (text) => {
    expect(readAmount(text, 2)).toEqual({ kind: 'none' });
  });
});

it('an amount is typed for people as a text that reads as it', () => {
  for (const [amount, digits] of [
    [12.5, 2],
    [1.234, 3],
    [1000, 2],
    [1234.567, 3],
    [-0.5, 2],
  ] as const)
    expect(readAmount(asTyped(amount, digits), digits)).toEqual({ kind: 'amount', amount });
});
