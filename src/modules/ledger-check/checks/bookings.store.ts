import type { ClientSession } from 'mongodb';
import type { Resource } from '../../../kernel/event.ts';
import type { Store } from '../../../kernel/store.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { readResourceIn } from '../../../platform/write-store/read-resource.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { ANTICIPATIONS, type Anticipation } from '../../anticipations/write/anticipation.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { PAYOUT_REQUESTS } from '../../payouts/write/payout-request.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { Check, Difference, Finding } from '../check.ts';
import { checkAnticipation } from '../read/check-anticipation.ts';
import { checkAdjustment, checkPayoutRequest, checkSuspenseItem } from '../read/check-bookings.ts';
import { documentsOf, groupBy, nothing, type Stores } from './records.store.ts';

/** A resource, and the rule that checks it against the journals that refer to it. */
type Booked<T extends Resource> = Pick<Check<T>, 'what' | 'prefix'> & {
  readonly store: Store<T>;
  readonly judge: (resource: T, booked: readonly Journal[]) => readonly Difference[];
  readonly leadsTo?: Check<T>['leadsTo'];
};

/** Checks of resources whose state alone decides which journals they must have. */
export const bookingChecks = (stores: Stores): readonly Check[] => [
  bookingCheck(stores, {
    what: 'adjustments',
    prefix: 'adj',
    store: ADJUSTMENTS,
    judge: checkAdjustment,
  }),
  bookingCheck(stores, {
    what: 'suspense items',
    prefix: 'sus',
    store: SUSPENSE_ITEMS,
    judge: checkSuspenseItem,
  }),
  bookingCheck(stores, {
    what: 'payout requests',
    prefix: 'po',
    store: PAYOUT_REQUESTS,
    judge: checkPayoutRequest,
  }),
  bookingCheck(stores, {
    what: 'anticipations',
    prefix: 'ant',
    store: ANTICIPATIONS,
    judge: checkAnticipation,
    // The check of a charge verifies the amounts that were anticipated of it.
    leadsTo: ({ charges }: Anticipation) => charges.map(({ chargeId }) => chargeId),
  }),
];

const bookingCheck = <T extends Resource>(
  { db, scans, snapshot }: Stores,
  { what, prefix, store, judge, leadsTo = () => [] }: Booked<T>,
): Check<T> => {
  /**
   * Reads a record and its journals again in one snapshot, because a change between two separate reads can look like a
   * fault.
   */
  const lookAgain = (id: string): Promise<readonly Difference[]> =>
    snapshot(async (session) => {
      const resource = await readResourceIn(session, db, store, id);
      return resource ? judge(resource, await journalsAbout(db, [id], session)) : [];
    });
  return {
    what,
    prefix,
    records: (ids) => documentsOf(ids === null ? scans : db, store.collection, ids),
    doubtful: nothing,
    leadsTo,
    async *look(resources) {
      const ids = resources.map(({ id }) => id);
      const journalsOf = groupBy(await journalsAbout(db, ids), ({ referenceId }) => referenceId);
      const findings: Finding[] = [];
      for (const resource of resources) {
        const isRight = judge(resource, journalsOf.get(resource.id) ?? []).length === 0;
        findings.push({ checked: resource.id, differences: isRight ? [] : await lookAgain(resource.id) });
      }
      yield findings;
    },
  };
};

const journalsAbout = (
  db: Database,
  ids: readonly string[],
  session?: ClientSession,
): Promise<readonly Journal[]> =>
  findAmong<Journal>(db, JOURNALS, 'referenceId', ids, session ? { session } : {});
