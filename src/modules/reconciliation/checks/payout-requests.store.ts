import type { ClientSession, Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from '../../payouts/write/payout-request.ts';
import type { Check, Difference, Finding } from '../check.ts';
import { checkPayoutRequest } from '../read/check-payout-request.ts';
import { documentsOf, groupBy, nothing } from './records.store.ts';

/** Every payout request: booked as its status and that of its transfer say, and not otherwise. */
export const payoutRequestsCheck = ({
  db,
  scans,
  transact,
}: {
  readonly db: Db;
  readonly scans: Db;
  readonly transact: Transact;
}): Check<PayoutRequest> => {
  const journalsAbout = async (ids: readonly string[], session?: ClientSession) =>
    groupBy(
      (await db
        .collection<Journal>(JOURNALS)
        .find({ referenceId: { $in: [...ids] } }, session ? { session } : {})
        .toArray()) as readonly Journal[],
      ({ referenceId }) => referenceId,
    );
  /** Request and journals were read one after the other; only what is wrong in one snapshot is wrong. */
  const lookAgain = ({ id }: PayoutRequest): Promise<readonly Difference[]> =>
    transact(systemContext('ledger check'), async ({ get, session }) => {
      const request = await get(PAYOUT_REQUESTS, id);
      return request ? check(request, await journalsAbout([id], session)) : [];
    });
  const check = (request: PayoutRequest, booked: ReadonlyMap<string, Journal[]>): readonly Difference[] => {
    const difference = checkPayoutRequest(request, booked.get(request.id) ?? []);
    return difference ? [difference] : [];
  };
  return {
    what: 'payout requests',
    prefix: 'po',
    records: (ids) => documentsOf(ids === null ? scans : db, PAYOUT_REQUESTS.collection, ids),
    doubtful: nothing,
    leadsTo: () => [],
    async *look(requests) {
      const booked = await journalsAbout(requests.map(({ id }) => id));
      const findings: Finding[] = [];
      for (const request of requests) {
        const isRight = check(request, booked).length === 0;
        findings.push({ checked: request.id, differences: isRight ? [] : await lookAgain(request) });
      }
      yield findings;
    },
  };
};
