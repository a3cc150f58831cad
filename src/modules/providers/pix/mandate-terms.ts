import { businessDayFrom, type Day, dayOf } from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts';
import { instantOf } from '../../../kernel/local-time.ts';
import type { Minor } from '../../../kernel/money.ts';
import { PIX_ZONE, pixDayOf } from './due-terms.ts';

/**
 * The rules of Pix Automático that lie outside of the API Pix's schemas (`rec` and `cobr` of 2.9.0): how often, how far
 * ahead, until when, and how often again.
 */

/** How the payer approves: by a QR code that holds nothing but the mandate, or by one that holds a payment as well. */
export const JOURNEYS = ['qr', 'qr_with_payment'] as const;

export const RETRY_POLICIES = ['none', 'three_in_seven_days'] as const;

type Recurrence = { readonly interval: 'week' | 'month' | 'year'; readonly intervalCount: number };

/** Terms on which a payer agrees to be charged again and again without being asked. Amounts are in cents. */
export type MandateTerms = Recurrence & {
  readonly journey: (typeof JOURNEYS)[number];
  /** The amount of every charge; null where each has its own. */
  readonly amount: Minor | null;
  /** Each charge has at least this amount, however low the payer sets his limit; null without such a floor. */
  readonly minimumAmount: Minor | null;
  /** ISO date of the first day on which a charge may be due. */
  readonly startDate: string;
  /** ISO date of the last such day; null without an end. */
  readonly endDate: string | null;
  readonly retries: (typeof RETRY_POLICIES)[number];
  /** The merchant's name of the contract. */
  readonly contract: string;
  readonly description: string;
};

/** Months in which a mandate may recur. */
const MONTHS = [1, 3, 6, 12];

/** How often a mandate recurs, in one way of writing each: twelve months are a year. Null where no mandate can. */
const periodOf = ({ interval, intervalCount }: Recurrence): string | null => {
  if (interval === 'week') return intervalCount === 1 ? 'week' : null;
  const months = interval === 'year' ? 12 * intervalCount : intervalCount;
  return MONTHS.includes(months) ? `${months} months` : null;
};

/** Whether a mandate can recur like this: each week, or every 1, 3, 6 or 12 months. */
export const isPossibleInterval = (recurrence: Recurrence): boolean => periodOf(recurrence) !== null;

export const isSameInterval = (one: Recurrence, other: Recurrence): boolean =>
  periodOf(one) !== null && periodOf(one) === periodOf(other);

/** Whether a mandate lets a charge of this amount through. */
export const allowsAmount = (
  { amount, minimumAmount }: Pick<MandateTerms, 'amount' | 'minimumAmount'>,
  wanted: Minor,
): boolean => (amount === null ? wanted >= (minimumAmount ?? 1) : wanted === amount);

/** Whether a charge may be due on a day, by the days between which the mandate lasts. */
export const lastsOn = (
  { startDate, endDate }: Pick<MandateTerms, 'startDate' | 'endDate'>,
  due: Day,
): boolean => due >= dayOf(startDate) && (endDate === null || due <= dayOf(endDate));

/** Days from the creation of a mandate to its first charge, at least. */
export const DAYS_TO_START = 5;

/** Days before it is due on which a charge may be handed in; the gateway does so on the usual one. */
const EARLIEST_DAYS = 10;
const USUAL_DAYS = 5;
const LATEST_DAYS = 2;

/** Days before a charge is due until which the gateway hands it in. */
export const LEAST_DAYS_AHEAD = LATEST_DAYS + 1;

/** The day on which a charge is usually handed in. */
export const planningDay = (due: Day): Day => due - USUAL_DAYS;

/** Whether an institution takes a charge that is due on a day. */
export const isInWindow = (due: Day, now: Date): boolean => {
  const ahead = due - pixDayOf(now);
  return ahead >= LATEST_DAYS && ahead <= EARLIEST_DAYS;
};

/**
 * Whether the gateway gives a charge up that no institution has taken so far: the third day before it is due is over.
 * The day that is left then is a reserve, for an answer that comes late.
 */
export const isWindowMissed = (due: Day, now: Date): boolean => due - pixDayOf(now) <= LATEST_DAYS;

/** The day on which the payer's bank pays: the due day, or the first business day after it. */
export const settlementDay = (due: Day): Day => businessDayFrom(due);

const RETRIES = 3;
const RETRIED_WITHIN_DAYS = 7;

/** Days from a failed attempt to the next that a policy allows where nobody asks for others. */
export const usualRetryDays = ({ retries }: Pick<MandateTerms, 'retries'>): readonly number[] =>
  retries === 'none' ? [] : [2, 2, 2];

/** Whether a policy allows retries so many days apart, each after the one before. */
export const allowsRetryDays = (
  { retries }: Pick<MandateTerms, 'retries'>,
  days: readonly number[],
): boolean =>
  days.length === 0 ||
  (retries === 'three_in_seven_days' &&
    days.length <= RETRIES &&
    days.reduce((total, each) => total + each, 0) <= RETRIED_WITHIN_DAYS);

/**
 * The day of the next retry, `days` after the last attempt; null where none is possible. Each is on a business day of
 * its own within seven days of the first attempt, and before `end`, from which on the next cycle needs its turn.
 */
export const retryDay = (
  attempts: readonly [first: Day, ...others: Day[]],
  days: number,
  end: Day,
): Day | null => {
  const [first] = attempts;
  if (attempts.length > RETRIES) return null;
  const day = businessDayFrom(Math.max(...attempts) + Math.max(1, days));
  return day <= first + RETRIED_WITHIN_DAYS && day < end ? day : null;
};

/** The day from which on no retry is possible: the charge of the next cycle has to be handed in by then. */
export const retriesEnd = (nextDue: Day): Day => nextDue - LATEST_DAYS;

const CUT_OFF_HOUR = 22;

/** Until when a charge can be withdrawn, or a retry be asked for: 22:00 of the day before, by the clock of Pix. */
export const cutOffOf = (day: Day): Timestamp =>
  timestamp(new Date(instantOf((day - 1) * DAY_MS + CUT_OFF_HOUR * HOUR_MS, PIX_ZONE)));

export const isCutOff = (day: Day, now: Date): boolean => cutOffOf(day) <= timestamp(now);

/** The end of a day by the clock of Pix. */
export const endOfPixDay = (day: Day): Timestamp =>
  timestamp(new Date(instantOf((day + 1) * DAY_MS, PIX_ZONE)));

/** Until when a payer can approve: the first charge has to be handed in by then. */
export const approvableUntil = ({ startDate }: Pick<MandateTerms, 'startDate'>): Timestamp =>
  endOfPixDay(dayOf(startDate) - LEAST_DAYS_AHEAD);
