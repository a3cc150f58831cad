import { periodsBetween } from './periods.ts';

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
