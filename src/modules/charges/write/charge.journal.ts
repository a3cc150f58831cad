import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import { type Entry, type Journal, journal, type MovementType, stageOf } from '../../ledger/write/journal.ts';
import { type Charge, grossOf, isCollectedByMerchant } from './charge.ts';
import { sharesOf, unsettled } from './shares.ts';

/** Common part of every journal of a charge, with the stage of settlement before it. */
export const about = ({ livemode, currency, id, settlement }: Charge) => ({
  livemode,
  currency,
  chargeId: id,
  settlement,
});

/**
 * A paid charge: gross to the merchant's `reserved`, the spread from there to the gateway, split parts onward. Where a
 * merchant's own account took the money, it is booked to `available` and at once taken from there as collected, so that
 * nothing is payable and the spread is owed.
 */
export const paidJournal = (charge: Charge, now: Date, newId: NewId): Journal => {
  const { merchantId, spread } = charge;
  const amount = grossOf(charge);
  const isCollected = isCollectedByMerchant(charge);
  const bucket = isCollected ? ('available' as const) : ('reserved' as const);
  return journal(
    { ...about(charge), referenceType: 'charge', referenceId: charge.id },
    [
      ...(isCollected
        ? []
        : [
            {
              merchantId: null,
              bucket: 'provider_clearing',
              movement_type: 'charge',
              amount: -amount,
            } as const,
          ]),
      { merchantId, bucket, movement_type: 'charge', amount },
      { merchantId, bucket, movement_type: 'charge_spread', amount: -spread },
      { merchantId: null, bucket: 'revenue', movement_type: 'charge_spread', amount: spread },
      ...(charge.split ?? []).flatMap((part): Entry[] => [
        { merchantId, bucket, movement_type: 'split_debit', amount: -part.amount },
        { merchantId: part.merchantId, bucket, movement_type: 'split_credit', amount: part.amount },
      ]),
      ...(isCollected ? collected(charge, -1) : []),
    ],
    now,
    newId,
  );
};

/**
 * The journal entries of a charge whose money is outside the gateway: each participant has its part, and the merchant
 * has the rest of the gross amount.
 */
const collected = (charge: Charge, sign: 1 | -1): readonly Entry[] =>
  sharesOf(charge).map(({ merchantId, amount }) => ({
    merchantId,
    bucket: 'available',
    movement_type: 'own_collection',
    amount: sign * (merchantId === charge.merchantId ? amount + charge.spread : amount),
  }));

/** A charge given back in full because the merchant asked for it. */
export const refundJournal = (charge: Charge, refundId: string, now: Date, newId: NewId): Journal =>
  journal(
    { ...about(charge), referenceType: 'refund', referenceId: refundId },
    entriesOfReturn(charge, { own: 'refund', parts: 'refund_split' }),
    now,
    newId,
  );

/**
 * A charge given back in full: each participant returns what it received, the originator the rest of
 * the gross amount. Money that is neither settled nor anticipated yet comes from `reserved`, all else from `available`,
 * which may go negative. Where a merchant's own account gives it back, nothing is taken from anybody in the end.
 */
export const entriesOfReturn = (
  charge: Charge,
  movement: { readonly own: MovementType; readonly parts: MovementType },
): readonly Entry[] => {
  const parts = charge.split ?? [];
  const given = sum(parts.map((part) => part.amount));
  const isCollected = isCollectedByMerchant(charge);
  const takeBack = (
    merchantId: MerchantId,
    movement_type: MovementType,
    owed: Minor,
    share: Minor,
  ): Entry[] => {
    const fromReserved = isCollected ? 0 : unsettled(share, stageOf(charge.settlement, merchantId));
    return [
      { merchantId, bucket: 'reserved', movement_type, amount: -fromReserved },
      { merchantId, bucket: 'available', movement_type, amount: fromReserved - owed },
    ];
  };
  return [
    ...(isCollected
      ? collected(charge, 1)
      : [
          {
            merchantId: null,
            bucket: 'provider_clearing',
            movement_type: movement.own,
            amount: grossOf(charge),
          } as const,
        ]),
    ...takeBack(charge.merchantId, movement.own, grossOf(charge) - given, charge.net - given),
    ...parts.flatMap((part) => takeBack(part.merchantId, movement.parts, part.amount, part.amount)),
  ];
};
