import { DAY_MS } from '../kernel/durations.ts';
import { instantOf } from '../kernel/local-time.ts';
import { exponentOf } from '../kernel/money.ts';
import { locale } from './words.ts';

let timeZone: string | undefined;

/** The zone whose days and hours are shown: the merchant's, and the reader's own for operators. */
export const setTimeZone = (zone: string | undefined): void => {
  timeZone = zone;
};

/** The name of that zone: days that are typed or shown are days there. */
export const shownZone = (): string => timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Digits after the decimal separator that a currency has, by ISO 4217: a browser leaves out those that shops leave out.
 */
export const digitsOf = exponentOf;

export const formatMoney = (amount: number, currency: string): string => {
  const digits = digitsOf(currency);
  const money = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  // A fee of nothing is taken away as minus zero, which would show its sign.
  return new Intl.NumberFormat(locale, money).format(amount + 0);
};

/** Sums of decimals of one currency, free of binary fractions. */
export const addMoney = (currency: string, ...amounts: readonly number[]): number => {
  const factor = 10 ** digitsOf(currency);
  return amounts.reduce((total, amount) => total + Math.round(amount * factor), 0) / factor;
};

/** A number with all its decimals; percentages have four at most. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(value);

/** An amount, or a count without a currency, in few signs, as on the axis of a chart. */
export const formatShort = (amount: number, currency: string | null): string =>
  new Intl.NumberFormat(locale, {
    notation: 'compact',
    ...(currency === null ? {} : { style: 'currency', currency }),
  }).format(amount);

/** A percentage that no line breaks. */
export const formatPercent = (value: number): string => `${formatNumber(value)}\u00a0%`;

const yearOf = (at: Date): string => dayOf(at, shownZone()).slice(0, 4);

/** Short, as in a table: the time of today, the day of this year. */
export const formatDate = (iso: string): string => {
  const at = new Date(iso);
  const isThisYear = yearOf(at) === yearOf(new Date());
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
};

/** The time of day. */
export const formatClock = (at: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);

/** To the second, as in a timeline. */
export const formatMoment = (iso: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(iso),
  );

export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(new Date(day));

/** A day of any year. */
export const formatFullDay = (day: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(day));

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
export const startOfDay = (day: string): string =>
  new Date(instantOf(Date.parse(day), shownZone())).toISOString();

/** The last instant of a day in the zone that is shown. */
export const endOfDay = (day: string): string =>
  new Date(instantOf(Date.parse(day) + DAY_MS, shownZone()) - 1).toISOString();

/** The day of a moment in a zone, `2026-11-23`. The English of Canada writes dates as ISO 8601 does. */
export const dayOf = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);

/** A day before today in the zone that is shown, as lists and reports take it. */
export const daysAgo = (days: number): string =>
  new Date(Date.parse(dayOf(new Date(), shownZone())) - days * DAY_MS).toISOString().slice(0, 10);

/** A day that lies some days after another; before it where they are below zero. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The name of a currency in the reader's language. */
export const formatCurrency = (currency: string): string =>
  new Intl.DisplayNames(locale, { type: 'currency', fallback: 'code' }).of(currency) ?? currency;

/** A month, `2026-11`, in words. */
export const formatMonth = (month: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}-01`),
  );

/** The short name of the weekday of a day. */
export const formatWeekday = (day: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' }).format(new Date(day));
