import { DAY_MS } from '../kernel/durations.ts';
import { instantOf } from '../kernel/local-time.ts';
import { locale } from './words.ts';

let timeZone: string | undefined;

/** The zone whose days and hours are shown: the merchant's, and the reader's own for operators. */
export const setTimeZone = (zone: string | undefined): void => {
  timeZone = zone;
};

export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);

/** Digits after the decimal separator that a currency has. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Sums of decimals of one currency, free of binary fractions. */
export const addMoney = (currency: string, ...amounts: readonly number[]): number => {
  const factor = 10 ** digitsOf(currency);
  return amounts.reduce((total, amount) => total + Math.round(amount * factor), 0) / factor;
};

/** A number with all its decimals; percentages have four at most. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(value);

/** A percentage that no line breaks. */
export const formatPercent = (value: number): string => `${formatNumber(value)}\u00a0%`;

const THIS_YEAR = new Date().getFullYear();

/** Short, as in a table: the time of today, the day of this year. */
export const formatDate = (iso: string): string => {
  const at = new Date(iso);
  const isThisYear = at.getFullYear() === THIS_YEAR;
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
};

/** To the second, as in a timeline. */
export const formatMoment = (iso: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(iso),
  );

export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(new Date(day));

export const formatExactly = (iso: string): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'long',
  }).format(new Date(iso));

const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago that was. */
export const formatAge = (iso: string): string => {
  const ago = Date.now() - Date.parse(iso);
  const [unit, ms] = UNITS.find(([, size]) => ago >= size) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(ago / ms), unit);
};

/** The first instant of a day, `2026-11-23`, in the zone that is shown. */
export const startOfDay = (day: string): string => {
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return new Date(instantOf(Date.parse(day), zone)).toISOString();
};

/** The day of a moment in a zone, `2026-11-23`. The English of Canada writes dates as ISO 8601 does. */
export const dayOf = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);

/** A day before today in a zone, as lists and reports take it. */
export const daysAgo = (days: number, zone = 'UTC'): string =>
  new Date(Date.parse(dayOf(new Date(), zone)) - days * DAY_MS).toISOString().slice(0, 10);
