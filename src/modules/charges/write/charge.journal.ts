import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import { type Entry, type Journal, journal, type MovementType } from '../../ledger/write/journal.ts';
import type { Charge } from './charge.ts';

/** What every movement of a charge says of it, with how far it was settled before. */
export const about = ({ livemode, currency, id, settlement }: Charge) => ({
  livemode,
  currency,
  chargeId: id,
  settlement: { parts: settlement.parts, settled: settlement.settled },
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

/** A charge given back in full because the merchant asked for it (decisions 5). */
export const refundJournal = (charge: Charge, refundId: string, now: Date, newId: NewId): Journal =>
  journal(
    { ...about(charge), referenceType: 'refund', referenceId: refundId },
    entriesOfReturn(charge, { own: 'refund', parts: 'refund_split' }),
    now,
    newId,
  );

/**
 * A charge given back in full (decisions 5): each participant returns what it received, the originator the rest of
 * the gross amount. What is not settled yet comes from `reserved`, all else from `available`, which may go negative.
 */
export const entriesOfReturn = (
  charge: Charge,
  movement: { readonly own: MovementType; readonly parts: MovementType },
): readonly Entry[] => {
  const parts = charge.split ?? [];
  const given = sum(parts.map((part) => part.amount));
  const takeBack = (
    merchantId: MerchantId,
    movement_type: MovementType,
    owed: Minor,
    fromReserved: Minor,
  ): Entry[] => [
    { merchantId, bucket: 'reserved', movement_type, amount: -fromReserved },
    { merchantId, bucket: 'available', movement_type, amount: fromReserved - owed },
  ];
  return [
    { merchantId: null, bucket: 'provider_clearing', movement_type: movement.own, amount: charge.amount },
    ...takeBack(
      charge.merchantId,
      movement.own,
      charge.amount - given,
      unsettled(charge.net - given, charge),
    ),
    ...parts.flatMap((part) =>
      takeBack(part.merchantId, movement.parts, part.amount, unsettled(part.amount, charge)),
    ),
  ];
};

/** The next part of a paid charge becomes available, to each participant its own (decisions 7). */
export const settlementJournal = (charge: Charge, now: Date, newId: NewId): Journal => {
  const { parts, settled } = charge.settlement;
  const shares = charge.split ?? [];
  const remainder = charge.net - sum(shares.map((share) => share.amount));
  return journal(
    { ...about(charge), referenceType: 'settlement', referenceId: charge.id },
    [{ merchantId: charge.merchantId, amount: remainder }, ...shares].flatMap(
      ({ merchantId, amount: share }): Entry[] => {
        const amount = partOf(share, parts, settled + 1);
        return [
          { merchantId, bucket: 'reserved', movement_type: 'settlement', amount: -amount },
          { merchantId, bucket: 'available', movement_type: 'settlement', amount },
        ];
      },
    ),
    now,
    newId,
  );
};

/** Part number `part`, from 1, of a share: the parts are equal, odd cents in the first (decisions 7). */
const partOf = (share: Minor, parts: number, part: number): Minor => {
  const equal = Math.floor(share / parts);
  return part === 1 ? share - equal * (parts - 1) : equal;
};

/** What is still reserved of a share. */
const unsettled = (share: Minor, { settlement: { parts, settled } }: Charge): Minor =>
  settled === 0 ? share : partOf(share, parts, 2) * (parts - settled);
