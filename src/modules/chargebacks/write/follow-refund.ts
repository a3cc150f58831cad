import type { FollowRefund } from '../../refunds/write/record-refund-outcome.ts';
import type { RecordAlertRefund } from './record-alert-refund.ts';
import type { EndChargebackWait } from './report-chargeback.ts';

/** Brings an alert in line with its refund, and carries out a chargeback that waited for the end of a refund. */
export const createFollowRefund =
  (deps: {
    readonly recordAlertRefund: RecordAlertRefund;
    readonly endChargebackWait: EndChargebackWait;
  }): FollowRefund =>
  async (tx, charge, refund, now, wasRefunded) => {
    // After the chargeback the payer has the money from the acquirer, so nobody has to pay it back by hand.
    const isReturned = wasRefunded && charge.status === 'chargeback';
    if (refund.alertId !== null && !isReturned) await deps.recordAlertRefund(tx, refund, now);
    if (refund.status !== 'pending' && !wasRefunded) await deps.endChargebackWait(tx, charge, refund, now);
  };
