import type { ClientSession } from 'mongodb';
import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { readResourceIn } from '../../../platform/write-store/read-resource.ts';
import { ANTICIPATIONS, type Anticipation } from '../../anticipations/write/anticipation.ts';
import type { ChargebackAlert } from '../../chargebacks/write/alert.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, dueTermsOfCharge } from '../../charges/write/charge.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { CYCLES, type Cycle, cycleId } from '../../subscriptions/write/cycle.ts';
import type { Check, Difference, Finding } from '../check.ts';
import { type ChargeRecords, checkCharge, paymentJournals, wordsOf } from '../read/check-charge.ts';
import { type Checked, documentsOf, filtered, groupBy, nothing } from './records.store.ts';

/** Checks every charge, with its refunds, alert and settlements, against its journals. */
export const chargesCheck = ({ db, scans, snapshot, tallies }: Checked): Check<Charge> => {
  /**
   * Reads the records of a charge again in one snapshot, because a change between separate reads can look like a fault.
   */
  const lookAgain = ({ charge: { id } }: ChargeRecords): Promise<Finding> =>
    snapshot(async (session) => {
      const charge = await readResourceIn(session, db, CHARGES, id);
      const [records] = charge ? await recordsOf(db, [charge], session) : [];
      return { checked: id, differences: records ? checkCharge(records) : [] };
    });
  return {
    what: 'charges',
    prefix: 'chg',
    records: (ids) => documentsOf(ids === null ? scans : db, CHARGES.collection, ids),
    async *doubtful() {
      if (tallies.payments.areAllEven()) return;
      const all = documentsOf<Charge>(scans, CHARGES.collection, null);
      yield* filtered(all, ({ id }) => !tallies.payments.isEven(id));
    },
    leadsTo: () => [],
    async *look(given, how) {
      if (how === 'sweep')
        for (const charge of given)
          for (const journal of paymentJournals(charge)) tallies.payments.take(charge.id, wordsOf(journal));
      // The journals of a charge that did not simply stay paid depend on more than the charge itself.
      const charges = how === 'sweep' ? given.filter((charge) => !isPlain(charge)) : given;
      if (charges.length === 0) return;
      const findings: Finding[] = [];
      for (const records of await recordsOf(db, charges)) {
        const isRight = checkCharge(records).length === 0;
        findings.push(isRight ? { checked: records.charge.id, differences: [] } : await lookAgain(records));
      }
      yield findings;
    },
  };
};

const isPlain = (charge: Charge): boolean => {
  const { status, refundId, settlement, cycle } = charge;
  return (
    refundId === null &&
    !cycle &&
    !dueTermsOfCharge(charge) &&
    settlement.anticipated === undefined &&
    !['refunded', 'pre_chargeback', 'chargeback'].includes(status)
  );
};

/** Checks refunds for one fault: a booked refund without a journal. All others show at the refund's charge. */
export const refundsCheck = ({ db, scans }: Checked): Check<Refund> => ({
  what: 'refunds',
  prefix: 'ref',
  records: (ids) => documentsOf(ids === null ? scans : db, REFUNDS.collection, ids),
  doubtful: nothing,
  leadsTo: ({ chargeId }) => [chargeId],
  async *look(refunds) {
    const booked = refunds.filter((refund) => refund.booked && refund.alertId === null);
    const found = await db
      .collection<Journal>(JOURNALS)
      .find({ referenceId: { $in: booked.map(({ id }) => id) } }, { projection: { referenceId: 1 } })
      .toArray();
    const known = new Set(found.map(({ referenceId }) => referenceId));
    const missing = new Set(booked.filter(({ id }) => !known.has(id)));
    yield refunds.map((refund) => ({
      checked: refund.id,
      differences: missing.has(refund)
        ? [
            {
              kind: 'refund',
              subject: refund.id,
              aspect: 'missing',
              message: `charge ${refund.chargeId}: the refund is not booked`,
            },
          ]
        : [],
    }));
  },
});

