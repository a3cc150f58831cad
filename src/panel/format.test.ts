import { daysAgo, digitsOf, endOfDay, formatDate, formatMoney, setTimeZone, startOfDay } from './format.ts';

afterAll(() => setTimeZone(undefined));

describe('the first instant of a day', () => {
  it.each([
    ['UTC', '2026-11-28', '2026-11-28T00:00:00.000Z'],
    ['America/Sao_Paulo', '2026-11-28', '2026-11-28T03:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-28', '2026-11-27T11:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('is that of %s', (zone, day, instant) => {
    setTimeZone(zone);
    expect(startOfDay(day)).toBe(instant);
  });
});

describe('the last instant of a day', () => {
  it.each([
    ['UTC', '2026-11-28', '2026-11-28T23:59:59.999Z'],
    ['America/Sao_Paulo', '2026-11-28', '2026-11-29T02:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-11-28', '2026-11-28T09:59:59.999Z'],
    // The clock goes back on that day, which has 25 hours, and forward on the other, which has 23.
    ['America/Los_Angeles', '2026-11-01', '2026-11-02T07:59:59.999Z'],
    ['Europe/Lisbon', '2026-03-29', '2026-03-29T22:59:59.999Z'],
  ])('is that of %s', (zone, day, instant) => {
    setTimeZone(zone);
    expect(endOfDay(day)).toBe(instant);
  });
});

describe('the days before today', () => {
  beforeAll(() => jest.useFakeTimers({ now: Date.parse('2026-11-28T01:30:00Z') }));
  afterAll(() => jest.useRealTimers());

  it.each([
    ['UTC', 0, '2026-11-28'],
    ['America/Sao_Paulo', 0, '2026-11-27'],
    ['America/Sao_Paulo', 29, '2026-10-29'],
    ['Pacific/Kiritimati', 0, '2026-11-28'],
    // Across the end of summer time.
    ['America/New_York', 27, '2026-10-31'],
  ])('are those of %s, %i days ago', (zone, days, day) => {
    setTimeZone(zone);
    expect(daysAgo(days)).toBe(day);
  });

  it('name another year as the zone has it', () => {
    setTimeZone('Pacific/Kiritimati');
    jest.setSystemTime(Date.parse('2026-12-31T12:00:00Z'));
    expect(formatDate('2026-12-31T11:00:00Z')).not.toContain('2026');
    expect(formatDate('2026-12-31T09:00:00Z')).toContain('2026');
  });
});

describe('money', () => {
  it.each([
    ['IQD', 1.234, 3],
    ['KWD', 1.234, 3],
    ['RSD', 12.34, 2],
    ['COP', 12.34, 2],
    ['HUF', 12.34, 2],
    ['IDR', 12.34, 2],
    ['PKR', 12.34, 2],
    ['JPY', 12, 0],
    ['CLF', 1.2345, 4],
  ])('in %s has the digits of ISO 4217', (currency, amount, digits) => {
    expect(digitsOf(currency)).toBe(digits);
    expect(
      formatMoney(amount, currency)
        .replaceAll(/[^\d.,]/g, '')
        .replace(',', '.'),
    ).toBe(amount.toFixed(digits));
  });
});

describe('an amount of nothing', () => {
  it('has no sign, also where it is taken away', () => {
    expect(formatMoney(-0, 'BRL')).toBe(formatMoney(0, 'BRL'));
  });
});
