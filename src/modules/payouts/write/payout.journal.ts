import type { NewId } from '../../../kernel/ids.ts';
import { type Entry, type Journal, journal } from '../../ledger/write/journal.ts';
import type { PayoutRequest } from './payout-request.ts';

const about = ({ livemode, currency, id }: PayoutRequest) =>
  ({ livemode, currency, chargeId: null, referenceType: 'payout_request', referenceId: id }) as const;

/**
 * An approved payout: the whole amount leaves `available`; the fee becomes revenue, and the rest is on its way to the
 * bank.
 */
export const payoutJournal = (request: PayoutRequest, now: Date, newId: NewId): Journal => {
  const { merchantId, netAmount, payoutFee } = request;
  return journal(
    about(request),
    [
      { merchantId, bucket: 'available', movement_type: 'payout', amount: -netAmount },
      { merchantId, bucket: 'available', movement_type: 'payout_fee', amount: -payoutFee },
      { merchantId: null, bucket: 'payouts_in_transit', movement_type: 'payout', amount: netAmount },
      { merchantId: null, bucket: 'revenue', movement_type: 'payout_fee', amount: payoutFee },
    ],
    now,
    newId,
  );
};

/**
 * A transfer that the bank has carried out: the money on its way has left the provider. No merchant's balance changes.
 */
export const transferSentJournal = (request: PayoutRequest, now: Date, newId: NewId): Journal => {
  const movement_type = 'payout' as const;
  return journal(
    about(request),
    [
      { merchantId: null, bucket: 'payouts_in_transit', movement_type, amount: -request.netAmount },
      { merchantId: null, bucket: 'provider_clearing', movement_type, amount: request.netAmount },
    ],
    now,
    newId,
  );
};

/** A failed transfer: the merchant gets the whole amount back, from the money on its way and from the fee. */
export const payoutReversalJournal = (request: PayoutRequest, now: Date, newId: NewId): Journal => {
  const { merchantId, netAmount, sentAt } = request;
  const from = sentAt !== null ? 'provider_clearing' : 'payouts_in_transit';
  return journal(
    about(request),
    [
      { merchantId: null, bucket: from, movement_type: 'payout_reversal', amount: -netAmount },
      { merchantId, bucket: 'available', movement_type: 'payout_reversal', amount: netAmount },
      ...feeReversal(request),
    ],
    now,
    newId,
  );
};

const feeReversal = ({ merchantId, payoutFee }: PayoutRequest): readonly Entry[] => [
  { merchantId: null, bucket: 'revenue', movement_type: 'payout_fee_reversal', amount: -payoutFee },
  { merchantId, bucket: 'available', movement_type: 'payout_fee_reversal', amount: payoutFee },
];

/**
 * A reversal in the form that was stored before `payout_fee_reversal` existed, with the fee as part of
 * `payout_reversal`.
 */
export const undividedReversalJournal = (request: PayoutRequest, now: Date, newId: NewId): Journal => {
  const { merchantId, amount, netAmount, payoutFee, sentAt } = request;
  const movement_type = 'payout_reversal' as const;
  const from = sentAt !== null ? 'provider_clearing' : 'payouts_in_transit';
  return journal(
    about(request),
    [
      { merchantId: null, bucket: from, movement_type, amount: -netAmount },
      { merchantId: null, bucket: 'revenue', movement_type, amount: -payoutFee },
      { merchantId, bucket: 'available', movement_type, amount },
    ],
    now,
    newId,
  );
};

export const isUndivided = ({ postings }: Journal): boolean =>
  postings.some(
    ({ bucket, movement_type, amount }) =>
      bucket === 'revenue' && movement_type === 'payout_reversal' && amount < 0,
  );

/** Divides such a reversal, so that the fee is a movement of its own. No balance changes. */
export const divisionJournal = (request: PayoutRequest, now: Date, newId: NewId): Journal => {
  const entries = feeReversal(request);
  const movement_type = 'payout_reversal' as const;
  const back = entries.map((entry) => ({ ...entry, movement_type, amount: -entry.amount }));
  return journal(about(request), [...back, ...entries], now, newId);
};
