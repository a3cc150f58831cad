import { toMinor } from '../../src/kernel/money.ts';
import { ANTICIPATIONS, type Anticipation } from '../../src/modules/anticipations/write/anticipation.ts';
import type { ChargebackAlert } from '../../src/modules/chargebacks/write/alert.ts';
import { CHARGEBACK_ALERTS } from '../../src/modules/chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import {
  CHARGE_STATUSES,
  type Charge,
  type ChargeStatus,
  mayMove,
} from '../../src/modules/charges/write/charge.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import type { Refund } from '../../src/modules/refunds/write/refund.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { type Promises, REFERENCE_PREFIX } from './load.ts';

/**
 * Lists everything that the gateway has acknowledged and that the write store lacks, has twice, or has in another form.
 */
export const brokenPromises = async (db: Database, promises: Promises): Promise<string[]> => {
  const broken: string[] = [...promises.unexpected];
  const charges = await db.collection(CHARGES.collection).find<Charge>({}).toArray();
  const refunds = await db.collection(REFUNDS.collection).find<Refund>({}).toArray();
  const chargesById = new Map<string, Charge>(charges.map((charge) => [charge.id, charge]));
  const refundsById = new Map<string, Refund>(refunds.map((refund) => [refund.id, refund]));

  // No client uses a reference twice, whether it got an answer or not.
  const references = new Set<string>();
  for (const { reference } of charges) {
    if (!reference?.startsWith(REFERENCE_PREFIX)) continue;
    if (references.has(reference)) broken.push(`${reference} is there more than once`);
    references.add(reference);
  }
  for (const [reference, { id, status }] of promises.charges) {
    const charge = chargesById.get(id);
    if (charge?.reference !== reference) broken.push(`${id} was acknowledged as ${status} and is not there`);
    else if (!mayBecome(status as ChargeStatus, charge.status))
      broken.push(`${id} was acknowledged as ${status} and is ${charge.status}`);
  }
  for (const [id, { chargeId, status }] of promises.refunds) {
    const refund = refundsById.get(id);
    const charge = chargesById.get(chargeId);
    if (refund?.chargeId !== chargeId) broken.push(`${id} was acknowledged as ${status} and is not there`);
    else if (status !== 'pending' && refund.status !== status)
      broken.push(`${id} was acknowledged as ${status} and is ${refund.status}`);
    else if ((refund.status === 'refunded') !== (charge?.status === 'refunded'))
      // No other refund can have succeeded where this one has failed, because its card refuses every refund.
      broken.push(`${id} is ${refund.status}, its charge is ${charge?.status}`);
  }
  const alerts = await db.collection(CHARGEBACK_ALERTS.collection).find<ChargebackAlert>({}).toArray();
  const alertsById = new Map<string, ChargebackAlert>(alerts.map((alert) => [alert.id, alert]));
  for (const [id, { chargeId }] of promises.alerts) {
    const charge = chargesById.get(chargeId);
    if (alertsById.get(id)?.chargeId !== chargeId) broken.push(`${id} was acknowledged and is not there`);
    else if (charge?.status !== 'pre_chargeback')
      broken.push(`${id} was acknowledged, its charge is ${charge?.status}`);
  }
  const anticipations = await db.collection(ANTICIPATIONS.collection).find<Anticipation>({}).toArray();
  const anticipationsById = new Map<string, Anticipation>(anticipations.map((one) => [one.id, one]));
  for (const [id, promised] of promises.anticipations) {
    const kept = anticipationsById.get(id);
    const isKept = (['amount', 'fee'] as const).every(
      (figure) => kept !== undefined && toMinor(promised[figure], kept.currency) === kept[figure],
    );
    if (!isKept) broken.push(`${id} was acknowledged as ${promised.amount} and is not there like that`);
  }
  return broken;
};

/** Whether legal moves lead from one status to the other, in any number. */
const mayBecome = (from: ChargeStatus, to: ChargeStatus): boolean =>
  from === to || CHARGE_STATUSES.some((next) => mayMove(from, next) && mayBecome(next, to));
