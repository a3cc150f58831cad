import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { identifyTypesOf } from '../../charges/write/identify-types.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { addDays, type Calendar, dueAt, firstWithDay, instantAt, localDate } from './calendar.ts';
import type { Price, PriceRequest } from './plan.ts';
import { payerMethodNotPossible } from './refusals.ts';
import type { Subscription } from './subscription.ts';

/** The body of POST /v1/subscriptions after its shape was validated. */
export type SubscriptionRequest = {
  readonly customerId: string;
  readonly planId?: string;
  readonly price?: PriceRequest;
  readonly collection: Subscription['collection'];
  readonly paymentMethodId?: string;
  readonly payerMethod?: NonNullable<Subscription['payerMethod']>;
  readonly payerDays: number;
  readonly startDate?: string;
  readonly anchorDay?: number;
  readonly trialDays?: number;
  readonly maxCycles?: number;
  readonly endDate?: string;
  /** Absent: as is usual for the payment method. */
  readonly retryDays?: readonly number[];
  readonly onExhausted: Subscription['onExhausted'];
  readonly split?: readonly SplitEntry[] | null;
  readonly description?: string | null;
  readonly metadata?: object | null;
  readonly reference?: string | null;
  readonly postbackUrl?: string | null;
};

/** The default terms of a subscription. */
export const USUAL_TERMS = { payerDays: 3, retryDays: [1, 3, 5, 7], onExhausted: 'cancel' } as const;

type Place = { readonly timeZone: string; readonly hour: number };

/** When the cycles of a new subscription begin. */
type Beginning = Pick<Subscription, 'calendar' | 'nextCycleAt' | 'trialEnd'>;

/**
 * The first cycle begins at once, or at the due hour of a later day. 400 for dates that contradict each other.
 */
export const beginningOf = (
  { startDate, anchorDay, endDate, ...request }: SubscriptionRequest,
  { interval, intervalCount }: Price,
  trialDays: number,
  { timeZone, hour }: Place,
  now: Date,
): Beginning => {
  const today = localDate(now, timeZone);
  const from = startDate ?? today;
  const paidFrom = addDays(from, trialDays);
  const date = anchorDay === undefined ? paidFrom : firstWithDay(paidFrom, anchorDay);
  const faults: InputFault[] = [
    ...(from < today ? [fault('startDate', `must not be before today, ${today} in ${timeZone}`)] : []),
    ...(anchorDay !== undefined && interval === 'week'
      ? [fault('anchorDay', 'is for months and years only')]
      : []),
    ...(endDate !== undefined && endDate <= date
      ? [fault('endDate', `must be after the first cycle, which begins on ${date}`)]
      : []),
    ...(request.collection === 'payer' && request.paymentMethodId !== undefined
      ? [fault('paymentMethodId', 'is for automatic collection only')]
      : []),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  const day = anchorDay ?? Number(date.slice(8));
  const calendar: Calendar = { interval, intervalCount, cycle: 1, date, day, timeZone, hour };
  const isNow = date === today && trialDays === 0 && startDate === undefined && anchorDay === undefined;
  return {
    calendar,
    nextCycleAt: isNow ? timestamp(now) : dueAt(calendar, 1),
    trialEnd: trialDays === 0 ? null : instantAt(paidFrom, hour, timeZone),
  };
};

const fault = (path: string, problem: string): InputFault => ({ path, message: `${path} ${problem}` });

/** 422 PAYER_METHOD_NOT_POSSIBLE where the customer cannot pay this currency in the way that is asked for. */
export const assertPayable = (
  method: Subscription['payerMethod'],
  currency: string,
  { document }: Pick<CustomerRecord, 'document'>,
): void => {
  if (method === 'pix' && currency !== 'BRL') throw payerMethodNotPossible('Pix is possible in BRL only');
  if (method !== 'voucher') return;
  if (document === null) throw payerMethodNotPossible('A voucher needs the document of the customer');
  const types = identifyTypesOf(currency);
  if (!types.includes(document.type))
    throw payerMethodNotPossible(`A voucher in ${currency} needs a document of ${types.join(', ')}`);
};

/** Whether the first cycle is due. */
export const isDue = (nextCycleAt: Timestamp, now: Date): boolean => nextCycleAt <= timestamp(now);
