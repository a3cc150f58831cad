import { type Measures, presentReport, type ReportRow } from './report.ts';

const MEASURES: Measures = {
  count: { kind: 'count', description: '' },
  amount: { kind: 'money', description: '' },
};
const row = (currency: string, count: number, amount: number, period = '2026-01-01'): ReportRow => ({
  period,
  group: null,
  currency,
  figures: { count, amount },
});

describe('a report', () => {
  it('shows money with the decimals of its currency, and counts as they are', () => {
    const { data } = presentReport(MEASURES, [row('BRL', 2, 101), row('CLP', 2, 101), row('KWD', 2, 101)]);
    expect(data).toEqual([
      { period: '2026-01-01', group: null, currency: 'BRL', count: 2, amount: 1.01 },
      { period: '2026-01-01', group: null, currency: 'CLP', count: 2, amount: 101 },
      { period: '2026-01-01', group: null, currency: 'KWD', count: 2, amount: 0.101 },
    ]);
  });

  it('has one total for each currency, in their order', () => {
    const rows = [row('KWD', 1, 1), row('BRL', 1, 10), row('BRL', 2, 20, '2026-01-02'), row('BRL', 1, -1)];
    expect(presentReport(MEASURES, rows).totals).toEqual([
      { currency: 'BRL', count: 4, amount: 0.29 },
      { currency: 'KWD', count: 1, amount: 0.001 },
    ]);
  });

  it('adds tenths and cents without the error that decimals would bring', () => {
    const rows = Array.from({ length: 10_000 }, () => row('BRL', 1, 10));
    expect(presentReport(MEASURES, rows).totals).toEqual([{ currency: 'BRL', count: 10_000, amount: 1_000 }]);
  });

  it('rather fails than shows a sum that is not exact', () => {
    const rows = [row('BRL', 1, Number.MAX_SAFE_INTEGER), row('BRL', 1, 1)];
    expect(() => presentReport(MEASURES, rows)).toThrow(RangeError);
  });
});
