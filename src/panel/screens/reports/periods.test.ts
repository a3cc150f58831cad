import { periodsBetween, periodsSince } from './periods.ts';

describe('the periods of a report', () => {
  it.each([
    ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['week', '2026-11-22', '2026-11-23', ['2026-11-16', '2026-11-23']],
    ['month', '2025-12-31', '2026-02-01', ['2025-12-01', '2026-01-01', '2026-02-01']],
    ['day', '2026-03-02', '2026-03-01', []],
    ['day', '', '2026-03-01', []],
    ['day', '2020-01-01', '2026-03-01', []],
  ] as const)('are each %s from %s to %s', (interval, from, to, periods) => {
    expect(periodsBetween(from, to, interval)).toEqual(periods);
  });
});

describe('the periods since a day', () => {
  it.each([
    ['2026-11-23', 1, '2026-11-23'],
    ['2026-10-25', 30, '2026-10-25'],
    ['2026-08-01', 18, '2026-07-27'],
    ['2024-02-03', 34, '2024-02-01'],
  ])('are as short as a chart has room for: from %s there are %d', (from, count, first) => {
    const periods = periodsSince(from, '2026-11-23');
    expect([periods.length, periods[0]]).toEqual([count, first]);
  });
});
