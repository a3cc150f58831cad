import fc from 'fast-check';
import { businessDayFrom, businessDaysBetween, dateOfDay, dayOf, isBusinessDay } from './business-days.ts';

const days = fc.integer({ min: dayOf('2020-01-01'), max: dayOf('2040-12-31') });

describe('business days', () => {
  it.each([
    ['2026-01-01', 'New Year'],
    ['2026-02-16', 'Monday of Carnival'],
    ['2026-02-17', 'Tuesday of Carnival'],
    ['2026-04-03', 'Good Friday'],
    ['2026-04-21', 'Tiradentes'],
    ['2026-05-01', 'the day of labour'],
    ['2026-06-04', 'Corpus Christi'],
    ['2026-09-07', 'independence'],
    ['2026-10-12', 'Our Lady of Aparecida'],
    ['2026-11-02', 'All Souls'],
    ['2026-11-20', 'black consciousness'],
    ['2026-12-25', 'Christmas'],
    ['2025-03-03', 'Monday of Carnival in another year'],
    ['2024-05-30', 'Corpus Christi in another year'],
    ['2026-11-28', 'a Saturday'],
    ['2026-11-29', 'a Sunday'],
  ])('are none on %s, %s', (date) => {
    expect(isBusinessDay(dayOf(date))).toBe(false);
  });

  it.each(['2026-02-18', '2026-04-06', '2026-11-30', '2023-11-20'])('are all others, as %s', (date) => {
    expect(isBusinessDay(dayOf(date))).toBe(true);
  });

  it('move to the next one from a weekend and from a holiday', () => {
    expect(dateOfDay(businessDayFrom(dayOf('2020-12-25')))).toBe('2020-12-28');
    expect(dateOfDay(businessDayFrom(dayOf('2026-02-14')))).toBe('2026-02-18');
    expect(dateOfDay(businessDayFrom(dayOf('2026-11-30')))).toBe('2026-11-30');
  });

  it('are counted as one by one', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -30, max: 800 }), (from, length) => {
        let counted = 0;
        for (let day = from + 1; day <= from + length; day += 1) if (isBusinessDay(day)) counted += 1;
        expect(businessDaysBetween(from, from + length)).toBe(counted);
      }),
    );
  });

  it('read back as they were written', () => {
    fc.assert(fc.property(days, (day) => expect(dayOf(dateOfDay(day))).toBe(day)));
  });
});
