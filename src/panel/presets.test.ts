import { daysBefore, lengthOf, presets } from './presets.ts';

describe('spans of days', () => {
  it('end today, and the month begins with its first day', () => {
    expect(presets('2026-03-02').map(({ from, to }) => [from, to])).toEqual([
      ['2026-03-02', '2026-03-02'],
      ['2026-02-24', '2026-03-02'],
      ['2026-02-01', '2026-03-02'],
      ['2026-03-01', '2026-03-02'],
    ]);
  });

  it.each([
    ['2026-11-25', '2026-11-25', 1, '2026-11-24', '2026-11-24'],
    ['2026-11-19', '2026-11-25', 7, '2026-11-12', '2026-11-18'],
    ['2024-03-01', '2024-03-31', 31, '2024-01-30', '2024-02-29'],
  ])('from %s to %s have %d days, and as many before them', (from, to, length, first, last) => {
    expect(lengthOf({ from, to })).toBe(length);
    expect(daysBefore({ from, to })).toEqual({ from: first, to: last });
  });

  it.each([
    ['', '2026-11-25'],
    ['2026-11-26', '2026-11-25'],
    ['2026-11-25T10:00:00Z', '2026-11-26'],
  ])('are none from "%s" to "%s"', (from, to) => {
    expect(daysBefore({ from, to })).toBeNull();
  });
});
