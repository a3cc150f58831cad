import type { Db } from 'mongodb';
import { readResource } from '../../../platform/write-store/mongo.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import type { FindGiven } from './get-explanation.ts';

/** The records that decide on an amount, by what a line refers to. */
export const findGiven =
  (db: Db): FindGiven =>
  async ({ movement_type, referenceId }) => {
    if (movement_type === 'chargeback_alert_fee') {
      const alert = await readResource(db, CHARGEBACK_ALERTS, referenceId);
      if (!alert) throw new Error(`chargeback alert ${referenceId} is gone`);
      const { amount, currency } = alert.fee;
      return { from: `the chargeback alert fee of ${referenceId}`, amount: -amount, currency };
    }
    if (movement_type === 'adjustment') {
      const adjustment = await readResource(db, ADJUSTMENTS, referenceId);
      if (!adjustment) throw new Error(`adjustment ${referenceId} is gone`);
      const { amount, currency, reason } = adjustment;
      return { from: `adjustment ${referenceId} (${reason})`, amount, currency };
    }
    return null;
  };
