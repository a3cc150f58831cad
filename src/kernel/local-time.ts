import { DAY_MS, MINUTE_MS } from './durations.ts';

/** Local times of a zone are milliseconds that read, taken as UTC, like the clock on the wall there. */

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

/** Whether this is a name of the IANA time zone database; an offset such as `+03:00` is none. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** The name under which every engine knows a zone, whatever case or alias the caller wrote. */
export const canonicalZone = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** Reading of the zone's clock at an instant. */
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
 * The instant at which the clock of the zone shows a local time. Where it shows it twice, the first one. Where it never
 * shows it, as if the clock had not been put forward. So the start of a day is right where days begin at one o'clock.
 */
export const instantOf = (local: number, timeZone: string): number => {
  const offsets = [local - DAY_MS, local + DAY_MS].map((near) => localTime(near, timeZone) - near);
  const shown = offsets
    .map((offset) => local - offset)
    .filter((instant) => localTime(instant, timeZone) === local);
  return shown.length > 0 ? Math.min(...shown) : local - (offsets[0] ?? 0);
};

/** An instant as ISO 8601 by the clock of a zone, with the offset that counts there: `2026-11-25T21:00:00.000-03:00`. */
export const withOffset = (instant: number, timeZone: string): string => {
  const local = localTime(instant, timeZone);
  const minutes = Math.round((local - instant) / MINUTE_MS);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${new Date(local).toISOString().slice(0, -1)}${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
};

/** `2026-03-01` for a local time. */
export const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** The start of the day, week (Monday) or month that a local time lies in. */
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

/** The start of the period after the one that starts at `start`. */
export const nextStart = (start: number, interval: Interval): number =>
  startOf(start + { day: 1, week: 7, month: 31 }[interval] * DAY_MS, interval);
