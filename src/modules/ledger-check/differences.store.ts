import type { AnyBulkWriteOperation } from 'mongodb';
import type { Clock, Timestamp } from '../../kernel/clock.ts';
import type { Minor } from '../../kernel/money.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { ADJUSTMENTS } from '../adjustments/write/adjustment.ts';
import { ANTICIPATIONS } from '../anticipations/write/anticipation.ts';
import { CHARGEBACK_ALERTS } from '../chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../charges/write/charge.store.ts';
import { JOURNALS } from '../ledger/write/journal.ts';
import { PAYOUT_REQUESTS } from '../payouts/write/payout-request.ts';
import { REFUNDS } from '../refunds/write/refund.store.ts';
import { SUSPENSE_ITEMS } from '../suspense/write/suspense.store.ts';
import { type Difference, type Finding, nameOf, prefixOf } from './check.ts';

export const DIFFERENCES = 'ledger_differences';

/** Facts about the record that the difference concerns. */
type Concerned = {
  readonly livemode: boolean | null;
  readonly merchantId: string | null;
  readonly currency: string | null;
  readonly amount: Minor | null;
  /** When the record was created. */
  readonly createdAt: Timestamp | null;
};

/** A difference that was found, and whether it still holds. */
export type KeptDifference = Difference &
  Concerned & {
    readonly status: 'open' | 'resolved';
    readonly foundAt: Date;
    readonly lastSeenAt: Date;
    readonly resolvedAt: Date | null;
  };

/** `checked` is the record whose check found the difference, and whose next check decides whether it still holds. */
type Stored = KeptDifference & { readonly _id: string; readonly checked: string };

export type Differences = {
  /**
   * Stores differences, and resolves the ones that these records no longer have. Calling it twice with the same
   * findings does no harm.
   */
  keep(findings: readonly Finding[]): Promise<void>;
  /** Resolves the differences that a full check that began at this time has not found again. */
  resolveUnseenSince(at: Date): Promise<void>;
  /** Records with open differences, up to a limit. */
  open(limit: number): Promise<readonly string[]>;
  countOpen(): Promise<number>;
  find(status: KeptDifference['status'], limit: number): Promise<readonly KeptDifference[]>;
};

export const createDifferences = ({
  db,
  clock,
}: {
  readonly db: Database;
  readonly clock: Clock;
}): Differences => {
  const differences = db.collection<Stored>(DIFFERENCES);

  const resolve = (ids: readonly string[]): Promise<unknown> =>
    differences.updateMany(
      { _id: { $in: [...ids] }, status: 'open' },
      { $set: { status: 'resolved', resolvedAt: clock() } },
    );

  return {
    async keep(findings) {
      const now = clock();
      const open = await differences
        .find({ status: 'open' }, { projection: { checked: 1, kind: 1, subject: 1, aspect: 1 } })
        .toArray();
      const known = new Set(open.map(({ _id }) => _id));
      const found = findings.flatMap(({ checked, differences: of }) =>
        of.map((difference) => ({ _id: nameOf(checked, difference), checked, difference })),
      );
      const writes = await Promise.all(
        found.map(async ({ _id, checked, difference }): Promise<AnyBulkWriteOperation<Stored>> => {
          const seen = { message: difference.message, lastSeenAt: now };
          if (known.has(_id)) return { updateOne: { filter: { _id }, update: { $set: seen } } };
          const opened = { ...difference, ...(await concernedBy(db, difference.subject)), checked };
          const times = { foundAt: now, lastSeenAt: now, resolvedAt: null };
          const update = { $set: { ...opened, ...times, status: 'open' as const } };
          return { updateOne: { filter: { _id }, update, upsert: true } };
        }),
      );
      if (writes.length > 0) await differences.bulkWrite(writes, { ordered: false });
      const checked = new Set(findings.map((finding) => finding.checked));
      const still = new Set(found.map(({ _id }) => _id));
      const gone = open.filter((one) => checked.has(one.checked) && !still.has(one._id));
      if (gone.length > 0) await resolve(gone.map(({ _id }) => _id));
    },

    async resolveUnseenSince(at) {
      const open = await differences.find({ status: 'open' }, { projection: { lastSeenAt: 1 } }).toArray();
      const unseen = open.filter(({ lastSeenAt }) => lastSeenAt < at);
      if (unseen.length > 0) await resolve(unseen.map(({ _id }) => _id));
    },

    async open(limit) {
      const open = await differences
        .find({ status: 'open' }, { projection: { checked: 1 }, limit })
        .toArray();
      return open.map(({ checked }) => checked);
    },

    countOpen: () => differences.countDocuments({ status: 'open' }),

    find: (status, limit) =>
      differences.find<KeptDifference>({ status }, { projection: { _id: 0, checked: 0 }, limit }).toArray(),
  };
};

const COLLECTIONS: Readonly<Record<string, string>> = {
  chg: CHARGES.collection,
  ref: REFUNDS.collection,
  cba: CHARGEBACK_ALERTS.collection,
  adj: ADJUSTMENTS.collection,
  ant: ANTICIPATIONS.collection,
  po: PAYOUT_REQUESTS.collection,
  jrn: JOURNALS,
  sus: SUSPENSE_ITEMS.collection,
};

const UNKNOWN: Concerned = {
  livemode: null,
  merchantId: null,
  currency: null,
  amount: null,
  createdAt: null,
};

/** The record with this id, or the balance with this key (`mer_…:test:BRL`). */
const concernedBy = async (db: Database, subject: string): Promise<Concerned> => {
  const [merchantId, environment, currency] = subject.split(':');
  if (merchantId && environment && currency)
    return { ...UNKNOWN, livemode: environment === 'live', merchantId, currency };
  const collection = COLLECTIONS[prefixOf(subject)];
  if (collection === undefined) return UNKNOWN;
  const record = await db
    .collection<Concerned & { _id: string }>(collection)
    .findOne(
      { _id: subject },
      { projection: { _id: 0, livemode: 1, merchantId: 1, currency: 1, amount: 1, createdAt: 1 } },
    );
  return { ...UNKNOWN, ...record };
};
