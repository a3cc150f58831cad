import { monthAfter, weeksOf } from './month.ts';

describe('the weeks of a month', () => {
  it.each([
    ['2026-11', 6, '2026-10-26', '2026-12-06'],
    ['2027-02', 4, '2027-02-01', '2027-02-28'],
    ['2028-02', 5, '2028-01-31', '2028-03-05'],
    ['2026-12', 5, '2026-11-30', '2027-01-03'],
  ])('of %s are %i from Monday %s to Sunday %s', (month, count, first, last) => {
    const weeks = weeksOf(month);
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([count, first, last]);
    expect(weeks.every(({ length }) => length === 7)).toBe(true);
    expect(new Set(weeks.flat()).size).toBe(count * 7);
  });
});

it.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2027-01', -1, '2026-12'],
])('the month %s and %i more is %s', (month, months, other) => {
  expect(monthAfter(month, months)).toBe(other);
});
