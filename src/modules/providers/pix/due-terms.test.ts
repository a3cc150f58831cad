import fc from 'fast-check';
import { businessDayFrom, dateOfDay, dayOf, isBusinessDay } from '../../../kernel/business-days.ts';
import {
  amountDueOn,
  amountsPossible,
  type Discounts,
  type DueTerms,
  duePeriods,
  type Interest,
  lastPayableDay,
  type Portion,
} from './due-terms.ts';

const terms = (changes: Partial<DueTerms> = {}): DueTerms => ({
  dueDate: '2026-08-27',
  daysAfterDue: 30,
  fine: null,
  interest: null,
  discounts: null,
  rebate: null,
  ...changes,
});

const dueOn = (date: string, changes: Partial<DueTerms>, amount = 100_00): number =>
  amountDueOn(amount, terms(changes), dayOf(date)).amount;

describe('the last payable day', () => {
  // Examples A to G of `validadeAposVencimento` in the OpenAPI file of the API Pix 2.9.0.
  it.each([
    ['2020-10-20', 4, '2020-10-26'],
    ['2020-12-25', 0, '2020-12-28'],
    ['2020-12-25', 1, '2020-12-29'],
    ['2020-12-25', 3, '2020-12-31'],
    ['2020-12-25', 4, '2021-01-04'],
    ['2021-08-27', 5, '2021-09-01'],
    ['2021-08-28', 5, '2021-09-06'],
  ])('of %s and %d days after it is %s', (dueDate, daysAfterDue, last) => {
    expect(dateOfDay(lastPayableDay(terms({ dueDate, daysAfterDue })))).toBe(last);
  });
});

describe('the amount of a day', () => {
  it('is the amount until the due date and after it, without anything agreed on', () => {
    for (const date of ['2026-08-01', '2026-08-27', '2026-09-20']) expect(dueOn(date, {})).toBe(100_00);
  });

  it.each([
    [{ type: 'amount', value: 5_00 }, 105_00],
    [{ type: 'percentage', value: 2_00 }, 102_00],
  ] as const)('has the fine %o once, from the next business day', (fine, late) => {
    expect(dueOn('2026-08-27', { fine })).toBe(100_00);
    expect(dueOn('2026-08-28', { fine })).toBe(late);
    expect(dueOn('2026-09-25', { fine })).toBe(late);
  });

  it.each([
    [{ type: 'amount', value: 10, per: 'day', days: 'calendar' }, 1_10],
    [{ type: 'percentage', value: 1_00, per: 'day', days: 'calendar' }, 11_00],
    // Equation 11 of the manual: amount × 1 % ÷ 30 × 11 days.
    [{ type: 'percentage', value: 1_00, per: 'month', days: 'calendar' }, 37],
    [{ type: 'percentage', value: 12_00, per: 'year', days: 'calendar' }, 36],
    // 7 September is a holiday: there are six business days from 27 August to 7 September.
    [{ type: 'amount', value: 10, per: 'day', days: 'business' }, 60],
    [{ type: 'percentage', value: 1_00, per: 'day', days: 'business' }, 6_00],
    [{ type: 'percentage', value: 1_00, per: 'month', days: 'business' }, 29],
    [{ type: 'percentage', value: 12_00, per: 'year', days: 'business' }, 29],
  ] as const)('has the interest %o for each day', (interest, eleven) => {
    expect(dueOn('2026-08-27', { interest })).toBe(100_00);
    expect(dueOn('2026-09-07', { interest })).toBe(100_00 + eleven);
  });

  it('has neither fine nor interest where the due date is no business day and it is paid on the next one', () => {
    const late = {
      dueDate: '2026-02-14',
      fine: { type: 'percentage', value: 2_00 },
      interest: { type: 'amount', value: 10, per: 'day', days: 'calendar' },
    } as const;
    expect(dueOn('2026-02-18', late)).toBe(100_00);
    expect(dueOn('2026-02-19', late)).toBe(102_10);
  });

  it('begins to rise on the first business day after a Friday, for all days since', () => {
    const late = {
      dueDate: '2026-08-28',
      interest: { type: 'amount', value: 10, per: 'day', days: 'calendar' },
    } as const;
    expect(dueOn('2026-08-30', late)).toBe(100_00);
    expect(dueOn('2026-08-31', late)).toBe(100_30);
  });

  it('has the discount of the first day that is not over; one of a weekend counts until Monday', () => {
    const discounts = {
      type: 'amount',
      until: [
        { date: '2026-08-08', value: 10_00 },
        { date: '2026-08-14', value: 5_00 },
      ],
    } as const;
    expect(dueOn('2026-08-01', { discounts })).toBe(90_00);
    expect(dueOn('2026-08-10', { discounts })).toBe(90_00);
    expect(dueOn('2026-08-11', { discounts })).toBe(95_00);
    expect(dueOn('2026-08-15', { discounts })).toBe(100_00);
  });

  it.each([
    [{ type: 'amount', value: 25, days: 'calendar' }, 1_75],
    [{ type: 'amount', value: 25, days: 'business' }, 1_25],
    [{ type: 'percentage', value: 10, days: 'calendar' }, 70],
    [{ type: 'percentage', value: 10, days: 'business' }, 50],
  ] as const)('has the discount %o for each day before', (discounts, week) => {
    expect(dueOn('2026-08-20', { discounts })).toBe(100_00 - week);
    expect(dueOn('2026-08-27', { discounts })).toBe(100_00);
    expect(dueOn('2026-08-28', { discounts })).toBe(100_00);
  });

  it('takes percentages of the amount less the rebate', () => {
    const changes = {
      rebate: { type: 'percentage', value: 50_00 },
      fine: { type: 'percentage', value: 10_00 },
    } as const;
    expect(amountDueOn(100_00, terms(changes), dayOf('2026-09-01'))).toEqual({
      amount: 55_00,
      rebate: 50_00,
      discount: 0,
      fine: 5_00,
      interest: 0,
    });
  });

  it('is rounded half up, once', () => {
    expect(dueOn('2026-08-01', { rebate: { type: 'percentage', value: 5 } }, 10_00)).toBe(9_99);
    expect(dueOn('2026-09-01', { fine: { type: 'percentage', value: 4 } }, 12_00)).toBe(12_00);
    expect(dueOn('2026-09-01', { fine: { type: 'percentage', value: 5 } }, 11_00)).toBe(11_01);
  });
});

