import fc from 'fast-check';
import { dateOfDay, dayOf, isBusinessDay } from '../../../kernel/business-days.ts';
import {
  allowsAmount,
  allowsRetryDays,
  approvableUntil,
  cutOffOf,
  isCutOff,
  isInWindow,
  isPossibleInterval,
  isSameInterval,
  isWindowMissed,
  lastsOn,
  planningDay,
  retriesEnd,
  retryDay,
  settlementDay,
  usualRetryDays,
} from './mandate-terms.ts';

/** A Wednesday without a holiday near it. */
const DUE = dayOf('2026-07-15');
/** Noon in São Paulo of a day so many days before the due one. */
const daysBefore = (days: number): Date => new Date(`${dateOfDay(DUE - days)}T15:00:00Z`);

describe('the interval of a mandate', () => {
  it('is a week, or 1, 3, 6 or 12 months', () => {
    const possible = (['week', 'month', 'year'] as const).flatMap((interval) =>
      Array.from({ length: 12 }, (_, index) => ({ interval, intervalCount: index + 1 })).filter(
        isPossibleInterval,
      ),
    );
    expect(possible.map(({ interval, intervalCount }) => `${intervalCount} ${interval}`)).toEqual([
      '1 week',
      '1 month',
      '3 month',
      '6 month',
      '12 month',
      '1 year',
    ]);
  });

  it('is the same for twelve months and a year, and for nothing that no mandate can have', () => {
    const year = { interval: 'year', intervalCount: 1 } as const;
    expect(isSameInterval(year, { interval: 'month', intervalCount: 12 })).toBe(true);
    expect(isSameInterval(year, { interval: 'month', intervalCount: 6 })).toBe(false);
    const fortnight = { interval: 'week', intervalCount: 2 } as const;
    expect(isSameInterval(fortnight, fortnight)).toBe(false);
  });
});

describe('the amount of a mandate', () => {
  it.each([
    [{ amount: 5_000, minimumAmount: null }, 5_000, true],
    [{ amount: 5_000, minimumAmount: null }, 4_999, false],
    [{ amount: null, minimumAmount: null }, 1, true],
    [{ amount: null, minimumAmount: 1_000 }, 1_000, true],
    [{ amount: null, minimumAmount: 1_000 }, 999, false],
  ])('%j allows a charge of %i: %s', (terms, amount, allowed) => {
    expect(allowsAmount(terms, amount)).toBe(allowed);
  });

  it('is due between the days on which the mandate begins and ends, both included', () => {
    const terms = { startDate: '2026-07-15', endDate: '2026-08-15' };
    expect(lastsOn(terms, DUE - 1)).toBe(false);
    expect(lastsOn(terms, DUE)).toBe(true);
    expect(lastsOn(terms, DUE + 31)).toBe(true);
    expect(lastsOn(terms, DUE + 32)).toBe(false);
    expect(lastsOn({ ...terms, endDate: null }, DUE + 3_200)).toBe(true);
  });
});

describe('a charge under a mandate', () => {
  it('is handed in five days before it is due, and may be from ten days to two days before', () => {
    expect(DUE - planningDay(DUE)).toBe(5);
    const taken = Array.from({ length: 14 }, (_, days) => days).filter((days) =>
      isInWindow(DUE, daysBefore(days)),
    );
    expect(taken).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('is given up once the third day before is over, by the clock of São Paulo', () => {
    expect(isWindowMissed(DUE, daysBefore(3))).toBe(false);
    expect(isWindowMissed(DUE, new Date('2026-07-13T02:59:59.999Z'))).toBe(false);
    expect(isWindowMissed(DUE, new Date('2026-07-13T03:00:00.000Z'))).toBe(true);
    expect(isWindowMissed(DUE, daysBefore(2))).toBe(true);
  });

  it('is paid on the first business day from its due day on', () => {
    expect(dateOfDay(settlementDay(DUE))).toBe('2026-07-15');
    expect(dateOfDay(settlementDay(dayOf('2026-07-18')))).toBe('2026-07-20');
    // Friday, 25 December, and the weekend after it.
    expect(dateOfDay(settlementDay(dayOf('2026-12-25')))).toBe('2026-12-28');
  });

  it('can be withdrawn until 22:00 of the day before', () => {
    expect(cutOffOf(DUE)).toBe('2026-07-15T01:00:00.000Z');
    expect(isCutOff(DUE, new Date('2026-07-15T00:59:59.999Z'))).toBe(false);
    expect(isCutOff(DUE, new Date('2026-07-15T01:00:00.000Z'))).toBe(true);
  });
});

describe('the retries of a mandate', () => {
  const three = { retries: 'three_in_seven_days' } as const;
  const none = { retries: 'none' } as const;

  it('are as the policy allows', () => {
    expect(usualRetryDays(three)).toEqual([2, 2, 2]);
    expect(usualRetryDays(none)).toEqual([]);
    expect(allowsRetryDays(three, [2, 2, 3])).toBe(true);
    expect(allowsRetryDays(three, [2, 3, 3])).toBe(false);
    expect(allowsRetryDays(three, [1, 1, 1, 1])).toBe(false);
    expect(allowsRetryDays(none, [])).toBe(true);
    expect(allowsRetryDays(none, [1])).toBe(false);
  });

  it('move to business days, and end after the seventh day', () => {
    const end = DUE + 30;
    expect(retryDay([DUE], 2, end)).toBe(DUE + 2);
    // Saturday becomes Monday.
    expect(retryDay([DUE], 3, end)).toBe(DUE + 5);
    expect(retryDay([DUE, DUE + 2], 2, end)).toBe(DUE + 5);
    expect(retryDay([DUE, DUE + 2, DUE + 5], 2, end)).toBe(DUE + 7);
    expect(retryDay([DUE, DUE + 2, DUE + 6], 2, end)).toBeNull();
  });

  it('come to an end before the next cycle has to be handed in', () => {
    const nextDue = DUE + 7;
    expect(retryDay([DUE], 2, retriesEnd(nextDue))).toBe(DUE + 2);
    expect(retryDay([DUE, DUE + 2], 2, retriesEnd(nextDue))).toBeNull();
  });

  it('are at most three, on different business days within seven days, whatever is asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: dayOf('2025-01-01'), max: dayOf('2030-12-31') }),
        fc.array(fc.integer({ min: -1, max: 7 }), { minLength: 4, maxLength: 8 }),
        (due, wishes) => {
          const attempts: [number, ...number[]] = [settlementDay(due)];
          for (const days of wishes) {
            const next = retryDay(attempts, days, due + 30);
            if (next !== null) attempts.push(next);
          }
          const [first, ...retries] = attempts;
          expect(retries.length).toBeLessThanOrEqual(3);
          expect(new Set(attempts).size).toBe(attempts.length);
          for (const day of retries) {
            expect(isBusinessDay(day)).toBe(true);
            expect(day - first).toBeLessThanOrEqual(7);
          }
        },
      ),
    );
  });
});

describe('the approval of a mandate', () => {
  it('is possible until the first charge has to be handed in', () => {
    expect(approvableUntil({ startDate: '2026-07-15' })).toBe('2026-07-13T03:00:00.000Z');
  });
});
