import { createHash } from 'node:crypto';
import { systemContext } from '../../../kernel/event.ts';
import { type Id, newId } from '../../../kernel/ids.ts';
import type { Migration } from '../../../platform/write-store/migrate.ts';
import { readResource } from '../../../platform/write-store/mongo.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { divisionJournal, isUndivided } from './payout.journal.ts';
import { PAYOUT_REQUESTS } from './payout-request.ts';

/**
 * Reversals used to give amount and fee back as one movement. Each of them gets a correcting journal, so that statements
 * and reports tell the fee apart, whenever it was given back.
 */
export const divideReversals = (transact: Transact): Migration => ({
  id: '151-payout-fee-reversals',
  async up(db) {
    const reversals = db.collection<Journal>(JOURNALS).find({ 'postings.movement_type': 'payout_reversal' });
    for await (const reversal of reversals) {
      if (!isUndivided(reversal)) continue;
      const request = await readResource(db, PAYOUT_REQUESTS, reversal.referenceId);
      if (!request) throw new Error(`payout request ${reversal.referenceId} is gone`);
      const division = { ...divisionJournal(request, new Date(), newId), _id: idFrom(reversal._id) };
      await transact(systemContext('migration'), async (tx) => {
        const { session } = tx;
        const done = await db.collection<Journal>(JOURNALS).findOne({ _id: division._id }, { session });
        if (!done) await postJournal(tx, division);
      });
    }
  },
});

/** The same id each time: a step that was interrupted, or that two processes take, divides no reversal twice. */
const idFrom = (id: Id<'jrn'>): Id<'jrn'> =>
  `jrn_${id.slice('jrn_'.length, 'jrn_'.length + 12)}${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;
