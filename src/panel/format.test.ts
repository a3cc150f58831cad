import { setTimeZone, startOfDay } from './format.ts';

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
