import { exponentOf, type Minor, toDecimal } from '../../../kernel/money.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import {
  ANTICIPATIONS,
  type AnticipatedCharge,
  type Anticipation,
} from '../../anticipations/write/anticipation.ts';
import { PERIOD_DAYS, periodOf } from '../../anticipations/write/anticipation-fee.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import type { MerchantBucket, MovementType } from '../../ledger/write/journal.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from '../../payouts/write/payout-request.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { Source } from './explain.ts';
import type { FindGiven } from './get-explanation.ts';

/** Finds amounts in the records that determine them, by the reference of a line. */
export const createFindGiven =
  (db: Database): FindGiven =>
  async (line) => {
    const { movement_type, referenceType, referenceId, chargeId, bucket, amount: booked } = line;
    const tenantId = tenantOf(line);
    if (movement_type === 'chargeback_alert_fee') {
      const alert = await readResource(db, CHARGEBACK_ALERTS, referenceId, tenantId);
      if (!alert) throw new Error(`chargeback alert ${referenceId} is gone`);
      const { amount, currency } = alert.fee;
      return { from: `the chargeback alert fee of ${referenceId}`, amount: -amount, currency };
    }
    if (movement_type === 'adjustment') {
      const adjustment = await readResource(db, ADJUSTMENTS, referenceId, tenantId);
      if (!adjustment) throw new Error(`adjustment ${referenceId} is gone`);
      const { amount, currency, reason } = adjustment;
      return { from: `adjustment ${referenceId} (${reason})`, amount, currency };
    }
    if (movement_type === 'suspense_clearing') {
      // The item may be of another tenant, or of none.
      const item = await readResource(db, SUSPENSE_ITEMS, referenceId);
      if (!item) throw new Error(`suspense item ${referenceId} is gone`);
      const { amount, currency, direction, clearing } = item;
      const from = `suspense item ${referenceId} (${clearing?.reason})`;
      return { from, amount: direction === 'in' ? amount : -amount, currency };
    }
    if (referenceType === 'anticipation') {
      const anticipation = await readResource(db, ANTICIPATIONS, referenceId, tenantId);
      const taken = anticipation?.charges.find((of) => of.chargeId === chargeId);
      if (!anticipation || !taken) throw new Error(`anticipation ${referenceId} is gone`);
      return movement_type === 'anticipation_fee'
        ? anticipationFee(anticipation, taken)
        : anticipatedParts(anticipation, taken, bucket);
    }
    if (referenceType === 'payout_request') {
      const request = await readResource(db, PAYOUT_REQUESTS, referenceId, tenantId);
      if (!request) throw new Error(`payout request ${referenceId} is gone`);
      return payoutFigure(request, movement_type, booked);
    }
    return null;
  };

/** The amount of a payout's line, with the numbers of its fee rule. */
const payoutFigure = (
  request: PayoutRequest,
  movement_type: MovementType,
  booked: Minor,
): Source['given'] => {
  const { id, amount, netAmount, payoutFee, currency, fee } = request;
  const show = shownIn(currency);
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

/** The parts that an anticipation took of one charge, and their sum. */
const anticipatedParts = (
  { id, currency }: Anticipation,
  { anticipated, parts, amount }: AnticipatedCharge,
  bucket: MerchantBucket,
): Source['given'] => {
  const show = shownIn(currency);
  const terms = anticipated.map((one) => `${show(one.amount)} (part ${one.part} of ${parts})`).join(' + ');
  return { from: `anticipation ${id}: ${terms}`, amount: bucket === 'reserved' ? -amount : amount, currency };
};

/** The fee of those parts, with every number of its rule. */
const anticipationFee = (
  { id, currency, feeVersion }: Anticipation,
  { anticipated, fixedFee, fee }: AnticipatedCharge,
): Source['given'] => {
  const show = shownIn(currency);
  const terms = anticipated.map(
    ({ amount, percentage, days }) =>
      `${percentage} % of ${show(amount)} × ${days} / ${PERIOD_DAYS * periodOf(days)} days`,
  );
  const rule = [show(fixedFee), ...terms].join(' + ');
  return {
    from: `the fee of anticipation ${id} (${rule}, each rounded half up, by version ${feeVersion} of the fee definitions)`,
    amount: -fee,
    currency,
  };
};

const shownIn =
  (currency: string) =>
  (amount: Minor): string =>
    toDecimal(amount, currency).toFixed(exponentOf(currency));
