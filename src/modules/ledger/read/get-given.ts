import type { Db } from 'mongodb';
import { exponentOf, type Minor, toDecimal } from '../../../kernel/money.ts';
import { readResource } from '../../../platform/write-store/mongo.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from '../../payouts/write/payout-request.ts';
import type { MovementType } from '../write/journal.ts';
import type { Source } from './explain.ts';
import type { FindGiven } from './get-explanation.ts';

/** The records that decide on an amount, by what a line refers to. */
export const findGiven =
  (db: Db): FindGiven =>
  async ({ movement_type, referenceType, referenceId, amount: booked }) => {
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
    if (referenceType === 'payout_request') {
      const request = await readResource(db, PAYOUT_REQUESTS, referenceId);
      if (!request) throw new Error(`payout request ${referenceId} is gone`);
      return payoutFigure(request, movement_type, booked);
    }
    return null;
  };

/** A payout's line with the figures of its fee rule. */
const payoutFigure = (
  request: PayoutRequest,
  movement_type: MovementType,
  booked: Minor,
): Source['given'] => {
  const { id, amount, netAmount, payoutFee, currency, fee } = request;
  const show = (cents: Minor): string => toDecimal(cents, currency).toFixed(exponentOf(currency));
  const rule =
    `${show(fee.fixed)} + ${fee.variable} % of ${show(amount)}, rounded half up, by version ${fee.version} of the ` +
    'fee definitions';
  switch (movement_type) {
    case 'payout_fee':
      return { from: `the fee of payout request ${id} (${rule})`, amount: -payoutFee, currency };
    case 'payout_reversal':
      return { from: `the failed transfer of payout request ${id}`, amount: booked, currency };
    case 'payout_fee_reversal':
      return {
        from: `the fee of payout request ${id}, the transfer of which failed`,
        amount: booked,
        currency,
      };
    default:
      return {
        from: `payout request ${id} (${show(amount)} less a fee of ${show(payoutFee)})`,
        amount: -netAmount,
        currency,
      };
  }
};
