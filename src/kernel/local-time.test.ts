import { DAY_MS } from './durations.ts';
import {
  canonicalZone,
  dateOf,
  instantOf,
  isTimeZone,
  localTime,
  nextStart,
  startOf,
  withOffset,
} from './local-time.ts';

const at = (iso: string): number => Date.parse(iso);
const wall = (text: string): number => Date.parse(`${text}Z`);

const STARTS_OF_DAYS = {
  UTC: {
    '2026-03-01': '2026-03-01T00:00:00Z',
  },
  'Asia/Kathmandu': {
    '2026-03-01': '2026-02-28T18:15:00Z',
  },
  'America/New_York': {
    '2026-03-08': '2026-03-08T05:00:00Z',
    '2026-03-09': '2026-03-09T04:00:00Z',
    '2026-11-01': '2026-11-01T04:00:00Z',
    '2026-11-02': '2026-11-02T05:00:00Z',
  },
  'America/Sao_Paulo': {
    // On this day midnight did not exist: the clock went from 23:59:59 to 01:00.
    '2018-11-04': '2018-11-04T03:00:00Z',
    '2018-11-05': '2018-11-05T02:00:00Z',
    // On the day before, the hour before midnight came twice.
    '2018-02-18': '2018-02-18T03:00:00Z',
  },
  'America/Havana': {
    // On this day midnight came twice: the clock went from 01:00 back to 00:00.
    '2020-11-01': '2020-11-01T04:00:00Z',
  },
  'Pacific/Kiritimati': {
    '2026-01-01': '2025-12-31T10:00:00Z',
  },
  'Pacific/Pago_Pago': {
    '2026-01-01': '2026-01-01T11:00:00Z',
  },
};

describe('the start of a day', () => {
  const starts = Object.entries(STARTS_OF_DAYS).flatMap(([zone, days]) =>
    Object.entries(days).map(([day, instant]) => [day, zone, instant]),
  );
  it.each(starts)('%s in %s is %s', (day = '', zone = '', instant = '') => {
    expect(instantOf(wall(`${day}T00:00:00`), zone)).toBe(at(instant));
  });

  it('is an instant of that day, and a millisecond before it is not, on every day of a year everywhere', () => {
    for (const zone of ['America/New_York', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Africa/Cairo', 'UTC']) {
      for (let day = at('2018-01-01'); day < at('2019-01-01'); day += DAY_MS) {
        const start = instantOf(day, zone);
        expect(dateOf(localTime(start, zone))).toBe(dateOf(day));
        expect(dateOf(localTime(start - 1, zone))).toBe(dateOf(day - DAY_MS));
      }
    }
  });
});

describe('a local time', () => {
  it('is that of the zone, to the millisecond', () => {
    expect(localTime(at('2026-07-01T12:00:00.123Z'), 'America/New_York')).toBe(
      wall('2026-07-01T08:00:00.123'),
    );
    expect(localTime(at('1969-12-31T23:59:59.999Z'), 'UTC')).toBe(-1);
  });

  it('that comes twice is the first of the two', () => {
    expect(instantOf(wall('2026-11-01T01:30:00'), 'America/New_York')).toBe(at('2026-11-01T05:30:00Z'));
  });
});

describe('a period', () => {
  it.each([
    ['day', '2026-03-05', '2026-03-05', '2026-03-06'],
    ['week', '2026-03-05', '2026-03-02', '2026-03-09'],
    ['week', '2026-03-01', '2026-02-23', '2026-03-02'],
    ['month', '2026-01-31', '2026-01-01', '2026-02-01'],
    ['month', '2026-02-01', '2026-02-01', '2026-03-01'],
    ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
  ] as const)('of a %s with %s starts on %s, the next on %s', (interval, day, start, next) => {
    expect(dateOf(startOf(wall(`${day}T23:59:59`), interval))).toBe(start);
    expect(dateOf(nextStart(wall(`${start}T00:00:00`), interval))).toBe(next);
  });
});

it('knows a zone by any spelling of its name', () => {
  expect(canonicalZone('america/sao_paulo')).toBe('America/Sao_Paulo');
});

describe('a time zone', () => {
  it.each(['UTC', 'America/Sao_Paulo', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['+03:00', 'Mars/Olympus', '', 'America/', '../etc/passwd'])('%s is none', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe('an instant with its offset', () => {
  it.each([
    ['2026-11-26T02:59:59.999Z', 'America/Sao_Paulo', '2026-11-25T23:59:59.999-03:00'],
    ['2026-11-25T15:00:00.000Z', 'Asia/Tokyo', '2026-11-26T00:00:00.000+09:00'],
    ['2026-07-01T06:30:00.000Z', 'America/Los_Angeles', '2026-06-30T23:30:00.000-07:00'],
    ['2026-12-01T07:30:00.000Z', 'America/Los_Angeles', '2026-11-30T23:30:00.000-08:00'],
    ['2026-01-01T00:00:00.000Z', 'Asia/Kathmandu', '2026-01-01T05:45:00.000+05:45'],
    ['2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01T00:00:00.000+00:00'],
    ['2026-01-01T00:00:00.000Z', 'America/St_Johns', '2025-12-31T20:30:00.000-03:30'],
  ])('%s in %s is %s', (instant, zone, written) => {
    expect(withOffset(at(instant), zone)).toBe(written);
    expect(at(written)).toBe(at(instant));
  });
});