const recordsOf = async (
  db: Database,
  charges: readonly Charge[],
  session?: ClientSession,
): Promise<readonly ChargeRecords[]> => {
  const ids = charges.map(({ id }) => id);
  const options = { projection: RESOURCE_ONLY, ...(session ? { session } : {}) };
  const inSession = session ? { session } : {};
  const journals = await db
    .collection<Journal>(JOURNALS)
    .find({ chargeId: { $in: ids } }, inSession)
    .toArray();
  const refundIds = [
    ...journals
      .filter(({ referenceType }) => referenceType === 'refund')
      .map(({ referenceId }) => referenceId),
    ...charges.flatMap(({ refundId }) => (refundId === null ? [] : [refundId])),
  ];
  const refunds =
    refundIds.length === 0
      ? []
      : await db
          .collection<{ _id: string }>(REFUNDS.collection)
          .find<Refund>({ _id: { $in: [...new Set(refundIds)] } }, options)
          .toArray();
  const anticipations = await findAmong<Anticipation>(
    db,
    ANTICIPATIONS.collection,
    '_id',
    journals
      .filter(({ referenceType }) => referenceType === 'anticipation')
      .map(({ referenceId }) => referenceId),
    options,
  );
  const alerts = await db
    .collection<ChargebackAlert>(CHARGEBACK_ALERTS.collection)
    .find<ChargebackAlert>({ chargeId: { $in: ids } }, options)
    .toArray();
  const ofCycles = charges.flatMap(({ cycle }) =>
    cycle ? [cycleId(cycle.subscriptionId, cycle.number)] : [],
  );
  const cycles = await findAmong<Cycle>(db, CYCLES.collection, '_id', ofCycles, options);
  const cycleOf = new Map(cycles.map((cycle) => [cycle.id, cycle]));
  const journalsOf = groupBy(journals as readonly Journal[], ({ chargeId }) => chargeId);
  const refundsOf = groupBy(refunds, ({ chargeId }) => chargeId);
  const alertOf = new Map(alerts.map((alert) => [alert.chargeId, alert]));
  return charges.map((charge) => ({
    charge,
    journals: journalsOf.get(charge.id) ?? [],
    refunds: refundsOf.get(charge.id) ?? [],
    alert: alertOf.get(charge.id) ?? null,
    anticipations: anticipations.filter(({ charges: taken }) =>
      taken.some(({ chargeId }) => chargeId === charge.id),
    ),
    cycle: (charge.cycle && cycleOf.get(cycleId(charge.cycle.subscriptionId, charge.cycle.number))) ?? null,
  }));
};

/**
 * Checks cycles of subscriptions for one fault: an attempt with a charge that does not exist. All others show at the
 * charge.
 */
export const cyclesCheck = ({ db, scans }: Checked): Check<Cycle> => ({
  what: 'cycles of subscriptions',
  prefix: 'sub',
  records: (ids) => documentsOf(ids === null ? scans : db, CYCLES.collection, ids),
  doubtful: nothing,
  leadsTo: ({ attempts }) => attempts.flatMap(({ chargeId }) => chargeId ?? []),
  async *look(cycles) {
    const made = cycles.flatMap(({ attempts }) => attempts.flatMap(({ chargeId }) => chargeId ?? []));
    const found = await findAmong<{ readonly _id: string }>(db, CHARGES.collection, '_id', made, {
      projection: { _id: 1 },
    });
    const known = new Set(found.map(({ _id }) => _id));
    yield cycles.map(({ id, attempts }) => ({
      checked: id,
      differences: attempts.flatMap(({ chargeId }): Difference[] =>
        chargeId === null || known.has(chargeId)
          ? []
          : [
              {
                kind: 'charge',
                subject: chargeId,
                aspect: 'record',
                message: `cycle ${id} was attempted with it, and it does not exist`,
              },
            ],
      ),
    }));
  },
});
