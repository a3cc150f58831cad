import {
  businessDayFrom,
  businessDaysBetween,
  type Day,
  dateOfDay,
  dayOf,
} from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { instantOf, localTime } from '../../../kernel/local-time.ts';
import type { Minor } from '../../../kernel/money.ts';

/**
 * The amounts that are due on each day of a Pix with a due date (`cobv` of the API Pix 2.9.0). The institution decides
 * in the end: it knows the holidays of the payer's town, which these rules do not.
 */

/** Cents, or hundredths of a per cent. */
export type Portion = { readonly type: 'amount' | 'percentage'; readonly value: number };

export const COUNTED_DAYS = ['calendar', 'business'] as const;
type CountedDays = (typeof COUNTED_DAYS)[number];

export const INTEREST_PERIODS = ['day', 'month', 'year'] as const;

/** For each day after the due date. An amount is that of one day; a percentage is that of the period. */
export type Interest = Portion & {
  readonly per: (typeof INTEREST_PERIODS)[number];
  readonly days: CountedDays;
};

/** Until certain days, or for each day before the due date. */
export type Discounts =
  | {
      readonly type: Portion['type'];
      readonly until: readonly { readonly date: string; readonly value: number }[];
    }
  | (Portion & { readonly days: CountedDays });

export type DueTerms = {
  /** ISO date. */
  readonly dueDate: string;
  /** Calendar days after the due date on which it can still be paid. */
  readonly daysAfterDue: number;
  readonly fine: Portion | null;
  readonly interest: Interest | null;
  readonly discounts: Discounts | null;
  readonly rebate: Portion | null;
};

/** The days that decide how long it can be paid. */
type DueDay = Pick<DueTerms, 'dueDate' | 'daysAfterDue'>;

/** The zone by whose clock a day of Pix begins and ends. */
export const PIX_ZONE = 'America/Sao_Paulo';

/** Days by which the percentage of a period is divided. */
const DAYS_OF: Readonly<Record<CountedDays, Readonly<Record<Interest['per'], number>>>> = {
  calendar: { day: 1, month: 30, year: 365 },
  business: { day: 1, month: 21, year: 252 },
};

const WHOLE = 10_000n;

/**
 * `times` portions of `base`, divided by `parts`. It is rounded half up to the cent, once: the API Pix writes every
 * amount with two decimals, and neither it nor the central bank's manual says how (github.com/bacen/pix-api/issues/404).
 */
const portionOf = ({ type, value }: Portion, base: Minor, times = 1, parts = 1): Minor => {
  if (type === 'amount') return value * times;
  const divisor = WHOLE * BigInt(parts);
  return Number((BigInt(base) * BigInt(value) * BigInt(times) + divisor / 2n) / divisor);
};

/** The day on which it is due: a due date that is no business day moves to the next one, and all else with it. */
const dueDayOf = ({ dueDate }: DueDay): Day => businessDayFrom(dayOf(dueDate));

/** The last day on which it can be paid, which also moves to the next business day. */
export const lastPayableDay = (terms: DueDay): Day => businessDayFrom(dueDayOf(terms) + terms.daysAfterDue);

/**
 * Discount of a day. A day until which a discount counts moves to the next business day, too; where several have come to
 * the same one, the earliest counts, which is the highest.
 */
const discountOn = (terms: DueTerms, base: Minor, day: Day): Minor => {
  const { discounts } = terms;
  if (discounts === null) return 0;
  if ('until' in discounts) {
    const found = discounts.until.find(({ date }) => day <= businessDayFrom(dayOf(date)));
    return found ? portionOf({ type: discounts.type, value: found.value }, base) : 0;
  }
  const dueDay = dueDayOf(terms);
  const days = discounts.days === 'business' ? businessDaysBetween(day, dueDay) : dueDay - day;
  return portionOf(discounts, base, Math.max(0, days));
};

/** Whether it is late: fine and interest begin on the first business day after the day on which it is due. */
const isLate = (terms: DueTerms, day: Day): boolean => day >= businessDayFrom(dueDayOf(terms) + 1);

const interestOn = (terms: DueTerms, base: Minor, day: Day): Minor => {
  const { interest } = terms;
  if (interest === null || !isLate(terms, day)) return 0;
  const dueDay = dueDayOf(terms);
  const days = interest.days === 'business' ? businessDaysBetween(dueDay, day) : day - dueDay;
  const parts = interest.type === 'amount' ? 1 : DAYS_OF[interest.days][interest.per];
  return portionOf(interest, base, days, parts);
};

/** Days beyond the last payable one, in which a holiday of the payer's town may still move it. */
const DAYS_FOR_LOCAL_HOLIDAYS = 5;

/** The day of an instant by the clock of Pix. */
export const pixDayOf = (at: Date): Day => Math.floor(localTime(at.getTime(), PIX_ZONE) / DAY_MS);

/** The first day on which it can be paid: that on which it was made. */
export const firstPayableDay = ({ createdAt }: { readonly createdAt: Timestamp }): Day =>
  pixDayOf(new Date(createdAt));

/** When nobody can pay any more: the end of the last payable day, and some days for holidays that are not known here. */
export const expiryOfDue = (terms: DueDay): Timestamp =>
  timestamp(new Date(instantOf((lastPayableDay(terms) + 1 + DAYS_FOR_LOCAL_HOLIDAYS) * DAY_MS, PIX_ZONE)));

/** The amount of a day with its parts, which sum to it. */
export type AmountDue = {
  readonly amount: Minor;
  readonly rebate: Minor;
  readonly discount: Minor;
  readonly fine: Minor;
  readonly interest: Minor;
};

/**
 * The amount that is due on a day. Discounts, fine and interest are of the amount less the rebate, as equation 11 of the
 * central bank's "Manual de Padrões para Iniciação do Pix" has it for interest. It never falls from one day to the next.
 */
export const amountDueOn = (amount: Minor, terms: DueTerms, day: Day): AmountDue => {
  const rebate = terms.rebate ? portionOf(terms.rebate, amount) : 0;
  const base = amount - rebate;
  const discount = discountOn(terms, base, day);
  const fine = terms.fine && isLate(terms, day) ? portionOf(terms.fine, base) : 0;
  const interest = interestOn(terms, base, day);
  return { amount: base - discount + fine + interest, rebate, discount, fine, interest };
};

/**
 * The smallest and the largest amount that can be due from a day on: with all discounts, and on the last payable day.
 */
export const amountsPossible = (
  amount: Minor,
  terms: DueTerms,
  from: Day,
): { readonly least: Minor; readonly most: Minor } => ({
  least: amountDueOn(amount, terms, from).amount,
  most: amountDueOn(amount, terms, lastPayableDay(terms)).amount,
});

/** Days in a row on which the same amount is due; ISO dates. */
type DuePeriod = { readonly from: string; readonly until: string; readonly amount: Minor };

/** The amounts that are due from a day on, until the last payable day; none after that. */
export const duePeriods = (amount: Minor, terms: DueTerms, from: Day): readonly DuePeriod[] => {
  const periods: { from: Day; until: Day; amount: Minor }[] = [];
  const lastDay = lastPayableDay(terms);
  for (let day = from; day <= lastDay; day += 1) {
    const due = amountDueOn(amount, terms, day).amount;
    const last = periods.at(-1);
    if (last?.amount === due) last.until = day;
    else periods.push({ from: day, until: day, amount: due });
  }
  return periods.map((period) => ({
    from: dateOfDay(period.from),
    until: dateOfDay(period.until),
    amount: period.amount,
  }));
};
