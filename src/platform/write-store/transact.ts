import { bulkhead } from 'cockatiel';
import type { ClientSession, FindOptions } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { CommandContext, DomainEvent, Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import type { FindTenant, TenantId } from '../../kernel/tenant.ts';
import { inTime } from '../in-time.ts';
import { inSpan } from '../tracing.ts';
import { changeOf, findStored, inTransaction, isUnchanged, storeTogether } from './commit.ts';
import { type CommitGroups, createCommitter, NOT_IN_TIME } from './committer.ts';
import { mayRunAgain, pauseAfter, Uncertain } from './failures.ts';
import { leasesEnd } from './leases.ts';
import { TRANSACTIONS_AT_ONCE } from './local-server.ts';
import { findAmong, RESOURCE_ONLY, type WriteStore } from './mongo.ts';
import { type Consumer, handedOn, takeRows } from './outbox.ts';
import { readResource, readResourceIn } from './read-resource.ts';
import { ofTenant } from './spread.ts';
import type { OwnTransaction, Transact, Transaction } from './transaction.ts';
import {
  createPendingDocuments,
  createRecorder,
  type DocumentAccess,
  isEmpty,
  VersionConflict,
  type WriteSet,
} from './write-set.ts';

/** A try that has begun may end within this time, and the command with it. */
const LAST_TRY_MS = 1_000;
const SPAN = { attributes: { 'db.system.name': 'mongodb', 'db.operation.name': 'transaction' } };
/** A run of a command: its result, and what it stores. */
type Attempt<T> = { readonly result: T; readonly set: WriteSet };

export const createTransact = (deps: {
  readonly writeStore: WriteStore;
  readonly consumers: readonly Consumer[];
  readonly clock: Clock;
  readonly findTenant: FindTenant;
  readonly commitGroups: CommitGroups;
  /** Time that one command may spend on retrying. */
  readonly retryForMs: number;
  /** Called after each commit with those that it left work for, to wake their readers in this process. */
  readonly onCommit: (consumers: ReadonlySet<string>, events: readonly DomainEvent[]) => void;
  readonly onRetry: () => void;
}): Transact => {
  const { writeStore } = deps;
  const { db } = writeStore;

  const onCommit = (sets: readonly WriteSet[]): void => {
    const rows = sets.flatMap((set) => set.rows);
    deps.onCommit(
      new Set(rows.map(({ consumer }) => consumer)),
      sets.flatMap((set) => set.events),
    );
  };
  const commit = createCommitter({ writeStore, onCommit, groups: deps.commitGroups });

  /**
   * Runs a command until it is stored. `run` calls `sending` when it hands in a write set. Only one that may have been
   * stored is looked for afterwards.
   */
  const untilStored = async <T>(
    context: CommandContext,
    giveUpAt: number,
    run: (sending: (attempt: Attempt<T>) => void) => Promise<Attempt<T>>,
  ): Promise<T> => {
    const uncertain: Attempt<T>[] = [];
    const findCommitted = async (): Promise<Attempt<T> | null> => {
      const found = await findStored(
        db,
        uncertain.map(({ set }) => set),
      );
      return uncertain.find(({ set }) => set === found) ?? null;
    };
    const finish = async ({ result, set }: Attempt<T>): Promise<T> => {
      context.commits.push(set.commit);
      if (set.isLeased) await leasesEnd();
      return result;
    };
    for (let tries = 1; ; tries += 1) {
      let sent: Attempt<T> | null = null;
      try {
        return await finish(
          await run((attempt) => {
            sent = attempt;
          }),
        );
      } catch (thrown) {
        const isUncertain = thrown instanceof Uncertain;
        if (isUncertain && sent) uncertain.push(sent);
        let reason = isUncertain ? thrown.cause : thrown;
        try {
          // Also before a refusal by a rule is believed: it may have seen the effect of our own earlier try.
          const committed = await findCommitted();
          if (committed) {
            onCommit([committed.set]);
            return await finish(committed);
          }
        } catch (unknown) {
          reason = unknown;
        }
        if (!mayRunAgain(reason)) throw reason;
        if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME, reason);
        deps.onRetry();
        await pauseAfter(tries);
      }
    }
  };

  const findAll = <T extends Resource>(
    { collection }: Store<T>,
    ids: readonly string[],
    tenantId: TenantId | null,
    options: FindOptions,
  ) =>
    findAmong<T>(
      db.collection(collection),
      '_id',
      ids,
      { ...options, projection: RESOURCE_ONLY },
      ofTenant(db, collection, tenantId),
    );

  const storedOf = (tenantId: TenantId | null): Pick<Transaction, 'get' | 'getAll'> => ({
    get: (from, id) => readResource(db, from, id, tenantId),
    getAll: (from, ids) => findAll(from, ids, tenantId, { readConcern: { level: 'majority' } }),
  });

  const decide = async <T>(
    context: CommandContext,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<Attempt<T>> => {
    const documents = createPendingDocuments(storedOf(context.tenantId), context.tenantId);
    const recorder = createRecorder(deps, context, documents);
    /** Where nothing is stored, no transaction sees to it that all that was read is of one moment. */
    const assertOneMoment = async (): Promise<void> => {
      const seen = [...documents.reads(), ...documents.writes()];
      if (seen.length > 1 && !(await isUnchanged(db, seen))) throw new VersionConflict();
    };
    let result: T;
    try {
      result = await work(recorder.tx);
    } catch (refusal) {
      if (!mayRunAgain(refusal)) await assertOneMoment();
      throw refusal;
    }
    const { commit: name, events, rows } = recorder;
    const set = {
      commit: name,
      tenantId: recorder.tenantId(),
      reads: documents.reads(),
      documents: documents.writes(),
      events,
      rows,
      isLeased: recorder.isLeased(),
    };
    if (isEmpty(set)) await assertOneMoment();
    return { result, set };
  };

  const together = <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const giveUpAt = Date.now() + deps.retryForMs;
    const run = (): Promise<T> =>
      untilStored(context, giveUpAt, async (sending) => {
        const attempt = await decide(context, work);
        if (isEmpty(attempt.set)) return attempt;
        sending(attempt);
        await commit(attempt.set, giveUpAt);
        return attempt;
      });
    return inSpan('transaction', SPAN, () => inTime(deps.retryForMs + LAST_TRY_MS, NOT_IN_TIME, run));
  };

  /** Stores each document at once, so that the searches of the command find it. */
  const documentsIn = (session: ClientSession, owner: TenantId | null): DocumentAccess => ({
    get: (from, id) => readResourceIn(session, db, from, id, owner),
    getAll: (from, ids) => findAll(from, ids, owner, { session }),
    async put(write) {
      const { collection, id, version, tenantId, fields } = write;
      const documents = db.collection<{ _id: string; version?: number }>(collection);
      if (version === null) {
        await documents.insertOne({ ...fields, tenantId, _id: id } as { _id: string }, { session });
        return;
      }
      const { matchedCount } = await documents.bulkWrite([changeOf(db, write)], { session });
      if (matchedCount === 0) throw new VersionConflict();
    },
  });

  const runAlone = async <T>(
    context: CommandContext,
    work: (tx: OwnTransaction) => Promise<T>,
    giveUpAt: number,
    sending: (attempt: Attempt<T>) => void,
  ): Promise<Attempt<T>> => {
    const attempt = await inTransaction(writeStore, giveUpAt, async (session) => {
      const recorder = createRecorder(deps, context, documentsIn(session, context.tenantId));
      const { commit: name, events, rows } = recorder;
      const result = await work({
        ...recorder.tx,
        session,
        takeRows: (taken) => takeRows(db, session, taken),
        handOn: (taken, consumer) => {
          rows.push(...taken.map((row) => handedOn(row, consumer)));
        },
      });
      const tenantId = recorder.tenantId();
      const isLeased = recorder.isLeased();
      const set = { commit: name, tenantId, reads: [], documents: [], events, rows, isLeased };
      await storeTogether(db, session, [set]);
      sending({ result, set });
      return { result: { result, set }, stored: [set] };
    });
    onCommit([attempt.set]);
    return attempt;
  };

  const places = bulkhead(TRANSACTIONS_AT_ONCE, Number.POSITIVE_INFINITY);
  const alone: Transact['alone'] = <T>(context: CommandContext, work: (tx: OwnTransaction) => Promise<T>) => {
    const giveUpAt = Date.now() + deps.retryForMs;
    return places.execute(() => {
      if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME);
      const run = (): Promise<T> =>
        untilStored(context, giveUpAt, (sending) => runAlone(context, work, giveUpAt, sending));
      return inSpan('transaction', SPAN, () => inTime(giveUpAt + LAST_TRY_MS - Date.now(), NOT_IN_TIME, run));
    });
  };

  return Object.assign(together, { alone });
};
