import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { dateOf, instantOf, localTime } from '../../../kernel/local-time.ts';

export const INTERVALS = ['week', 'month', 'year'] as const;

/** How often something recurs: every `intervalCount` weeks, months or years. */
export type Recurrence = {
  readonly interval: (typeof INTERVALS)[number];
  readonly intervalCount: number;
};

/** A local date, `2026-01-31`. */
type LocalDate = string;

/** The days on which cycles begin. They all follow from the day of one cycle. */
export type Calendar = Recurrence & {
  readonly cycle: number;
  readonly date: LocalDate;
  /** The wanted day of the month, from 1 to 31; in shorter months it is their last day. */
  readonly day: number;
  /** Name of the IANA time zone database. */
  readonly timeZone: string;
  /** Hour of the local day at which cycles fall due. */
  readonly hour: number;
};

/** The clocks of a zone are never put forward by more than this, unless the zone skips a whole day. */
const LONGEST_GAP_MS = 2 * DAY_MS;

/** Days are counted as if each began at midnight UTC, because all days have the same length in UTC. */
const dayOf = (date: LocalDate): number => Date.parse(`${date}T00:00:00Z`);

export const addDays = (date: LocalDate, days: number): LocalDate => dateOf(dayOf(date) + days * DAY_MS);

/** The day of the zone that an instant lies in. */
export const localDate = (at: Date, timeZone: string): LocalDate => dateOf(localTime(at.getTime(), timeZone));

/**
 * The instant at which a day has this hour. If the hour occurs twice, its first instant counts; if the hour is skipped,
 * the first instant after the gap.
 */
export const instantAt = (date: LocalDate, hour: number, timeZone: string): Timestamp => {
  const local = dayOf(date) + hour * (DAY_MS / 24);
  const instant = instantOf(local, timeZone);
  const shown = localTime(instant, timeZone) === local;
  return timestamp(new Date(shown ? instant : afterGap(local, instant, timeZone)));
};

/** The first instant after a gap in which a local time is skipped. */
const afterGap = (local: number, near: number, timeZone: string): number => {
  let [before, after] = [near - LONGEST_GAP_MS, near + LONGEST_GAP_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(middle, timeZone) < local) before = middle;
    else after = middle;
  }
  return after;
};

/**
 * The wanted day of a month, or the month's last day. Months are counted from 0 and may lie beyond the year.
 */
const dayOfMonth = (year: number, month: number, day: number): LocalDate => {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month, Math.min(day, last)));
};

/** The day on which a cycle begins. */
export const startOf = (
  { interval, intervalCount, cycle, date, day }: Calendar,
  number: number,
): LocalDate => {
  const times = (number - cycle) * intervalCount;
  if (interval === 'week') return addDays(date, 7 * times);
  const from = new Date(dayOf(date));
  const months = interval === 'year' ? 12 * times : times;
  return dayOfMonth(from.getUTCFullYear(), from.getUTCMonth() + months, day);
};

/** When a cycle falls due. */
export const dueAt = (calendar: Calendar, number: number): Timestamp =>
  instantAt(startOf(calendar, number), calendar.hour, calendar.timeZone);

/** The first day from `date` on that is the wanted day of its month. */
export const firstWithDay = (date: LocalDate, day: number): LocalDate => {
  const from = new Date(dayOf(date));
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  const inMonth = dayOfMonth(year, month, day);
  return inMonth >= date ? inMonth : dayOfMonth(year, month + 1, day);
};

/** The first cycle from `number` on that falls due after an instant. */
export const firstDueAfter = (calendar: Calendar, number: number, at: Timestamp): number => {
  let next = number;
  while (dueAt(calendar, next) <= at) next += 1;
  return next;
};
