import type { NewId } from '../../../kernel/ids.ts';
import { about } from '../../charges/write/charge.journal.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import type { AnticipatedCharge, Anticipation } from './anticipation.ts';

/**
 * The journal of an anticipation for one charge: the amount moves from `reserved` to `available`, and its fee becomes
 * revenue.
 */
export const anticipationJournal = (
  { id, merchantId }: Pick<Anticipation, 'id' | 'merchantId'>,
  { amount, fee }: AnticipatedCharge,
  charge: Charge,
  now: Date,
  newId: NewId,
): Journal =>
  journal(
    { ...about(charge), referenceType: 'anticipation', referenceId: id },
    [
      { merchantId, bucket: 'reserved', movement_type: 'anticipation', amount: -amount },
      { merchantId, bucket: 'available', movement_type: 'anticipation', amount },
      { merchantId, bucket: 'available', movement_type: 'anticipation_fee', amount: -fee },
      { merchantId: null, bucket: 'revenue', movement_type: 'anticipation_fee', amount: fee },
    ],
    now,
    newId,
  );
