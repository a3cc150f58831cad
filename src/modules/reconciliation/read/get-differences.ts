import type { ClientSession, Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import type { Id } from '../../../kernel/ids.ts';
import { findAmong, IDS_AT_ONCE, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { OUTBOX, type OutboxRow } from '../../../platform/write-store/outbox.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { ADJUSTMENTS, type Adjustment } from '../../adjustments/write/adjustment.ts';
import type { ChargebackAlert } from '../../chargebacks/write/alert.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { JOURNALS, type Journal, ownerKey, type Posting } from '../../ledger/write/journal.ts';
import { BALANCES, type Balance, LEDGER_CONSUMER } from '../../ledger/write/ledger.store.ts';
import {
  EMPTY_CHAIN,
  hashOf,
  STATEMENT_LINES,
  type StatementLine,
} from '../../ledger/write/statement-line.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from '../../payouts/write/payout-request.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import { type ChargeRecords, checkCharge, type Difference } from './check-charge.ts';
import { checkPayoutRequest } from './check-payout-request.ts';

/** Hears how far it has come: what is being checked and how many of them were. What it throws ends the check. */
export type Progress = (
  what:
    | 'balances'
    | 'statement lines'
    | 'journals'
    | 'charges'
    | 'adjustments'
    | 'payout requests'
    | 'suspense items',
  count: number,
) => void;

/**
 * Recomputes the whole ledger and names everything that does not tie up, batch by batch, while the gateway works:
 * what looks wrong is looked at again in one snapshot before it counts.
 */
export type GetDifferences = (progress: Progress) => AsyncIterable<Difference>;

const BATCH = IDS_AT_ONCE;

export const createGetDifferences = (deps: {
  readonly db: Db;
  readonly transact: Transact;
}): GetDifferences =>
  async function* (progress) {
    yield* checkBalances(deps.db, progress);
    yield* checkJournals(deps.db, progress);
    yield* checkCharges(deps, progress);
    yield* checkAdjustments(deps, progress);
    yield* checkSuspense(deps, progress);
    yield* checkPayoutRequests(deps, progress);
  };

const collection = <T extends object>(db: Db, name: string) => db.collection<T & { _id: string }>(name);

/** All documents of a collection, in batches. A cursor over the whole of it is what the engine does fastest. */
async function* batchesOf<T extends object>(db: Db, name: string): AsyncGenerator<readonly T[]> {
  const cursor = db.collection<{ _id: string }>(name).find({}, { batchSize: BATCH });
  try {
    for (let batch: T[] = []; ; ) {
      const next = (await cursor.next()) as T | null;
      if (next) batch.push(next);
      if (batch.length === BATCH || (!next && batch.length > 0)) {
        yield batch;
        batch = [];
      }
      if (!next) return;
    }
  } finally {
    await cursor.close();
  }
}

/** Every balance against the postings behind the lines of its statement, and the statement against itself. */
async function* checkBalances(db: Db, progress: Progress): AsyncGenerator<Difference> {
  let checked = 0;
  for await (const balances of batchesOf<Balance>(db, BALANCES)) {
    for (const balance of balances) {
      yield* checkStatement(db, balance, progress);
      checked += 1;
      progress('balances', checked);
    }
  }
}

async function* checkStatement(db: Db, balance: Balance, progress: Progress): AsyncGenerator<Difference> {
  const { _id: chain } = balance;
  const fault = (message: string): Difference => ({ kind: 'statement', subject: chain, message });
  const sums = { available: 0, reserved: 0 };
  let { hash } = EMPTY_CHAIN;
  for (let from = 1; from <= balance.seq; from += BATCH) {
    const to = Math.min(from + BATCH, balance.seq + 1);
    const lines = await findLines(db, chain, from, to);
    const bySeq = new Map(lines.map((line) => [line.seq, line]));
    const postings = await findPostings(db, lines);
    for (let seq = from; seq < to; seq += 1) {
      const line = bySeq.get(seq);
      if (!line) {
        yield fault(`line ${seq} is missing`);
        continue;
      }
      const posting = postings.get(line.id);
      if (!posting) yield fault(`line ${seq} (${line.id}) has no posting`);
      else {
        if (
          posting.amount !== line.amount ||
          posting.bucket !== line.bucket ||
          posting.merchantId !== line.merchantId ||
          posting.movement_type !== line.movement_type
        )
          yield fault(`line ${seq} (${line.id}) is not what was posted`);
        if (posting.merchantId !== null) sums[posting.bucket] += posting.amount;
      }
      if (line.balanceAfter !== sums[line.bucket])
        yield fault(
          `line ${seq} (${line.id}) says ${line.balanceAfter} after it and not ${sums[line.bucket]}`,
        );
      if (line.previousHash !== hash || hashOf(line) !== line.hash)
        yield fault(`the hash chain is broken at line ${seq} (${line.id})`);
      hash = line.hash;
    }
    progress('statement lines', to - 1);
  }
  for (const bucket of ['available', 'reserved'] as const)
    if (balance[bucket] !== sums[bucket])
      yield {
        kind: 'balance',
        subject: chain,
        message: `${bucket} is ${balance[bucket]} and its postings sum to ${sums[bucket]}`,
      };
  if (balance.hash !== hash) yield fault('the statement does not end where the balance says');
  // Read before the balance: a line that is folded now moves the balance with it.
  const beyond = await findLines(db, chain, balance.seq + 1, Number.MAX_SAFE_INTEGER);
  if (beyond.length === 0) return;
  const now = await collection<Balance>(db, BALANCES).findOne({ _id: chain });
  for (const { seq } of beyond.filter((line) => line.seq > (now?.seq ?? 0)))
    yield fault(`line ${seq} lies beyond its end`);
}

const findLines = (db: Db, chain: string, from: number, to: number): Promise<StatementLine[]> =>
  db
    .collection(STATEMENT_LINES.collection)
    .find<StatementLine>({ chain, seq: { $gte: from, $lt: to } }, { projection: RESOURCE_ONLY, limit: BATCH })
    .toArray();

const findPostings = async (db: Db, lines: readonly StatementLine[]): Promise<Map<string, Posting>> => {
  const journals = await findAmong<Journal>(
    db.collection(JOURNALS),
    '_id',
    lines.map(({ journalId }) => journalId),
    {},
  );
  return new Map(journals.flatMap(({ postings }) => postings.map((posting) => [posting.id, posting])));
};

/** Every journal: that it sums to zero, that what it is about exists, and that its postings are in the statements. */
async function* checkJournals(db: Db, progress: Progress): AsyncGenerator<Difference> {
  let checked = 0;
  for await (const journals of batchesOf<Journal>(db, JOURNALS)) {
    for (const { _id, postings } of journals) {
      const total = postings.reduce((sum, { amount }) => sum + amount, 0);
      if (total !== 0) yield { kind: 'journal', subject: _id, message: `its postings sum to ${total}` };
    }
    yield* checkReferences(db, journals);
    yield* checkFolded(db, journals);
    checked += journals.length;
    progress('journals', checked);
  }
}

const REFERENCED: Readonly<Partial<Record<Journal['referenceType'], string>>> = {
  charge: CHARGES.collection,
  settlement: CHARGES.collection,
  chargeback: CHARGES.collection,
  refund: REFUNDS.collection,
  chargeback_alert: CHARGEBACK_ALERTS.collection,
  adjustment: ADJUSTMENTS.collection,
  suspense: SUSPENSE_ITEMS.collection,
  payout_request: PAYOUT_REQUESTS.collection,
};

async function* checkReferences(db: Db, journals: readonly Journal[]): AsyncGenerator<Difference> {
  const wanted = new Map<string, Set<string>>();
  const want = (name: string | undefined, id: string): void => {
    if (name) wanted.set(name, (wanted.get(name) ?? new Set()).add(id));
  };
  for (const { referenceType, referenceId, chargeId } of journals) {
    want(REFERENCED[referenceType], referenceId);
    if (chargeId !== null) want(CHARGES.collection, chargeId);
  }
  const missing = new Set<string>();
  for (const [name, ids] of wanted) {
    const found = await collection(db, name)
      .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
      .toArray();
    const known = new Set(found.map(({ _id }) => _id));
    for (const id of ids) if (!known.has(id)) missing.add(id);
  }
  for (const { _id, referenceType, referenceId, chargeId } of journals)
    for (const id of new Set([referenceId, chargeId]))
      if (id !== null && missing.has(id))
        yield {
          kind: referenceType,
          subject: id,
          message: `journal ${_id} is about it, and it does not exist`,
        };
}

async function* checkFolded(db: Db, journals: readonly Journal[]): AsyncGenerator<Difference> {
  const suspects = await withoutLine(db, journals);
  if (suspects.length === 0) return;
  const rows = await db
    .collection<OutboxRow>(OUTBOX)
    .find({ consumer: LEDGER_CONSUMER.name }, { projection: { subject: 1, key: 1, state: 1 } })
    .toArray();
  const waiting = new Map(rows.map((row) => [`${row.subject} ${row.key}`, row.state]));
  // Row and line change in one transaction: what had no row a moment ago has its line by now.
  const ids = new Set(suspects.map(({ journal }) => journal._id));
  const still = new Set(
    (
      await withoutLine(
        db,
        journals.filter(({ _id }) => ids.has(_id)),
      )
    ).map(({ posting }) => posting.id),
  );
  for (const { journal, posting, owner } of suspects) {
    const state = waiting.get(`${journal._id} ${owner}`);
    const isWaiting = state !== undefined && state !== 'dead';
    if (still.has(posting.id) && !isWaiting)
      yield { kind: 'statement', subject: journal._id, message: `posting ${posting.id} is in no statement` };
  }
}

const withoutLine = async (db: Db, journals: readonly Journal[]) => {
  const found = await db
    .collection(STATEMENT_LINES.collection)
    .find<{ id: string }>(
      { journalId: { $in: journals.map(({ _id }) => _id) } },
      { projection: { _id: 0, id: 1 } },
    )
    .toArray();
  const ids = new Set(found.map(({ id }) => id));
  return journals.flatMap((journal) =>
    journal.postings.flatMap((posting) =>
      posting.merchantId === null || ids.has(posting.id)
        ? []
        : [{ journal, posting, owner: ownerKey(posting.merchantId, journal.livemode) }],
    ),
  );
};

type Deps = { readonly db: Db; readonly transact: Transact };

/** Every charge with its refunds, alert and settlements against what is booked for it. */
async function* checkCharges({ db, transact }: Deps, progress: Progress): AsyncGenerator<Difference> {
  let checked = 0;
  for await (const charges of batchesOf<Charge>(db, CHARGES.collection)) {
    for (const records of await recordsOf(db, charges)) {
      if (checkCharge(records).length === 0) continue;
      // The records were read one after the other; only what is wrong in one snapshot is wrong.
      yield* await transact(systemContext('auditor'), async (tx) => {
        const charge = await tx.get(CHARGES, records.charge.id);
        const [again] = charge ? await recordsOf(db, [charge], tx.session) : [];
        return again ? checkCharge(again) : [];
      });
    }
    checked += charges.length;
    progress('charges', checked);
  }
  for await (const refunds of batchesOf<Refund>(db, REFUNDS.collection)) {
    const booked = refunds.filter((refund) => refund.booked && refund.alertId === null);
    if (booked.length === 0) continue;
    const found = await collection<Journal>(db, JOURNALS)
      .find({ referenceId: { $in: booked.map(({ id }) => id) } } as object)
      .toArray();
    const known = new Set(found.map(({ referenceId }) => referenceId));
    for (const { id, chargeId } of booked.filter((refund) => !known.has(refund.id)))
      yield { kind: 'refund', subject: id, message: `charge ${chargeId}: the refund is not booked` };
  }
}

const recordsOf = async (
  db: Db,
  charges: readonly Charge[],
  session?: ClientSession,
): Promise<readonly ChargeRecords[]> => {
  const ids = charges.map(({ id }) => id);
  const options = { projection: RESOURCE_ONLY, ...(session ? { session } : {}) };
  const inSession = session ? { session } : {};
  const journals = await collection<Journal>(db, JOURNALS)
    .find({ chargeId: { $in: ids } } as object, inSession)
    .toArray();
  const refundIds = [
    ...journals
      .filter(({ referenceType }) => referenceType === 'refund')
      .map(({ referenceId }) => referenceId),
    ...charges.flatMap(({ refundId }) => (refundId === null ? [] : [refundId])),
  ];
  const refunds = await collection<Refund>(db, REFUNDS.collection)
    .find<Refund>({ _id: { $in: [...new Set(refundIds)] } } as object, options)
    .toArray();
  const alerts = await collection<ChargebackAlert>(db, CHARGEBACK_ALERTS.collection)
    .find<ChargebackAlert>({ chargeId: { $in: ids } } as object, options)
    .toArray();
  const journalsOf = groupBy(journals as unknown as readonly Journal[], ({ chargeId }) => chargeId);
  const refundsOf = groupBy(refunds, ({ chargeId }) => chargeId);
  const alertOf = new Map(alerts.map((alert) => [alert.chargeId, alert]));
  return charges.map((charge) => ({
    charge,
    journals: journalsOf.get(charge.id) ?? [],
    refunds: refundsOf.get(charge.id) ?? [],
    alert: alertOf.get(charge.id) ?? null,
  }));
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string | null, T[]> => {
  const groups = new Map<string | null, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};

/** Every adjustment: booked once with its amount if it is approved, and not otherwise. */
async function* checkAdjustments({ db, transact }: Deps, progress: Progress): AsyncGenerator<Difference> {
  let checked = 0;
  for await (const adjustments of batchesOf<Adjustment>(db, ADJUSTMENTS.collection)) {
    for (const { id } of adjustments)
      yield* await transact(systemContext('auditor'), async ({ session, get }) => {
        const adjustment = await get(ADJUSTMENTS, id);
        const booked = await collection<Journal>(db, JOURNALS)
          .find({ referenceId: id } as object, { session })
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
        return amounts.join() === expected.join()
          ? []
          : [
              {
                kind: 'adjustment' as const,
                subject: id satisfies Id<'adj'>,
                message: `is ${adjustment?.status}, booked is [${amounts.join()}] and should be [${expected.join()}]`,
              },
            ];
      });
    checked += adjustments.length;
    progress('adjustments', checked);
  }
}

/** Every suspense item: its amount is in the suspense account once, until it was given back. */
async function* checkSuspense({ db, transact }: Deps, progress: Progress): AsyncGenerator<Difference> {
  let checked = 0;
  for await (const items of batchesOf<SuspenseItem>(db, SUSPENSE_ITEMS.collection)) {
    for (const { id } of items)
      yield* await transact(systemContext('auditor'), async ({ session, get }) => {
        const item = await get(SUSPENSE_ITEMS, id);
        if (!item) return [];
        const booked = await collection<Journal>(db, JOURNALS)
          .find({ referenceId: id } as object, { session })
          .toArray();
        const amounts = booked.flatMap(({ postings, currency }) =>
          postings.flatMap(({ bucket, movement_type, amount }) =>
            bucket === 'suspense' ? [`${movement_type} ${amount} ${currency}`] : [],
          ),
        );
        const moved = item.direction === 'in' ? item.amount : -item.amount;
        const expected = [
          `suspense ${moved} ${item.currency}`,
          ...(item.status === 'returned' ? [`suspense_return ${-moved} ${item.currency}`] : []),
        ];
        return amounts.sort().join() === expected.sort().join()
          ? []
          : [
              {
                kind: 'suspense' as const,
                subject: id,
                message: `is ${item.status}, booked is [${amounts.join()}] and should be [${expected.join()}]`,
              },
            ];
      });
    checked += items.length;
    progress('suspense items', checked);
  }
}

/** Every payout request: booked as its status and that of its transfer say, and not otherwise. */
async function* checkPayoutRequests({ db, transact }: Deps, progress: Progress): AsyncGenerator<Difference> {
  const journalsAbout = async (ids: readonly string[], session?: ClientSession) =>
    groupBy(
      (await collection<Journal>(db, JOURNALS)
        .find({ referenceId: { $in: ids } } as object, session ? { session } : {})
        .toArray()) as unknown as readonly Journal[],
      ({ referenceId }) => referenceId,
    );
  let checked = 0;
  for await (const requests of batchesOf<PayoutRequest>(db, PAYOUT_REQUESTS.collection)) {
    const booked = await journalsAbout(requests.map(({ id }) => id));
    for (const request of requests) {
      if (checkPayoutRequest(request, booked.get(request.id) ?? []) === null) continue;
      // Request and journals were read one after the other; only what is wrong in one snapshot is wrong.
      const difference = await transact(systemContext('auditor'), async ({ get, session }) => {
        const again = await get(PAYOUT_REQUESTS, request.id);
        return (
          again && checkPayoutRequest(again, (await journalsAbout([again.id], session)).get(again.id) ?? [])
        );
      });
      if (difference) yield difference;
    }
    checked += requests.length;
    progress('payout requests', checked);
  }
}
