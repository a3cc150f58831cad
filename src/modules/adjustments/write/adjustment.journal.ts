import type { NewId } from '../../../kernel/ids.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import type { Adjustment } from './adjustment.ts';

/** An approved adjustment: an amount between the merchant's `available`, which may become negative, and the gateway. */
export const adjustmentJournal = (adjustment: Adjustment, now: Date, newId: NewId): Journal => {
  const { merchantId, amount, currency, livemode } = adjustment;
  const movement_type = 'adjustment' as const;
  return journal(
    { livemode, currency, chargeId: null, referenceType: 'adjustment', referenceId: adjustment.id },
    [
      { merchantId, bucket: 'available', movement_type, amount },
      { merchantId: null, bucket: 'adjustments', movement_type, amount: -amount },
    ],
    now,
    newId,
  );
};
