import { DAY_MS } from '../../src/kernel/durations.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { type Journal, ownerKey, ownersOf } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import { chainOf } from '../../src/modules/ledger/write/statement-line.ts';
import { type OutboxRow, outboxRow } from '../../src/platform/write-store/outbox.ts';

/** A journal, with its outbox rows where it is written before it can be folded. */
export type Booked = { readonly journal: Journal; readonly rows: readonly OutboxRow[] };

/**
 * Puts journals in the order of time. A history is played from its beginning to its end, so its journals are later than
 * the beginnings of other histories, while a statement shows all of them as they happened.
 */
export type Books = {
  book(journal: Journal): void;
  /** Says that nothing more will be booked before this time, so that earlier journals can be folded. */
  closeUntil(at: number): void;
  /** The available amount of a statement, from the lines that can be folded. */
  available(owner: string, currency: string): number;
  /**
   * Closes the next batch: journals that can be folded since the last call, oldest first, and new ones that cannot yet.
   */
  take(): Batch;
};

type Batch = {
  readonly folded: readonly Booked[];
  readonly deferred: readonly Booked[];
  /** Commit of the outbox rows that were deferred before and are folded now. */
  readonly commit: string;
};

/** The rows are those of `Booked`, until the journal is closed. */
type Open = { readonly journal: Journal; readonly at: number; rows: readonly OutboxRow[]; isClosed: boolean };

/**
 * `ends` has the time up to which each batch is closed. Rows carry the commit of the batch that will fold them, because
 * a search by commit is fast, while one by many ids takes seconds. Workers leave them to `holder` while it lives.
 */
export const createBooks = (ends: readonly number[], holder: string): Books => {
  const batches = ends.map((end) => ({ end, commit: newCommitId() }));
  let taken = 0;
  /** Open journals by day, so that few are looked at each time. */
  const open = new Map<number, Open[]>();
  const available = new Map<string, number>();
  let oldestDay = Number.POSITIVE_INFINITY;
  let fresh: Open[] = [];
  let closed: Open[] = [];

  const close = (booked: Open): void => {
    const { postings, livemode, currency } = booked.journal;
    for (const { merchantId, bucket, amount } of postings) {
      if (merchantId === null || bucket !== 'available') continue;
      const chain = chainOf(ownerKey(merchantId, livemode), currency);
      available.set(chain, (available.get(chain) ?? 0) + amount);
    }
    booked.isClosed = true;
    closed.push(booked);
  };

  const closeUntil = (until: number): void => {
    for (const last = Math.floor(until / DAY_MS); oldestDay <= last; oldestDay += 1) {
      const ofDay = open.get(oldestDay) ?? [];
      const due = ofDay.filter(({ at }) => at <= until);
      for (const booked of due.sort((a, b) => a.at - b.at)) close(booked);
      open.set(
        oldestDay,
        ofDay.filter(({ isClosed }) => !isClosed),
      );
      if (oldestDay === last) return;
      open.delete(oldestDay);
    }
  };

  return {
    book(journal) {
      const at = Date.parse(journal.createdAt);
      const day = Math.floor(at / DAY_MS);
      const booked: Open = { journal, at, rows: [], isClosed: false };
      const ofDay = open.get(day);
      if (ofDay) ofDay.push(booked);
      else open.set(day, [booked]);
      fresh.push(booked);
      oldestDay = Math.min(oldestDay, day);
    },
    closeUntil,
    available: (owner, currency) => available.get(chainOf(owner, currency)) ?? 0,
    take() {
      const batch = batches[taken];
      if (!batch) throw new RangeError('there are no more batches');
      taken += 1;
      closeUntil(batch.end);
      const commitOf = (at: number): string => batches.find(({ end }) => at <= end)?.commit ?? batch.commit;
      const now = new Date();
      const deferred = fresh.filter(({ isClosed }) => !isClosed);
      for (const booked of deferred)
        booked.rows = ownersOf(booked.journal).map((owner) => ({
          ...outboxRow(LEDGER_CONSUMER.name, booked.journal._id, owner, commitOf(booked.at), now),
          state: 'waiting',
          heldBy: holder,
        }));
      const folded = closed;
      fresh = [];
      closed = [];
      return { folded, deferred, commit: batch.commit };
    },
  };
};
