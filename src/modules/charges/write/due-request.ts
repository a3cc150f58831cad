import { type Day, dayOf } from '../../../kernel/business-days.ts';
import type { InputFault } from '../../../kernel/errors.ts';
import { MAX_AMOUNT, type Minor, scaleDecimal } from '../../../kernel/money.ts';
import { documentType } from '../../../kernel/national-id.ts';
import {
  amountsPossible,
  type DueTerms,
  type Interest,
  type Portion,
  pixDayOf,
} from '../../providers/pix/due-terms.ts';
import type { PayerAddress } from '../../providers/provider.ts';

/** A portion as a request names it: decimal. */
type PortionRequest = { readonly type: Portion['type']; readonly value: number };

/** The members of a Pix with a due date, after their shape was validated. */
export type DueRequest = {
  readonly dueDate: string;
  readonly daysAfterDue?: number;
  readonly fine?: PortionRequest;
  readonly interest?: PortionRequest & {
    readonly per?: Interest['per'];
    readonly days?: Interest['days'];
  };
  readonly discounts?:
    | {
        readonly type: Portion['type'];
        readonly until: readonly { readonly date: string; readonly value: number }[];
      }
    | (PortionRequest & { readonly until?: never; readonly days?: Interest['days'] });
  readonly rebate?: PortionRequest;
};

/** The facts about a payer that the rules of this file need. */
type DuePayer = {
  readonly document?: { readonly type: string; readonly id: string } | null;
  readonly address?: {
    readonly line1?: string;
    readonly line2?: string;
    readonly city?: string;
    readonly state?: string;
    readonly postalCode?: string;
  } | null;
};

/** The default of the API Pix. */
const DAYS_AFTER_DUE = 30;

/** How far ahead a due date may lie. */
const MAX_DAYS_AHEAD = 731;

/** Amounts and percentages have two decimals in the API Pix; the shape of the request has seen to that. */
const scaled = (value: number): number => scaleDecimal(value, 2) ?? 0;

const portion = (given: PortionRequest | undefined): Portion | null =>
  given === undefined ? null : { type: given.type, value: scaled(given.value) };

const discountsOf = ({ discounts }: DueRequest): DueTerms['discounts'] => {
  if (discounts === undefined) return null;
  const { type } = discounts;
  if (discounts.until === undefined)
    return { type, value: scaled(discounts.value), days: discounts.days ?? 'calendar' };
  const until = discounts.until.map(({ date, value }) => ({ date, value: scaled(value) }));
  return { type, until: [...until].sort((one, other) => dayOf(one.date) - dayOf(other.date)) };
};

/** The terms that a request names. */
export const dueTermsOf = (request: DueRequest): DueTerms => {
  const { dueDate, daysAfterDue = DAYS_AFTER_DUE, interest } = request;
  const rate = portion(interest);
  return {
    dueDate,
    daysAfterDue,
    fine: portion(request.fine),
    interest: rate && { ...rate, per: interest?.per ?? 'day', days: interest?.days ?? 'calendar' },
    discounts: discountsOf(request),
    rebate: portion(request.rebate),
  };
};

/** The faults of what is to be paid when, which the shape of a request cannot say. */
export const dueFaults = (request: DueRequest, amount: Minor, now: Date): readonly InputFault[] => {
  const terms = dueTermsOf(request);
  const today = pixDayOf(now);
  const faults = [...dateFaults(terms, today), ...discountFaults(terms, today), ...interestFaults(request)];
  return faults.length > 0 ? faults : amountFaults(amount, terms, today);
};

const fault = (path: string, problem: string): InputFault => ({ path, message: `${path} ${problem}` });

const dateFaults = ({ dueDate }: DueTerms, today: Day): readonly InputFault[] => {
  const ahead = dayOf(dueDate) - today;
  if (ahead >= 0 && ahead <= MAX_DAYS_AHEAD) return [];
  return [
    fault(
      'paymentMethod.dueDate',
      ahead < 0 ? 'must not lie in the past' : 'must lie within the next two years',
    ),
  ];
};

const discountFaults = ({ discounts, dueDate }: DueTerms, today: Day): readonly InputFault[] => {
  if (discounts === null || !('until' in discounts)) return [];
  const path = 'paymentMethod.discounts.until';
  const { until } = discounts;
  const isWithin = until.every(({ date }) => dayOf(date) >= today && dayOf(date) <= dayOf(dueDate));
  const falls = until.every(({ date, value }, index) => {
    const before = until[index - 1];
    return before === undefined || (before.date !== date && before.value > value);
  });
  return [
    ...(isWithin ? [] : [fault(path, 'must have days from today to the due date')]),
    ...(falls ? [] : [fault(path, 'must have a smaller discount on each later day')]),
  ];
};

const interestFaults = ({ interest }: DueRequest): readonly InputFault[] => {
  if (interest === undefined) return [];
  const path = 'paymentMethod.interest.per';
  if (interest.type === 'percentage')
    return interest.per === undefined ? [fault(path, 'is required of a percentage')] : [];
  return interest.per === undefined || interest.per === 'day'
    ? []
    : [fault(path, 'must be day of an amount: the API Pix has amounts of a day only')];
};

/**
 * With all discounts something must be left to pay, and the largest amount must be one that a charge can have.
 */
const amountFaults = (amount: Minor, terms: DueTerms, today: Day): readonly InputFault[] => {
  const base = amountsPossible(amount, { ...terms, discounts: null }, today);
  if (base.least <= 0) return [fault('paymentMethod.rebate', 'must be less than the amount')];
  const { least, most } = amountsPossible(amount, terms, today);
  if (least <= 0)
    return [fault('paymentMethod.discounts', 'must leave something to be paid, also on the first day')];
  return most > MAX_AMOUNT
    ? [fault('paymentMethod.interest', 'and fine make an amount of the last payable day that is too large')]
    : [];
};

/** The faults of the payer of a Pix with a due date; `from` is where the request has the facts. */
export const duePayerFaults = (
  { document, address }: DuePayer,
  from: 'customer' | 'customerId',
): readonly InputFault[] => {
  const lacks = (member: string, words: string): InputFault =>
    from === 'customer'
      ? fault(`customer.${member}`, `must have ${words} where the charge has a due date`)
      : fault(from, `must be of a customer whose ${member} has ${words}, because the charge has a due date`);
  const isTaxpayer = document ? ['cpf', 'cnpj'].includes(documentType(document.type)) : false;
  return [
    ...(isTaxpayer ? [] : [lacks('document', 'type cpf or cnpj')]),
    ...(addressOf({ address: address ?? null })
      ? []
      : [lacks('address', 'line1, city, state (two letters) and postalCode (eight digits)')]),
  ];
};

/** The payer's address in the form that institutions require; null if a part of it is missing. */
export const addressOf = ({ address = null }: Pick<DuePayer, 'address'>): PayerAddress | null => {
  if (address === null) return null;
  const { line1, line2, city, state = '', postalCode = '' } = address;
  const digits = postalCode.replace(/[.\s-]/g, '');
  if (!line1 || !city || !/^[A-Za-z]{2}$/.test(state) || !/^\d{8}$/.test(digits)) return null;
  return {
    line: [line1, line2].filter(Boolean).join(', '),
    city,
    state: state.toUpperCase(),
    postalCode: digits,
  };
};
