import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { type Minor, PERCENTAGE_DECIMALS, scaleDecimal, toMinor } from '../../../kernel/money.ts';
import type { MethodFee } from '../../merchants/write/fees.ts';

/** Days that each percentage of a fee definition covers. */
export const PERIOD_DAYS = 30;

/** Days from now until a part is due, where a day that has begun counts as one; 0 for a part that is due already. */
export const daysUntil = (dueAt: Timestamp, now: Date): number =>
  dueAt <= timestamp(now) ? 0 : Math.ceil((Date.parse(dueAt) - now.getTime()) / DAY_MS);

/** Number, from 1, of the period of 30 days in which a part falls due. */
export const periodOf = (days: number): number => Math.max(1, Math.ceil(days / PERIOD_DAYS));

/**
 * The percentage for a part by the days that are left; null for a part that is due later than the definition covers.
 */
export const percentageOf = ({ definition }: MethodFee, days: number): number | null =>
  definition.percentages[periodOf(days) - 1] ?? null;

/** The fixed fee of each anticipated charge, besides the fees of its parts. */
export const fixedFeeOf = ({ definition }: MethodFee, currency: string): Minor => {
  const fixed = toMinor(definition.fixed, currency);
  if (fixed === null) throw new Error('a stored fee has more decimals than its currency');
  return fixed;
};

/**
 * The fee of a part, for the days that are left of its period: amount × percentage / 100 × days / (30 × period),
 * rounded half up once.
 */
export const partFeeOf = (amount: Minor, percentage: number, days: number): Minor => {
  const scaled = scaleDecimal(percentage, PERCENTAGE_DECIMALS);
  if (scaled === null) throw new RangeError(`percentage ${percentage} has too many decimals`);
  const divisor = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS) * BigInt(PERIOD_DAYS * periodOf(days));
  return Number((BigInt(amount) * BigInt(scaled) * BigInt(days) + divisor / 2n) / divisor);
};
