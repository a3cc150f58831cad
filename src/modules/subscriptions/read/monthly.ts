import type { Minor } from '../../../kernel/money.ts';
import type { Price } from '../write/plan.ts';

const MONTHS_OF_A_YEAR = 12;
const WEEKS_OF_A_YEAR = 52;

/** Average income of a month from a price, in minor units: a year has twelve months or fifty-two weeks. */
export const monthlyAmount = ({ amount, interval, intervalCount }: Price): Minor => {
  const aYear = { week: WEEKS_OF_A_YEAR, month: MONTHS_OF_A_YEAR, year: 1 }[interval] * amount;
  return Math.round(aYear / (MONTHS_OF_A_YEAR * intervalCount));
};
