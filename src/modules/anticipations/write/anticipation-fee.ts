import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { type Minor, PERCENTAGE_DECIMALS, scaleDecimal, toMinor } from '../../../kernel/money.ts';
import type { MethodFee } from '../../merchants/write/fees.ts';

/** Days for each percentage of a fee definition. */
export const PERIOD_DAYS = 30;

/** Days from now until a part is due, each begun one counted; 0 for a part that is due already. */
export const daysUntil = (dueAt: Timestamp, now: Date): number =>
  dueAt <= timestamp(now) ? 0 : Math.ceil((Date.parse(dueAt) - now.getTime()) / DAY_MS);

/** The period of 30 days, from 1, that a part falls due in. */
export const periodOf = (days: number): number => Math.max(1, Math.ceil(days / PERIOD_DAYS));

/** The percentage of a part by the days that are left; null for a part that is due later than any of them. */
export const percentageOf = ({ definition }: MethodFee, days: number): number | null =>
  definition.percentages[periodOf(days) - 1] ?? null;

/** Fixed cost of every anticipated charge, besides its parts. */
export const fixedFeeOf = ({ definition }: MethodFee, currency: string): Minor => {
  const fixed = toMinor(definition.fixed, currency);
  if (fixed === null) throw new Error('a stored fee has more decimals than its currency');
  return fixed;
};

/**
 * The fee of a part is the percentage of its period, in proportion to the days left of it. The formula is amount ×
 * percentage / 100 × days / (30 × period), rounded half up once.
 */
export const partFeeOf = (amount: Minor, percentage: number, days: number): Minor => {
  const scaled = scaleDecimal(percentage, PERCENTAGE_DECIMALS);
  if (scaled === null) throw new RangeError(`percentage ${percentage} has too many decimals`);
  const divisor = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS) * BigInt(PERIOD_DAYS * periodOf(days));
  return Number((BigInt(amount) * BigInt(scaled) * BigInt(days) + divisor / 2n) / divisor);
};
