import type { Schemas } from '../../../client/client.ts';
import { addMoney } from '../../format.ts';

/** Statuses of a charge whose amount went back, or is held against the merchant. */
const GIVEN_BACK: readonly Schemas['Charge']['status'][] = ['refunded', 'pre_chargeback', 'chargeback'];

type Parts = Pick<
  Schemas['Charge'],
  'amount' | 'paidAmount' | 'spread' | 'currency' | 'status' | 'paidAt' | 'split'
>;

/** The way of the amount of a paid charge, as its merchant sees it: parts that are taken from it are below zero. */
export type Kept = {
  readonly fee: number;
  /** Parts of others; they have given theirs back where the payer has got all. */
  readonly given: number;
  readonly refunded: number;
  readonly alertFee: number;
  readonly kept: number;
};

/**
 * The way from the amount of a charge to what its merchant keeps; null before it is paid. A refund that is under way
 * counts: its money is taken as soon as the provider accepts it.
 */
export const keptOf = (charge: Parts, isRefundPending: boolean, alertFee: number): Kept | null => {
  const { spread, currency, status, paidAt, split } = charge;
  if (paidAt === null) return null;
  // A charge with a due date is paid with a discount or with interest.
  const amount = charge.paidAmount ?? charge.amount;
  const isBack = isRefundPending || GIVEN_BACK.includes(status);
  const given = isBack ? 0 : -addMoney(currency, ...(split ?? []).map((part) => part.amount));
  const refunded = isBack ? -amount : 0;
  return {
    fee: -spread,
    given,
    refunded,
    alertFee,
    kept: addMoney(currency, amount, -spread, given, refunded, alertFee),
  };
};

type Told = {
  readonly data: readonly { readonly kind: string; readonly resource?: string }[];
  readonly omitted: readonly { readonly part: string }[];
};

const ALERTED: readonly Schemas['Charge']['status'][] = ['pre_chargeback', 'chargeback'];

/** Whether the whole timeline tells of the fee of an alert: it lacks the ledger for whoever may not read that. */
export const isAlertFeeKnown = (status: Schemas['Charge']['status'], { data, omitted }: Told): boolean =>
  !omitted.some(({ part }) => part === 'journals') ||
  !(ALERTED.includes(status) || data.some(({ resource }) => resource === 'chargeback_alert'));
