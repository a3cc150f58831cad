import { DAY_MS } from '../../src/kernel/durations.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { type Journal, ownerKey, ownersOf } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import { chainOf } from '../../src/modules/ledger/write/statement-line.ts';
import { type OutboxRow, outboxRow } from '../../src/platform/write-store/outbox.ts';

/** A journal, with the outbox rows of those that are written before their time to be folded has come. */
export type Booked = { readonly journal: Journal; readonly rows: readonly OutboxRow[] };

/**
 * Puts journals in the order of time. A history is told from its beginning to its end, so its journals reach beyond
 * the beginnings of others; a statement shows them as they happened.
 */
export type Books = {
  book(journal: Journal): void;
  /** Nothing more will be booked before this time: what is, can be folded. */
  closeUntil(at: number): void;
  /** Available money in a statement, of the lines that can be folded. */
  available(owner: string, currency: string): number;
  /** Closes the next batch: what can be folded since the last time, oldest first, and new journals that cannot yet. */
  take(): Batch;
};

type Batch = {
  readonly folded: readonly Booked[];
  readonly deferred: readonly Booked[];
  /** Commit of the outbox rows that are folded here and were deferred before. */
  readonly commit: string;
};

/** As in `Booked`, until it is closed. */
type Open = { readonly journal: Journal; readonly at: number; rows: readonly OutboxRow[]; isClosed: boolean };

/**
 * `ends` says until when each batch is closed. Rows carry the commit of the batch that is to fold them. A search by
 * commit is fast; by many ids it takes seconds. Workers leave them to `holder` while it lives.
 */
export const createBooks = (ends: readonly number[], holder: string): Books => {
  const batches = ends.map((end) => ({ end, commit: newCommitId() }));
  let taken = 0;
  /** Open ones by day, so that few are looked at each time. */
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
