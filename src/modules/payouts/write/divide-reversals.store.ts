import { createHash } from 'node:crypto';
import { systemContext } from '../../../kernel/event.ts';
import { type Id, newId } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import type { Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { divisionJournal, isUndivided } from './payout.journal.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from './payout-request.ts';

type Deps = { readonly db: Database; readonly transact: Transact };

/**
 * A reversal used to return amount and fee in one movement. Each such reversal gets a correcting journal, so that
 * statements and reports always tell the fee apart.
 */
export const divideReversals = ({ db, transact }: Deps): Migration => ({
  id: '151-payout-fee-reversals',
  async up(scans) {
    const journals = db.collection<Journal>(JOURNALS);
    const returned = scans
      .collection(PAYOUT_REQUESTS.collection)
      .find<PayoutRequest>({ transferStatus: 'failed' }, { projection: RESOURCE_ONLY });
    for await (const request of returned) {
      const reversal = (await journals.find({ referenceId: request.id }).toArray()).find(isUndivided);
      if (!reversal) continue;
      const division = { ...divisionJournal(request, new Date(), newId), _id: idFrom(reversal._id) };
      await transact.alone(systemContext('migration'), async (tx) => {
        const { session } = tx;
        const done = await journals.findOne({ _id: division._id }, { session });
        if (!done) await postJournal(tx, division);
      });
    }
  },
});

/**
 * An id that is the same in every run, so that a migration that was interrupted, or that two processes run, divides no
 * reversal twice.
 */
const idFrom = (id: Id<'jrn'>): Id<'jrn'> =>
  `jrn_${id.slice('jrn_'.length, 'jrn_'.length + 12)}${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;

export const createPayoutDivisions = (deps: Deps): readonly Migration[] => [divideReversals(deps)];