const portion = (most: number): fc.Arbitrary<Portion> =>
  fc.record({
    type: fc.constantFrom('amount' as const, 'percentage' as const),
    value: fc.integer({ min: 1, max: most }),
  });
const counted = fc.constantFrom('calendar' as const, 'business' as const);
const interests: fc.Arbitrary<Interest> = fc
  .tuple(portion(5_00), fc.constantFrom('day' as const, 'month' as const, 'year' as const), counted)
  .map(([rate, per, days]) => ({ ...rate, per: rate.type === 'amount' ? 'day' : per, days }));
const discountsBefore = (due: number): fc.Arbitrary<Discounts> =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('amount' as const, 'percentage' as const),
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 3 }),
      )
      .map(([type, before]) => ({
        type,
        until: [...before]
          .sort((one, other) => other - one)
          .map((days, index) => ({ date: dateOfDay(due - days), value: 3_00 - index * 1_00 })),
      })),
    fc.tuple(portion(20), counted).map(([rate, days]) => ({ ...rate, days })),
  );
const anyTerms: fc.Arbitrary<DueTerms> = fc
  .integer({ min: dayOf('2026-01-01'), max: dayOf('2029-12-31') })
  .chain((due) =>
    fc.record({
      dueDate: fc.constant(dateOfDay(due)),
      daysAfterDue: fc.integer({ min: 0, max: 90 }),
      fine: fc.option(portion(10_00)),
      interest: fc.option(interests),
      discounts: fc.option(discountsBefore(due)),
      rebate: fc.option(portion(10_00)),
    }),
  );
const amounts = fc.integer({ min: 100_00, max: 1_000_000_00 });
const daysBefore = fc.integer({ min: 0, max: 45 });

describe('for any terms', () => {
  it('the amount never falls from one day to the next, and stays between the bounds', () => {
    fc.assert(
      fc.property(amounts, anyTerms, daysBefore, (amount, of, before) => {
        const from = dayOf(of.dueDate) - before;
        const { least, most } = amountsPossible(amount, of, from);
        const days = Array.from({ length: lastPayableDay(of) - from + 1 }, (_, index) => from + index);
        const due = days.map((day) => amountDueOn(amount, of, day).amount);
        expect(due).toEqual([...due].sort((one, other) => one - other));
        expect([due[0], due.at(-1)]).toEqual([least, most]);
        expect(due.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  it('the parts sum to the amount, and none is negative', () => {
    fc.assert(
      fc.property(amounts, anyTerms, fc.integer({ min: -45, max: 120 }), (amount, of, distance) => {
        const { amount: due, ...parts } = amountDueOn(amount, of, dayOf(of.dueDate) + distance);
        expect(due).toBe(amount - parts.rebate - parts.discount + parts.fine + parts.interest);
        for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('on the day on which it is due there is neither discount by day nor fine nor interest', () => {
    fc.assert(
      fc.property(amounts, anyTerms, (amount, of) => {
        const due = amountDueOn(amount, of, businessDayFrom(dayOf(of.dueDate)));
        expect([due.fine, due.interest]).toEqual([0, 0]);
        if (of.discounts && 'days' in of.discounts) expect(due.discount).toBe(0);
      }),
    );
  });

  it('periods follow one another without a gap to the last payable day, which is a business day', () => {
    fc.assert(
      fc.property(amounts, anyTerms, daysBefore, (amount, of, before) => {
        const from = dayOf(of.dueDate) - before;
        const periods = duePeriods(amount, of, from);
        let next = from;
        const ends: number[] = [];
        for (const period of periods) {
          if (dayOf(period.from) !== next) break;
          next = dayOf(period.until) + 1;
          ends.push(amountDueOn(amount, of, dayOf(period.until)).amount);
        }
        expect(ends).toEqual(periods.map((period) => period.amount));
        expect(next).toBe(lastPayableDay(of) + 1);
        expect(isBusinessDay(lastPayableDay(of))).toBe(true);
      }),
    );
  });
});
