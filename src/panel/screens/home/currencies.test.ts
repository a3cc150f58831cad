import { currenciesIn, figureOf } from './currencies.ts';

const row = (period: string, currency: string, amount: number, count = 1) => ({
  period,
  currency,
  amount,
  count,
});
const ROWS = [
  row('2026-11-22', 'BRL', 0.1),
  row('2026-11-23', 'BRL', 0.2),
  row('2026-11-24', 'USD', 900, 1),
  row('2026-11-24', 'BRL', 10, 2),
  row('2026-11-25', 'ARS', 5, 4),
  row('2026-11-25', 'CLP', 5, 1),
];

describe('the currencies of the home screen', () => {
  it('are in the order of their numbers of charges, whatever their amounts, and of their codes', () => {
    expect(currenciesIn(ROWS)).toEqual(['ARS', 'BRL', 'CLP', 'USD']);
    expect(currenciesIn([])).toEqual([]);
  });

  it('have sums without binary fractions, each day beside the day before', () => {
    const figure = figureOf(ROWS, 'BRL', ['2026-11-24', '2026-11-25'], ['2026-11-22', '2026-11-23']);
    expect(figure).toEqual({
      total: 10,
      before: 0.3,
      count: 2,
      countBefore: 2,
      days: [
        { day: '2026-11-24', amount: 10, before: 0.1 },
        { day: '2026-11-25', amount: 0, before: 0.2 },
      ],
    });
  });
});
