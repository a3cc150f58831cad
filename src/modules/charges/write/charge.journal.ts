import type { NewId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import { type Entry, type Journal, journal } from '../../ledger/write/journal.ts';
import type { Charge } from './charge.ts';

const about = (charge: Charge) => ({
  livemode: charge.livemode,
  currency: charge.currency,
  chargeId: charge.id,
});

/** A paid charge: gross to the merchant's `reserved`, the spread from there to the gateway, split parts onward. */
export const paidJournal = (charge: Charge, now: Date, newId: NewId): Journal => {
  const { merchantId, amount, spread } = charge;
  const bucket = 'reserved' as const;
  return journal(
    { ...about(charge), referenceType: 'charge', referenceId: charge.id },
    [
      { merchantId: null, bucket: 'provider_clearing', movement_type: 'charge', amount: -amount },
      { merchantId, bucket, movement_type: 'charge', amount },
      { merchantId, bucket, movement_type: 'charge_spread', amount: -spread },
      { merchantId: null, bucket: 'revenue', movement_type: 'charge_spread', amount: spread },
      ...(charge.split ?? []).flatMap((part): Entry[] => [
        { merchantId, bucket, movement_type: 'split_debit', amount: -part.amount },
        { merchantId: part.merchantId, bucket, movement_type: 'split_credit', amount: part.amount },
      ]),
    ],
    now,
    newId,
  );
};

/**
 * A charge given back in full (decisions 5): each participant returns what it received, the originator the rest of
 * the gross amount. What is not settled yet comes from `reserved`, all else from `available`, which may go negative.
 */
export const refundJournal = (charge: Charge, refundId: string, now: Date, newId: NewId): Journal => {
  const parts = charge.split ?? [];
  const given = sum(parts.map((part) => part.amount));
  const remainder = charge.net - given;
  const fromReserved = unsettled(remainder, charge);
  const owed = charge.amount - given;
  return journal(
    { ...about(charge), referenceType: 'refund', referenceId: refundId },
    [
      { merchantId: null, bucket: 'provider_clearing', movement_type: 'refund', amount: charge.amount },
      { merchantId: charge.merchantId, bucket: 'reserved', movement_type: 'refund', amount: -fromReserved },
      {
        merchantId: charge.merchantId,
        bucket: 'available',
        movement_type: 'refund',
        amount: fromReserved - owed,
      },
      ...parts.flatMap((part): Entry[] => {
        const reserved = unsettled(part.amount, charge);
        return [
          {
            merchantId: part.merchantId,
            bucket: 'reserved',
            movement_type: 'refund_split',
            amount: -reserved,
          },
          {
            merchantId: part.merchantId,
            bucket: 'available',
            movement_type: 'refund_split',
            amount: reserved - part.amount,
          },
        ];
      }),
    ],
    now,
    newId,
  );
};

/** What is still reserved of a share: its parts are equal, odd cents in the first (decisions 7). */
const unsettled = (share: Minor, { settlement }: Charge): Minor => {
  if (settlement.settled === 0) return share;
  const part = Math.floor(share / settlement.parts);
  return part * (settlement.parts - settlement.settled);
};
