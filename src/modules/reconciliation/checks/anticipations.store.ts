import type { Db } from 'mongodb';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { ANTICIPATIONS, type Anticipation } from '../../anticipations/write/anticipation.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import type { Check } from '../check.ts';
import { checkAnticipation } from '../read/check-anticipation.ts';
import { documentsOf, groupBy, nothing } from './records.store.ts';

/**
 * Every anticipation: its figures are those of the charges that it took parts of, and each of them is booked. Both
 * never change; the amounts that are booked are held against the charge.
 */
export const anticipationsCheck = ({
  db,
  scans,
}: {
  readonly db: Db;
  readonly scans: Db;
}): Check<Anticipation> => ({
  what: 'anticipations',
  prefix: 'ant',
  records: (ids) => documentsOf(ids === null ? scans : db, ANTICIPATIONS.collection, ids),
  doubtful: nothing,
  leadsTo: ({ charges }) => charges.map(({ chargeId }) => chargeId),
  async *look(anticipations) {
    const booked = await findAmong<Journal>(
      db.collection(JOURNALS),
      'referenceId',
      anticipations.map(({ id }) => id),
      {},
    );
    const journalsOf = groupBy(booked, ({ referenceId }) => referenceId);
    yield anticipations.map((anticipation) => ({
      checked: anticipation.id,
      differences: checkAnticipation(anticipation, journalsOf.get(anticipation.id) ?? []),
    }));
  },
});
