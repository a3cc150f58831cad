import { toDecimal } from '../../../kernel/money.ts';
import { type DueTerms, duePeriods, firstPayableDay, type Portion } from '../../providers/pix/due-terms.ts';
import { type Charge, dueTermsOfCharge, type PixPayment } from '../write/charge.ts';

const HUNDREDTHS = 100;

const shown = <P extends { readonly value: number }>(portion: P | null): P | null =>
  portion && { ...portion, value: portion.value / HUNDREDTHS };

const shownDiscounts = (discounts: DueTerms['discounts']) => {
  if (discounts === null || !('until' in discounts)) return shown<Portion>(discounts);
  return { ...discounts, until: discounts.until.map((one) => shown(one)) };
};

/** A Pix as the API answers it; the terms of one with a due date are decimal, as they were sent. */
export const shownPix = ({ type, due, id, planned }: PixPayment) =>
  due === undefined
    ? { type, ...(planned && { id, plannedOn: planned.on }) }
    : {
        type,
        dueDate: due.dueDate,
        daysAfterDue: due.daysAfterDue,
        fine: shown(due.fine),
        interest: shown(due.interest),
        discounts: shownDiscounts(due.discounts),
        rebate: shown(due.rebate),
      };

/**
 * The amounts that are due on each day of a charge with a due date, since the day on which it was made; null for any
 * other.
 */
export const shownPeriods = (charge: Charge) => {
  const terms = dueTermsOfCharge(charge);
  if (!terms) return null;
  return duePeriods(charge.amount, terms, firstPayableDay(charge)).map((period) => ({
    ...period,
    amount: toDecimal(period.amount, charge.currency),
  }));
};
