import { CHARGES_VIEW } from '../../charges/read/charge.view.ts';
import type { MovementType } from '../../ledger/write/journal.ts';
import { STATEMENT_VIEW } from '../../statement/read/statement.view.ts';
import type { FlowReport, Kind } from './report-flow.ts';

/**
 * Whether a charge was ever paid. The histogram has one period that is longer than all dates, so a bucket without a
 * date stands for charges that were not.
 */
const PAYMENT = { date_histogram: { field: 'paidAt', fixed_interval: '1000000d', missing_bucket: true } };
const isPaid = (kind: Kind): boolean => kind !== null;

/** Charges by the time of their creation. */
export const VOLUME: FlowReport = {
  view: CHARGES_VIEW,
  at: 'createdAt',
  groups: {
    status: 'status',
    paymentMethod: 'paymentMethod.type',
    currency: 'currency',
    merchantId: 'merchantId',
  },
  only: [],
  kinds: PAYMENT,
  measures: {
    count: { kind: 'count', description: 'Charges created in the period, whatever their status now.' },
    amount: { kind: 'money', field: 'amount', description: 'Their amounts.' },
    paidCount: {
      kind: 'count',
      only: isPaid,
      description:
        'Charges among them that were paid, including those that were refunded or charged back since.',
    },
    paidAmount: {
      kind: 'money',
      only: isPaid,
      field: 'gross',
      description:
        'The amounts that were paid for the paid charges. A charge with a due date may be paid with more or less than its amount.',
    },
  },
};

/** The report above for merchants, with what they pay and keep. */
export const OWN_VOLUME: FlowReport = {
  ...VOLUME,
  measures: {
    ...VOLUME.measures,
    spread: { kind: 'money', only: isPaid, field: 'spread', description: 'The fees of the paid charges.' },
    net: {
      kind: 'money',
      only: isPaid,
      field: 'net',
      description: '`paidAmount` less `spread`. Refunds and chargebacks do not lower it.',
    },
  },
};

const MOVEMENTS = { terms: { field: 'movement_type' } };
const entries = (...types: MovementType[]) => ({ terms: { movement_type: types } });
const moved =
  (...types: MovementType[]) =>
  (kind: Kind): boolean =>
    (types as Kind[]).includes(kind);
const OF_MERCHANT = { currency: 'currency', merchantId: 'merchantId' } as const;
const none = (): boolean => false;
const EARNED = entries(
  'charge_spread',
  'chargeback_alert_fee',
  'payout_fee',
  'payout_fee_reversal',
  'anticipation_fee',
);

/** The spreads in the revenue, from the charges, because ledger entries have neither status nor method. */
const spreadsBy = (groups: FlowReport['groups']): FlowReport => ({
  view: CHARGES_VIEW,
  at: 'paidAt',
  groups,
  only: [{ range: { spread: { gt: 0 } } }],
  measures: {
    count: { kind: 'count', description: 'Charges with a spread that were paid in the period.' },
    amount: { kind: 'money', field: 'spread', description: 'Their spreads.' },
    spread: { kind: 'money', field: 'spread', description: 'The same.' },
    chargebackAlertFees: { kind: 'money', only: none, field: 'spread', description: 'Zero.' },
    payoutFees: { kind: 'money', only: none, field: 'spread', description: 'Zero.' },
    anticipationFees: { kind: 'money', only: none, field: 'spread', description: 'Zero.' },
  },
});

/**
 * Revenue, from the merchants' side: each of these lines has its counterpart in the gateway's account `revenue`. A line
 * with the opposite sign gives revenue back.
 */
export const REVENUE: FlowReport = {
  view: STATEMENT_VIEW,
  at: 'createdAt',
  groups: OF_MERCHANT,
  groupedElsewhere: {
    status: spreadsBy({ status: 'status' }),
    paymentMethod: spreadsBy({ paymentMethod: 'paymentMethod.type' }),
  },
  only: [EARNED],
  kinds: MOVEMENTS,
  measures: {
    count: {
      kind: 'count',
      description: 'Ledger entries of the period that book a spread or a fee, or give one back.',
    },
    amount: {
      kind: 'money',
      field: 'amount',
      negated: true,
      description: 'Everything that was earned, less the fees that were given back.',
    },
    spread: {
      kind: 'money',
      only: moved('charge_spread'),
      field: 'amount',
      negated: true,
      description: 'Spreads of paid charges; a refund does not return them.',
    },
    chargebackAlertFees: {
      kind: 'money',
      only: moved('chargeback_alert_fee'),
      field: 'amount',
      negated: true,
      description: 'Fees of chargeback alerts.',
    },
    payoutFees: {
      kind: 'money',
      only: moved('payout_fee', 'payout_fee_reversal'),
      field: 'amount',
      negated: true,
      description: 'Fees of payouts, less those of payouts that failed.',
    },
    anticipationFees: {
      kind: 'money',
      only: moved('anticipation_fee'),
      field: 'amount',
      negated: true,
      description: 'Fees of anticipations; a refund does not give them back.',
    },
  },
};

/** Payouts to the merchants' banks and their reversals. Only approved payouts are in the ledger. */
export const PAYOUTS: FlowReport = {
  view: STATEMENT_VIEW,
  at: 'createdAt',
  groups: OF_MERCHANT,
  only: [entries('payout', 'payout_fee', 'payout_reversal', 'payout_fee_reversal')],
  kinds: MOVEMENTS,
  measures: {
    count: { kind: 'count', only: moved('payout'), description: 'Payouts debited in the period.' },
    amount: {
      kind: 'money',
      only: moved('payout', 'payout_fee'),
      field: 'amount',
      negated: true,
      description: 'The amount debited for them, fees included.',
    },
    fees: {
      kind: 'money',
      only: moved('payout_fee'),
      field: 'amount',
      negated: true,
      description: 'The fees among `amount`.',
    },
    reversed: {
      kind: 'money',
      only: moved('payout_reversal', 'payout_fee_reversal'),
      field: 'amount',
      description: 'The amount given back in the period because transfers failed, fees included.',
    },
    feesReversed: {
      kind: 'money',
      only: moved('payout_fee_reversal'),
      field: 'amount',
      description: 'The fees among `reversed`.',
    },
    net: { kind: 'money', field: 'amount', negated: true, description: '`amount` less `reversed`.' },
  },
};
