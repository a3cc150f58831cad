import { Temporal } from 'temporal-polyfill';
import { type Calendar, dueAt, firstDueAfter, firstWithDay, instantAt, startOf } from './calendar.ts';

/** Zones with and without summer time, on both sides of the equator and of the date line, and with odd offsets. */
const ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'America/Adak',
  'America/Anchorage',
  'America/Asuncion',
  'America/Bogota',
  'America/Buenos_Aires',
  'America/Caracas',
  'America/Chicago',
  'America/Denver',
  'America/Halifax',
  'America/Havana',
  'America/Los_Angeles',
  'America/Manaus',
  'America/Mexico_City',
  'America/Montevideo',
  'America/New_York',
  'America/Noronha',
  'America/Nuuk',
  'America/Phoenix',
  'America/Rio_Branco',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Scoresbysund',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Europe/Lisbon',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'UTC',
];
const FROM = Temporal.PlainDate.from('2026-01-01');
const UNTIL = Temporal.PlainDate.from('2031-01-01');

const calendarOf = (changes: Partial<Calendar>): Calendar => ({
  interval: 'month',
  intervalCount: 1,
  cycle: 1,
  date: '2026-01-31',
  day: 31,
  timeZone: 'UTC',
  hour: 9,
  ...changes,
});

/**
 * The instant as another library has it; that moves a missing hour by the whole gap, so the change of the clock counts.
 */
const expectedInstant = (date: Temporal.PlainDate, hour: number, timeZone: string): string => {
  const found = date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour }) });
  const isShown = found.hour === hour && found.minute === 0;
  const at = isShown ? found : found.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return new Date(at?.epochMilliseconds ?? Number.NaN).toISOString();
};

describe('the days of cycles', () => {
  it.each([
    ['week', 1],
    ['week', 5],
    ['month', 1],
    ['month', 7],
    ['month', 12],
    ['year', 1],
    ['year', 3],
  ] as const)('come every %s × %i from each day of a year on, for five years', (interval, intervalCount) => {
    for (let first = FROM; first.year < 2029; first = first.add({ days: first.year === 2028 ? 1 : 5 })) {
      const calendar = calendarOf({ interval, intervalCount, date: first.toString(), day: first.day });
      const days: string[] = [];
      const expected: string[] = [];
      for (let number = 1; ; number += 1) {
        const next = first.add({ [`${interval}s`]: (number - 1) * intervalCount });
        if (Temporal.PlainDate.compare(next, first.add({ years: 5 })) > 0) break;
        expected.push(next.toString());
        days.push(startOf(calendar, number));
      }
      expect(days).toEqual(expected);
    }
  });

  it('keep the day that is meant, whatever month comes between', () => {
    const from = calendarOf({});
    expect([1, 2, 3, 4].map((number) => startOf(from, number))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
    const leap = calendarOf({ interval: 'year', date: '2028-02-29', day: 29 });
    expect([1, 2, 5].map((number) => startOf(leap, number))).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2032-02-29',
    ]);
    const cut = calendarOf({ date: '2026-02-28', day: 31 });
    expect(startOf(cut, 2)).toBe('2026-03-31');
  });

  it.each([
    ['2026-01-15', 31, '2026-01-31'],
    ['2026-02-28', 31, '2026-02-28'],
    ['2026-02-28', 15, '2026-03-15'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-29', 30, '2028-02-29'],
  ])('begin after %s with the first day %i, which is %s', (date, day, expected) => {
    expect(firstWithDay(date, day)).toBe(expected);
  });
});

describe('the hour of collection', () => {
  it.each(ZONES)(
    'is that of %s on the days around each change of its clock, and on the first of each month',
    (timeZone) => {
      const hours = Array.from({ length: 24 }, (_, hour) => hour);
      const check = (date: Temporal.PlainDate, hour: number): void => {
        const at = instantAt(date.toString(), hour, timeZone);
        expect(`${date} ${hour} ${at}`).toBe(`${date} ${hour} ${expectedInstant(date, hour, timeZone)}`);
      };
      for (let date = FROM; Temporal.PlainDate.compare(date, UNTIL) < 0; date = date.add({ months: 1 }))
        check(date, 9);
      const start = FROM.toZonedDateTime(timeZone);
      let change = start.getTimeZoneTransition('next');
      while (change && Temporal.PlainDate.compare(change.toPlainDate(), UNTIL) < 0) {
        for (const days of [-1, 0, 1])
          for (const hour of hours) check(change.toPlainDate().add({ days }), hour);
        change = change.getTimeZoneTransition('next');
      }
    },
  );

  it('is the first moment after a day that a place has left out', () => {
    expect(instantAt('2011-12-30', 9, 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
    expect(instantAt('2011-12-31', 9, 'Pacific/Apia')).toBe('2011-12-30T19:00:00.000Z');
  });
});

it('the next cycle after an instant is the first that falls due later', () => {
  const calendar = calendarOf({ date: '2026-01-01', day: 1 });
  expect(firstDueAfter(calendar, 2, '2026-01-15T00:00:00.000Z')).toBe(2);
  expect(firstDueAfter(calendar, 2, dueAt(calendar, 4))).toBe(5);
});
