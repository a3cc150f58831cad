import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { durationMs } from './iso-duration.ts';

describe('an ISO 8601 duration', () => {
  it('may have weeks, days, hours, minutes and seconds', () => {
    expect(durationMs('P30D')).toBe(30 * DAY_MS);
    expect(durationMs('P1W')).toBe(7 * DAY_MS);
    expect(durationMs('PT90M')).toBe(90 * MINUTE_MS);
    expect(durationMs('P1DT2H3M4S')).toBe(DAY_MS + 2 * HOUR_MS + 3 * MINUTE_MS + 4_000);
    expect(durationMs('P0D')).toBe(0);
  });

  it.each(['', 'P', 'PT', 'P1DT', '30D', 'P1M', 'P1Y', 'P-1D', 'P1.5D', 'p1d', 'P1D ', 'P1H', 'P999999D'])(
    'is not %p',
    (text) => {
      expect(durationMs(text)).toBeNull();
    },
  );
});
