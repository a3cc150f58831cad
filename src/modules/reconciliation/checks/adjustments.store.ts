import type { Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { ADJUSTMENTS, type Adjustment } from '../../adjustments/write/adjustment.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import type { Check, Finding } from '../check.ts';
import { documentsOf, nothing } from './records.store.ts';

/** Every adjustment: booked once with its amount if it is approved, and not otherwise. */
export const adjustmentsCheck = ({
  db,
  scans,
  transact,
}: {
  readonly db: Db;
  readonly scans: Db;
  readonly transact: Transact;
}): Check<Adjustment> => ({
  what: 'adjustments',
  prefix: 'adj',
  records: (ids) => documentsOf(ids === null ? scans : db, ADJUSTMENTS.collection, ids),
  doubtful: nothing,
  leadsTo: () => [],
  async *look(adjustments) {
    for (const { id } of adjustments)
      yield await transact(systemContext('ledger check'), async ({ session, get }): Promise<Finding[]> => {
        const adjustment = await get(ADJUSTMENTS, id);
        const booked = await db
          .collection<Journal>(JOURNALS)
          .find({ referenceId: id }, { session })
          .toArray();
        const amounts = booked.flatMap(({ postings, currency }) =>
          postings.flatMap(({ merchantId, amount }) =>
            merchantId === null ? [] : [`${merchantId} ${amount} ${currency}`],
          ),
        );
        const expected =
          adjustment?.status === 'approved'
            ? [`${adjustment.merchantId} ${adjustment.amount} ${adjustment.currency}`]
            : [];
        const message = `is ${adjustment?.status}, booked is [${amounts.join()}] and should be [${expected.join()}]`;
        const isRight = amounts.join() === expected.join();
        return [
          {
            checked: id,
            differences: isRight ? [] : [{ kind: 'adjustment', subject: id, aspect: 'booked', message }],
          },
        ];
      });
  },
});
