import type { NewId } from '../../../kernel/ids.ts';
import { about } from '../../charges/write/charge.journal.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { partOf, sharesOf } from '../../charges/write/shares.ts';
import { type Entry, type Journal, journal, stageOf } from '../../ledger/write/journal.ts';

/** The next part of a paid charge becomes available to each participant that has not anticipated it. */
export const settlementJournal = (charge: Charge, now: Date, newId: NewId): Journal => {
  const { parts, settled } = charge.settlement;
  return journal(
    { ...about(charge), referenceType: 'settlement', referenceId: charge.id },
    sharesOf(charge).flatMap(({ merchantId, amount: share }): Entry[] => {
      if (stageOf(charge.settlement, merchantId).settled > settled) return [];
      const amount = partOf(share, parts, settled + 1);
      return [
        { merchantId, bucket: 'reserved', movement_type: 'settlement', amount: -amount },
        { merchantId, bucket: 'available', movement_type: 'settlement', amount },
      ];
    }),
    now,
    newId,
  );
};
