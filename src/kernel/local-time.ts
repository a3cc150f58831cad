import { DAY_MS, MINUTE_MS } from './durations.ts';

/**
 * A period of local time. Local times here are milliseconds that show the zone's wall clock when they are read as UTC.
 */

export type Interval = 'day' | 'week' | 'month';

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
};

/** Whether this is a name in the IANA time zone database, which an offset such as `+03:00` is not. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** The name by which every engine knows the zone, whatever case or alias the caller used. */
export const canonicalZone = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** The local time of the zone at an instant. */
export const localTime = (instant: number, timeZone: string): number => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) +
    milliseconds
  );
};

/**
 * The instant at which the zone's clock shows a local time: the first one where the clock shows it twice, and where it
 * skips it, the one that the clock would have shown without the change. So a day that begins at one o'clock gets the
 * right start.
 */
export const instantOf = (local: number, timeZone: string): number => {
  const offsets = [local - DAY_MS, local + DAY_MS].map((near) => localTime(near, timeZone) - near);
  const shown = offsets
    .map((offset) => local - offset)
    .filter((instant) => localTime(instant, timeZone) === local);
  return shown.length > 0 ? Math.min(...shown) : local - (offsets[0] ?? 0);
};

/** An instant in ISO 8601 by the zone's clock, with its offset at that time: `2026-11-25T21:00:00.000-03:00`. */
export const withOffset = (instant: number, timeZone: string): string => {
  const local = localTime(instant, timeZone);
  const minutes = Math.round((local - instant) / MINUTE_MS);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${new Date(local).toISOString().slice(0, -1)}${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
};

/** The date of a local time, such as `2026-03-01`. */
export const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** The start of the day, the week (from Monday) or the month in which a local time lies. */
export const startOf = (local: number, interval: Interval): number => {
  const day = new Date(Math.floor(local / DAY_MS) * DAY_MS);
  switch (interval) {
    case 'day':
      return day.getTime();
    case 'week':
      return day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS;
    case 'month':
      return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
  }
};

/** The start of the period that follows the one that begins at `start`. */
export const nextStart = (start: number, interval: Interval): number =>
  startOf(start + { day: 1, week: 7, month: 31 }[interval] * DAY_MS, interval);
