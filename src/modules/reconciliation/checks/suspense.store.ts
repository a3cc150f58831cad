import type { Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import type { Check, Finding } from '../check.ts';
import { checkSuspenseItem } from '../read/check-suspense-item.ts';
import { documentsOf, nothing } from './records.store.ts';

/** Every suspense item: its amount is in the suspense account once, until it was given back or booked. */
export const suspenseCheck = ({
  db,
  scans,
  transact,
}: {
  readonly db: Db;
  readonly scans: Db;
  readonly transact: Transact;
}): Check<SuspenseItem> => ({
  what: 'suspense items',
  prefix: 'sus',
  records: (ids) => documentsOf(ids === null ? scans : db, SUSPENSE_ITEMS.collection, ids),
  doubtful: nothing,
  leadsTo: () => [],
  async *look(items) {
    for (const { id } of items)
      yield await transact(systemContext('ledger check'), async ({ session, get }): Promise<Finding[]> => {
        const item = await get(SUSPENSE_ITEMS, id);
        if (!item) return [];
        const booked = await db
          .collection<Journal>(JOURNALS)
          .find({ referenceId: id }, { session })
          .toArray();
        const difference = checkSuspenseItem(item, booked);
        return [{ checked: id, differences: difference ? [difference] : [] }];
      });
  },
});
