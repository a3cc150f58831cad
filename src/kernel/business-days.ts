import { DAY_MS } from './durations.ts';

/** A day of the calendar, counted from 1 January 1970, so that the distance of two days is their difference. */
export type Day = number;

/** The day that an ISO date such as `2026-03-01` names. */
export const dayOf = (date: string): Day => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** The ISO date of a day. */
export const dateOfDay = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Holidays of Brazil with a fixed date, as month and day. */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
/** The day of black consciousness is a holiday of the whole country since 2024 (Lei 14.759/2023). */
const SINCE_2024 = '11-20';
/** Carnival (Monday and Tuesday), Good Friday and Corpus Christi, in days from Easter. */
const FROM_EASTER = [-48, -47, -2, 60];

/** Easter Sunday by the Gregorian calendar (the algorithm of Meeus, Jones and Butcher). */
const easterOf = (year: number): Day => {
  const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100];
  const corrected = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - corrected + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const march = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1) / DAY_MS;
};

const known = new Map<number, readonly Day[]>();

/**
 * Days of a year on which Brazilian banks are closed in the whole country, without weekends: national holidays, Carnival
 * and Corpus Christi, as in the calendar of ANBIMA. Holidays of states and towns are not among them.
 */
const holidaysOf = (year: number): readonly Day[] => {
  const found = known.get(year);
  if (found) return found;
  const easter = easterOf(year);
  const fixed = year < 2024 ? FIXED : [...FIXED, SINCE_2024];
  const days = [
    ...fixed.map((date) => dayOf(`${year}-${date}`)),
    ...FROM_EASTER.map((distance) => easter + distance),
  ].filter((day) => !isWeekend(day));
  known.set(year, days);
  return days;
};

const yearOf = (day: Day): number => new Date(day * DAY_MS).getUTCFullYear();

/** 1 January 1970 was a Thursday. */
const isWeekend = (day: Day): boolean => [2, 3].includes(((day % 7) + 7) % 7);

export const isBusinessDay = (day: Day): boolean => !isWeekend(day) && !holidaysOf(yearOf(day)).includes(day);

/** The day itself where it is a business day, else the first one after it. */
export const businessDayFrom = (day: Day): Day => {
  let next = day;
  while (!isBusinessDay(next)) next += 1;
  return next;
};

/** Weekdays from Monday to Friday up to and including a day, counted from some day in the past. */
const weekdaysUpTo = (day: Day): number => {
  // Counted from a Monday: 29 December 1969.
  const days = day + 3;
  return Math.floor(days / 7) * 5 + Math.min(5, (((days % 7) + 7) % 7) + 1);
};

/** How many business days there are after `from` up to and including `until`; none where it is not later. */
export const businessDaysBetween = (from: Day, until: Day): number => {
  if (until <= from) return 0;
  const years = Array.from({ length: yearOf(until) - yearOf(from) + 1 }, (_, index) => yearOf(from) + index);
  const holidays = years.flatMap(holidaysOf).filter((day) => day > from && day <= until).length;
  return weekdaysUpTo(until) - weekdaysUpTo(from) - holidays;
};
